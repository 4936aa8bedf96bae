/**
 * Records the played world as a scenario, and lists the conditions that a scenario can expect of
 * it.
 */

import { drain } from "../base/drain.ts";
import type { JournalEntry } from "../engine/simulation/command.ts";
import type { LabAnswer, LabRequest } from "../gen/lab/v1/lab_plain.ts";
import { type PlacedExpectation, placeExpectations } from "../scenario/place-expectations.ts";
import {
  type ProposedExpectation,
  proposedExpectations,
  readByExpectations,
} from "../scenario/proposed-expectations.ts";
import { Recorder } from "../scenario/record.ts";
import type { Host } from "./history/storage.ts";
import { openHistory } from "./open-history.ts";
import type { QueriedSession } from "./query.ts";
import type { RunningWorld } from "./running-world.ts";
import type { Session } from "./session.ts";
import { inSlices } from "./slices.ts";

/**
 * Records a world up to its current position, in slices. Rejects with an Error that says why it
 * cannot be a scenario.
 * @param commands all commands of the world, from the first on
 */
export async function recordWorld(
  { sim, origin }: RunningWorld,
  commands: AsyncIterable<JournalEntry>,
  host: Pick<Host, "clock" | "delay">,
): Promise<LabAnswer<"recordScenario">> {
  const { rounds, journalLength } = sim;
  const { scenario, text, file } = origin;
  const recorder = new Recorder({ spec: sim.spec, text, file, title: scenario.title });
  const worked = inSlices(host);
  let taken = 0;
  if (journalLength > 0) {
    for await (const entry of commands) {
      await worked(recorder.record(entry));
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

/**
 * Lists the conditions that a step `expect` can check for an object at the end of a height, 0: now;
 * with their positions in a file, if one is passed.
 */
export async function expectationsOf(
  session: QueriedSession & Pick<Session, "restored" | "host">,
  { kind = "", id = "", text = "", file = "" }: LabRequest<"proposeExpectations">,
  height: number,
): Promise<LabAnswer<"proposeExpectations">> {
  const of = async (world: RunningWorld) => ({
    found: await openHistory(session, world).read(function* () {
      yield* readByExpectations(kind, id);
      return proposedExpectations(world.context, kind, id);
    }),
    height: world.sim.height,
  });
  await session.restored;
  const { queryAt, player, host } = session;
  const now = await (height > 0 && queryAt ? queryAt(height, of) : of(player.live));
  if (text === "") return { expectations: now.found.map(wired), leftOut: "" };
  const placing = placeExpectations({ text, file }, now.height, now.found);
  const placed = await (host ? inSlices(host)(placing) : drain(placing));
  return { expectations: placed.expectations.map(wired), leftOut: placed.leftOut };
}

const wired = ({
  sentence,
  step,
  at = 0,
  run,
}: Partial<PlacedExpectation> & ProposedExpectation) => ({
  ...{ sentence, at, step: JSON.stringify(step) },
  run: run ? JSON.stringify(run) : "",
});
