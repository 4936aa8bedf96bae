import type { StepValue } from "../scenario/step-context.ts";
import type { RunningWorld } from "./running-world.ts";
import type { SavedResult, SavedStory } from "./saved.ts";

/** Caches evidence hashes, which cost a query each. */
const knownEvidence = new WeakMap<StepValue, string>();

/** Serialises the named results of steps. */
export function savedResults(results: ReadonlyMap<string, StepValue>): SavedResult[] {
  return Array.from(results, ([name, result]) => {
    const evidence = evidenceOf(result);
    return {
      name,
      ...(result.value === undefined ? {} : { value: result.value }),
      ...(evidence === undefined ? {} : { evidence }),
    };
  });
}

function evidenceOf(result: StepValue): string | undefined {
  const known = knownEvidence.get(result);
  if (known !== undefined || result.evidence === undefined) return known;
  try {
    const hash = result.evidence();
    knownEvidence.set(result, hash);
    return hash;
  } catch {
    // It is not on chain yet.
    return undefined;
  }
}

/** The inverse: restores named results. */
export function restoredResults(saved: readonly SavedResult[]): Map<string, StepValue> {
  return new Map(
    saved.map(({ name, value, evidence }) => [
      name,
      {
        ...(value === undefined ? {} : { value }),
        ...(evidence === undefined ? {} : { evidence: () => evidence }),
      },
    ]),
  );
}

/** The story and its progress; undefined for a world without one. */
export function savedStory({ origin, story }: RunningWorld): SavedStory | undefined {
  const { text, file } = origin;
  if (text === "") return undefined;
  const { state, current, message } = story;
  return { text, file, state, current, message };
}
