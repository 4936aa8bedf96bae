import type { StepValue } from "../scenario/step-context.ts";
import type { RunningWorld } from "./running-world.ts";
import type { SavedPlay, SavedResult, WorldGenesis } from "./saved.ts";

/** Caches evidence hashes, which cost a query each. */
const knownEvidence = new WeakMap<StepValue, string>();

/** Serialises the named results of steps. */
export function savedResults(results: ReadonlyMap<string, StepValue>): SavedResult[] {
  return Array.from(results, ([name, result]) => {
    const { value, offence } = result;
    const evidence = offence ? undefined : evidenceOf(result);
    return {
      name,
      ...(value === undefined ? {} : { value }),
      ...(offence === undefined ? {} : { offence }),
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
    saved.map(({ name, value, evidence, offence }) => [
      name,
      {
        ...(offence === undefined ? {} : { offence }),
        ...(value === undefined ? {} : { value }),
        ...(evidence === undefined ? {} : { evidence: () => evidence }),
      },
    ]),
  );
}

/** The initial state of a world. */
export const genesisOf = ({ origin, sim }: RunningWorld): WorldGenesis => ({
  spec: sim.spec,
  text: origin.text,
  file: origin.file,
});

/** The playing state of a world. */
export function savedPlay(
  { context, story, tasks, sim }: RunningWorld,
  { playing, speed, blocks }: Pick<SavedPlay, "playing" | "speed" | "blocks">,
): SavedPlay {
  return {
    rounds: sim.rounds,
    playing,
    speed,
    blocks,
    held: tasks.isPaused,
    results: savedResults(context.results),
    steps: tasks.texts,
    ...(tasks.stepStart ? { began: tasks.stepStart } : {}),
    ...(story === undefined ? {} : { story: story.saved }),
  };
}
