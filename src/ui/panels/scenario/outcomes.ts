import type { ListedStep, Story } from "../../store/types.ts";

/** Result of a step in the last run. */
export interface Outcome {
  /** pending | running | ok | failed */
  readonly state: string;
  readonly message: string;
}

/**
 * Returns the result of each listed step; undefined for steps that did not run, and for all steps
 * from the first one that has changed since.
 * @param ran the steps that ran last, in JSON
 */
export function outcomesOf(
  steps: readonly Pick<ListedStep, "index" | "json">[],
  ran: readonly string[] | undefined,
  story: Pick<Story, "steps"> | undefined,
): readonly (Outcome | undefined)[] {
  let same = ran !== undefined && story !== undefined;
  return steps.map(({ index, json }) => {
    if (index < 0) return undefined;
    same &&= ran?.[index] === json;
    const step = same ? story?.steps[index] : undefined;
    return step && { state: step.state, message: step.message };
  });
}
