import { STATUS, StatusError } from "../engine/framework/errors.ts";
import type { BeatRequest } from "../gen/lab/v1/lab_plain.ts";
import { parseScenario } from "../scenario/parse.ts";
import type { Player } from "./player.ts";
import { savedResults } from "./save.ts";
import type { RewindTarget } from "./saved.ts";
import { type Aim, Story } from "./story.ts";

/** A session whose world may be rewindable. */
interface Stage {
  readonly player: Player;
  readonly rewind: ((to: RewindTarget, keeps: boolean) => Promise<void>) | undefined;
}

/**
 * Plays the story from a beat on: forwards to it, or backwards through the world's history. Rejects
 * with a StatusError, and changes nothing, if there is no such beat or the history is missing.
 */
export async function goToBeat(
  session: Stage,
  { index = 0, done = false }: BeatRequest,
): Promise<void> {
  const { player } = session;
  const { story } = player.live;
  if (story === undefined || story.state === "none") {
    throw new StatusError(STATUS.failedPrecondition, "no story is told");
  }
  if (index >= story.beats.length) {
    throw new StatusError(
      STATUS.invalidArgument,
      `expected a beat from 0 to ${story.beats.length - 1}, found ${index}`,
    );
  }
  if (story.continueTo({ index, done })) player.changed();
  else if (!done || index < story.beat) await rewind(session, story, { index, done });
}

/**
 * Continues the steps of a file that were stopped early, up to a number of steps in all; 0: to the
 * end. Throws a StatusError, and changes nothing, if the story is not at such a stop.
 */
export function runOn({ player }: Pick<Stage, "player">, steps: number): void {
  const { live } = player;
  const { origin, story, sim } = live;
  const read = parseScenario(origin.text, origin.file);
  const whole = "scenario" in read ? read.scenario : origin.scenario;
  const isNew = story?.state === "none" && sim.rounds === 0 && sim.journalLength === 0;
  const from = isNew ? 0 : story?.state === "passed" ? origin.until : undefined;
  const end = steps === 0 ? whole.steps.length : Math.min(steps, whole.steps.length);
  if (story === undefined || from === undefined || from >= end) {
    throw new StatusError(STATUS.failedPrecondition, "there is no step to go on with");
  }
  const isAll = end === whole.steps.length;
  const scenario = isAll ? whole : { ...whole, steps: whole.steps.slice(0, end) };
  const { text, file } = origin;
  live.origin = { scenario, text, file, ...(!isAll && { until: end }) };
  const longer = new Story(live);
  live.story = longer;
  const { saved } = story;
  const here = { rounds: sim.rounds, entries: sim.journalLength };
  const starts = [...(saved.starts ?? []), here];
  longer.resume({ ...saved, state: "running", current: from, message: "", resting: false, starts });
  longer.recall(story);
  longer.continueTo({ index: longer.beats.length - 1, done: true });
  player.changed();
}

async function rewind(session: Stage, story: Story, { index, done }: Aim): Promise<void> {
  const { player } = session;
  const from = story.before(done ? index + 1 : index);
  if (session.rewind === undefined || from === undefined) {
    const text = "There is no way back: where this beat began is not known.";
    throw new StatusError(STATUS.failedPrecondition, text);
  }
  const names = story.namesFrom(from.story.current);
  const results = savedResults(player.live.context.results).filter(
    ({ name }) => !names.includes(name),
  );
  // The story's actions are replayed; manual ones in between would be lost.
  const keeps = story.own > from.at.entries;
  await session.rewind({ ...from.at, story: from.story, results }, keeps);
  const { story: current } = player.live;
  current?.recall(story);
  if (!done) current?.continueTo({ index, done });
  player.changed();
}
