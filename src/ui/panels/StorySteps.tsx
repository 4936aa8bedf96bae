import { useEffect, useRef } from "react";
import type { Story, StoryStep } from "../store/types.ts";
import { Icon, type IconName } from "../widgets/Icon.tsx";
import css from "./StorySteps.module.css";

const ICONS: Readonly<Record<string, IconName>> = {
  ok: "check",
  failed: "cross",
  running: "play",
  pending: "minus",
};
const ENDS: Readonly<Record<string, string>> = {
  passed: "Told to the end, everything as expected.",
  failed: "Something was not as expected.",
};

/** The running story: how far it is, each step, and how it ended. */
export default function StorySteps({ story }: { story: Story }) {
  const done = story.steps.filter((step) => step.state === "ok").length;
  return (
    <>
      <h2>{story.title || story.name}</h2>
      <div className={css.progress}>
        <progress max={story.steps.length} value={done} aria-label="Steps done" />
        <span className="small soft">
          {done} of {story.steps.length}
        </span>
      </div>
      <ol className={css.steps}>
        {story.steps.map((step) => (
          <Step key={step.index} step={step} />
        ))}
      </ol>
      {ENDS[story.state] && (
        <p className={css.end} data-state={story.state} data-testid="story-end">
          {ENDS[story.state]}
        </p>
      )}
    </>
  );
}

function Step({ step }: { step: StoryStep }) {
  const ref = useRef<HTMLLIElement>(null);
  const running = step.state === "running";
  useEffect(() => {
    if (running || step.state === "failed") ref.current?.scrollIntoView({ block: "nearest" });
  }, [running, step.state]);
  return (
    <li
      ref={ref}
      className={css.step}
      data-state={step.state}
      aria-current={running ? "step" : undefined}
    >
      <Icon name={ICONS[step.state] ?? "minus"} size={14} />
      <span>
        <span className="hidden">{step.state}: </span>
        {step.note || step.verb}
        {step.message && step.state === "failed" && (
          <span className={css.message}>{step.message}</span>
        )}
      </span>
    </li>
  );
}
