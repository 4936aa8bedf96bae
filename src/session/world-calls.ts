/** The list of worlds as the page asks for it, and what is done with worlds that are not on screen. */
import { errorText, STATUS, StatusError } from "../engine/framework/errors.ts";
import type { WorldSummary } from "../gen/lab/v1/share_plain.ts";
import type { WorldFile, WorldInfo, WorldList } from "../gen/lab/v1/worlds_plain.ts";
import { WORLD_NAME } from "../input/limits.ts";
import type { Place } from "./place.ts";
import { ERASED_AFTER_MS } from "./saved-worlds.ts";
import type { ExportedWorld } from "./saving.ts";
import { readWorldFile } from "./world-file.ts";
import type { WorldEntry } from "./worlds.ts";

export async function listWorlds(place: Place): Promise<WorldList> {
  const { worlds } = place.play;
  const [entries, held, use] = await Promise.all([
    worlds.list(),
    place.locks.held(),
    worlds.usage(),
  ]);
  const info = ({
    id,
    name,
    height,
    bytes,
    createdMs,
    savedMs,
    removedMs,
    problem = "",
  }: WorldEntry): WorldInfo => ({
    id,
    name,
    height,
    bytes,
    created: dateOf(createdMs),
    saved: dateOf(savedMs),
    problem,
    note: "",
    open:
      id === place.world ? (place.watching ? "watched" : "here") : held.has(id) ? "elsewhere" : "",
    erased: removedMs === undefined ? "" : dateOf(removedMs + ERASED_AFTER_MS),
  });
  return {
    worlds: entries.filter(({ removedMs }) => removedMs === undefined).map(info),
    deleted: entries.filter(({ removedMs }) => removedMs !== undefined).map(info),
    usage: use?.usage ?? 0,
    quota: use?.quota ?? 0,
  };
}

/** RFC 3339; empty if it is not known. */
const dateOf = (ms: number): string => (ms === 0 ? "" : new Date(ms).toISOString());

export async function renameWorld(place: Place, world: string, text: string): Promise<void> {
  const name = text.trim();
  if (name === "") throw new StatusError(STATUS.invalidArgument, "a name must not be empty");
  if (name.length > WORLD_NAME)
    throw new StatusError(STATUS.invalidArgument, `a name has at most ${WORLD_NAME} characters`);
  await alone(place, world, () => place.play.worlds.rename(world, name));
}

export const deleteWorld = (place: Place, world: string, forever: boolean): Promise<void> =>
  alone(place, world, () =>
    forever ? place.play.worlds.erase(world) : place.play.worlds.remove(world),
  );

/** Does something with a world that no other tab plays meanwhile. */
async function alone(place: Place, world: string, work: () => Promise<void>): Promise<void> {
  const mine = world === place.play.worlds.current;
  const release = mine ? () => {} : await place.locks.take(world);
  if (release === undefined)
    throw new StatusError(
      STATUS.failedPrecondition,
      "it is open in another tab, or not saved in this one yet",
    );
  try {
    await work();
  } finally {
    release();
  }
}

export async function exportWorld(place: Place, world: string): Promise<WorldFile> {
  return worldFile(await place.play.worlds.exportNamed(world));
}

/** A file of this content, with a name made of a world's. */
export function worldFile({ name, content }: ExportedWorld): WorldFile {
  const plain = name.replace(/[^\p{L}\p{M}\p{N} ._()-]+/gu, "").trim();
  return { name: `${plain || "world"}.chainlab`, content };
}

/** Adds the world of a file, where it stands still; a refusal is an answer. */
export async function importWorld(
  place: Place,
  content: Uint8Array,
): Promise<{ world: string; problem: string }> {
  try {
    return { world: await place.play.worlds.importFile(content, true), problem: "" };
  } catch (error) {
    return { world: "", problem: errorText(error) };
  }
}

/** What the file of a world holds, which is not trusted; what is wrong with it is an answer. */
export async function worldSummary(content: Uint8Array): Promise<WorldSummary> {
  try {
    const { begun, head } = await readWorldFile(content);
    const { chainId, validators } = begun.beginning.spec;
    const { name, height, entries: actions } = head;
    return { problem: "", name, chainId, validators: validators.length, height, actions };
  } catch (error) {
    const nothing = { name: "", chainId: "", validators: 0, height: 0, actions: 0 };
    return { problem: errorText(error), ...nothing };
  }
}
