import { useEffect, useRef } from "react";
import { runStory } from "../store/actions.ts";
import { openDialog } from "../store/dialog.ts";
import { useWorld } from "../store/frame-store.ts";
import type { Story, StoryStep } from "../store/types.ts";
import { Icon, type IconName } from "../widgets/Icon.tsx";
import css from "./StoryPanel.module.css";

/** The three stories that a newcomer should see first. */
const FIRST = [
  {
    file: "double-sign.yaml",
    icon: "twice",
    title: "A double sign",
    about: "Slashed, jailed, tombstoned: out for ever.",
  },
  {
    file: "upgrade-halts-and-recovers.yaml",
    icon: "stop",
    title: "An upgrade that halts",
    about: "And the new binary brings the chain back.",
  },
  {
    file: "upgrade-cancelled.yaml",
    icon: "rise",
    title: "An upgrade cancelled",
    about: "A second vote takes the plan back in time.",
  },
] as const;

/** The running story with its steps; without one, the stories to begin with. */
export function StoryPanel() {
  const story = useWorld(({ frame }) => frame?.story);
  const told = story && story.state !== "none" && story.steps.length > 0;
  return (
    <section className={css.panel} aria-label="Story">
      {told ? <Told story={story} /> : <Beginning />}
      <div className={css.more}>
        <button type="button" onClick={() => openDialog("stories")} title="All stories (S)">
          <Icon name="book" />
          All stories…
        </button>
      </div>
    </section>
  );
}

function Beginning() {
  return (
    <>
      <h2>Begin with a story</h2>
      <ul className={css.stories}>
        {FIRST.map((story) => (
          <li key={story.file}>
            <button type="button" className={css.story} onClick={() => runStory(story.file)}>
              <Icon name={story.icon} size={18} />
              <span>
                <b>{story.title}</b>
                <span className={css.about}>{story.about}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p className={css.hint}>Or do it yourself: pick a validator of the chain that is running.</p>
    </>
  );
}

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

function Told({ story }: { story: Story }) {
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
