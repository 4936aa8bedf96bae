import { STATUS, StatusError } from "../engine/framework/errors.ts";
import type { BeatRequest } from "../gen/lab/v1/lab_plain.ts";
import type { Player } from "./player.ts";
import { savedResults } from "./save.ts";
import type { Earlier } from "./saved.ts";
import type { Aim, Story } from "./story.ts";

/** A session whose world may be able to go back. */
interface Stage {
  readonly player: Player;
  readonly goBack: ((to: Earlier, keeps: boolean) => Promise<void>) | undefined;
}

/**
 * Tells the story from a beat on: on to it, or back to it through the world's history. Rejects with a StatusError,
 * nothing changed, if there is no such beat or no way back.
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
  if (story.goOn({ index, done })) player.changed();
  else if (!done || index < story.beat) await goBack(session, story, { index, done });
}

async function goBack(session: Stage, story: Story, { index, done }: Aim): Promise<void> {
  const { player } = session;
  const from = story.before(done ? index + 1 : index);
  if (session.goBack === undefined || from === undefined) {
    const text = "There is no way back: where this beat began is not known.";
    throw new StatusError(STATUS.failedPrecondition, text);
  }
  const names = story.namesFrom(from.story.current);
  const results = savedResults(player.live.context.results).filter(
    ({ name }) => !names.includes(name),
  );
  // What the story did comes again; what a person did beside it would not.
  const keeps = story.own > from.at.entries;
  await session.goBack({ ...from.at, story: from.story, results }, keeps);
  const { story: told } = player.live;
  told?.recall(story);
  if (!done) told?.goOn({ index, done });
  player.changed();
}
