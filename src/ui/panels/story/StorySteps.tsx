import { useEffect, useRef } from "react";
import type { Story } from "../../store/types.ts";
import { Icon, type IconName } from "../../widgets/Icon.tsx";
import css from "./StorySteps.module.css";
import { type StoryRow, storyRows } from "./story-rows.ts";

const ICONS: Readonly<Record<string, IconName>> = {
  ok: "check",
  failed: "cross",
  running: "play",
  pending: "minus",
};
const ENDS: Readonly<Record<string, string>> = {
  passed: "Finished, everything as expected.",
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
        {storyRows(story.steps).map((row) => (
          <StepRow key={row.index} row={row} />
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

function StepRow({ row }: { row: StoryRow }) {
  const ref = useRef<HTMLLIElement>(null);
  const { state } = row;
  useEffect(() => {
    if (state === "running" || state === "failed")
      ref.current?.scrollIntoView({ block: "nearest" });
  }, [state]);
  return (
    <li
      ref={ref}
      className={css.step}
      data-state={state}
      data-noted={row.noted || undefined}
      aria-current={state === "running" ? "step" : undefined}
    >
      <Icon name={ICONS[state] ?? "minus"} size={14} />
      <span>
        <span className="hidden">{state}: </span>
        {row.text}
        {row.message && <span className={css.message}>{row.message}</span>}
      </span>
    </li>
  );
}
