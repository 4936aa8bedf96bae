import { useEffect, useRef } from "react";
import type { StoryStep } from "../../store/types.ts";
import { Icon, type IconName } from "../../widgets/Icon.tsx";
import css from "./StorySteps.module.css";
import { type StoryRow, storyRows } from "./story-rows.ts";

const ICONS: Readonly<Record<string, IconName>> = {
  ok: "check",
  failed: "cross",
  running: "play",
  pending: "minus",
};
/** The steps of a story, the one that runs in sight. */
export default function StorySteps({ steps }: { steps: readonly StoryStep[] }) {
  return (
    <ol className={css.steps}>
      {storyRows(steps).map((row) => (
        <StepRow key={row.index} row={row} />
      ))}
    </ol>
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
