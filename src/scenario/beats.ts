import type { ScenarioStep } from "./scenario.ts";
import type { Show } from "./show.ts";

/** A part of a story with one sentence: consecutive steps. */
export interface Beat {
  /** Empty if none of its steps has a note. */
  readonly sentence: string;
  /** Index of its first step, and the one after its last. */
  readonly first: number;
  readonly end: number;
  /** State of the page. Each beat inherits it from the previous one, except frame and drawer. */
  readonly show: Show;
}

/**
 * Splits the steps of a story into beats. A step with a note either starts a beat or ends the steps
 * that lead up to it: checks without a note belong to the previous sentence, actions without a note
 * to the next. A story without notes has a beat per action.
 */
export function beatsOf(steps: readonly ScenarioStep[]): readonly Beat[] {
  const hasNotes = steps.some(({ note }) => note);
  const parts: { first: number; note: number | undefined }[] = [];
  for (const [index, step] of steps.entries()) {
    const last = parts.at(-1);
    const acts = step.verb !== "expect";
    if (hasNotes && step.note) {
      if (last && last.note === undefined) last.note = index;
      else parts.push({ first: index, note: index });
    } else if (last === undefined || (acts && !(hasNotes && last.note === undefined))) {
      parts.push({ first: index, note: undefined });
    }
  }
  // Actions after the last sentence belong to it.
  const last = parts.at(-1);
  if (hasNotes && parts.length > 1 && last?.note === undefined) parts.pop();
  let shown: Show = steps.some(({ show }) => show) ? { view: "network" } : {};
  return parts.map(({ first, note }, index) => {
    const end = parts[index + 1]?.first ?? steps.length;
    const { highlight: _, drawer: __, ...stays } = shown;
    shown = Object.assign(stays, ...steps.slice(first, end).map(({ show }) => show)) as Show;
    return { sentence: steps[note ?? -1]?.note ?? "", first, end, show: shown };
  });
}
