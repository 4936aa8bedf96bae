import type { StoryStep } from "../../store/types.ts";
import { plural } from "../../widgets/format.ts";

/** A line of the story: a step with its note, or the steps in between, which have none. */
export interface StoryRow {
  readonly index: number;
  readonly text: string;
  readonly state: string;
  /** Whether it has a note. */
  readonly noted: boolean;
  /** What went wrong. */
  readonly message: string;
}

/** Steps with a note stand for themselves, and so does whatever fails; others are summed up. */
export function storyRows(steps: readonly StoryStep[]): StoryRow[] {
  const groups: StoryStep[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (last && !alone(step) && last.every((other) => !alone(other))) last.push(step);
    else groups.push([step]);
  }
  return groups.map(toRow);
}

/** What went wrong, or else the newest step with a note. */
export function newestRow(steps: readonly StoryStep[]): StoryRow | undefined {
  const begun = storyRows(steps).filter(({ state }) => state !== "pending");
  return begun.find(({ state }) => state === "failed") ?? begun.findLast(({ noted }) => noted);
}

const alone = (step: StoryStep): boolean => step.note !== "" || step.state === "failed";

function toRow(steps: readonly StoryStep[]): StoryRow {
  const first = steps[0] as StoryStep;
  return {
    index: first.index,
    text: first.note || summary(steps.map((step) => step.verb)),
    state:
      steps.find((step) => step.state === "failed" || step.state === "running")?.state ??
      steps.at(-1)?.state ??
      "pending",
    noted: first.note !== "",
    message: first.state === "failed" ? first.message : "",
  };
}

function summary(verbs: readonly string[]): string {
  const checks = verbs.filter((verb) => verb === "expect").length;
  const others = verbs.filter((verb) => verb !== "expect");
  return [
    ...new Set(others.map((verb) => verb.replaceAll("_", " "))),
    ...(checks > 0 ? [plural(checks, "check")] : []),
  ].join(", ");
}
