/** The played world as a scenario, and what a scenario can expect of it. */
import type { JournalEntry } from "../engine/simulation/command.ts";
import type { LabAnswer, LabRequest } from "../gen/lab/v1/lab_plain.ts";
import { proposedExpectations } from "../scenario/proposed-expectations.ts";
import { Recorder } from "../scenario/record.ts";
import { type AskedSession, withPast } from "./ask.ts";
import type { Host } from "./history/storage.ts";
import type { RunningWorld } from "./running-world.ts";

/** Works for so long before something else has its turn. */
const SLICE_MS = 8;
/** Rounds after which the clock is looked at. */
const ROUNDS_AT_ONCE = 16;

/**
 * Records a world up to where it is now, in slices. Rejects with an Error that says why there is no scenario of it.
 * @param commands all that were given, from the first on
 */
export async function recordWorld(
  { sim, origin }: RunningWorld,
  commands: AsyncIterable<JournalEntry>,
  { clock, delay }: Pick<Host, "clock" | "delay">,
): Promise<LabAnswer<"recordScenario">> {
  const { rounds, journalLength } = sim;
  const { scenario, text, file } = origin;
  const recorder = new Recorder({ spec: sim.spec, text, file, title: scenario.title });
  let end = clock() + SLICE_MS;
  let steps = 0;
  const worked = async <T>(work: Generator<void, T>): Promise<T> => {
    for (;;) {
      const { done, value } = work.next();
      if (done) return value;
      steps += 1;
      if (steps % ROUNDS_AT_ONCE > 0 || clock() < end) continue;
      await delay(0);
      end = clock() + SLICE_MS;
    }
  };
  let taken = 0;
  if (journalLength > 0) {
    for await (const entry of commands) {
      await worked(recorder.take(entry));
      taken += 1;
      if (taken === journalLength) break;
    }
  }
  if (taken < journalLength) {
    throw new Error(`only ${taken} of the ${journalLength} things done in this world can be read`);
  }
  const { leftOut, ...recorded } = await worked(recorder.end(rounds));
  return { ...recorded, leftOut: [...leftOut] };
}

/** What a step `expect` can say of something at the end of a height; 0: now. */
export async function expectationsOf(
  session: AskedSession & { readonly restored: Promise<unknown> },
  { kind = "", id = "" }: LabRequest<"proposeExpectations">,
  height: number,
): Promise<LabAnswer<"proposeExpectations">> {
  const of = async (world: RunningWorld): Promise<LabAnswer<"proposeExpectations">> => {
    const found = await withPast(session, world, () =>
      proposedExpectations(world.context, kind, id),
    );
    return {
      expectations: found.map(({ sentence, step }) => ({ sentence, step: JSON.stringify(step) })),
    };
  };
  await session.restored;
  const { askAt, player } = session;
  return height > 0 && askAt ? askAt(height, of) : of(player.live);
}
