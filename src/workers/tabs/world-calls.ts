/** The list of worlds as the page asks for it, and what is done with worlds that are not on screen. */
import { errorText, STATUS, StatusError } from "../../engine/framework/errors.ts";
import type { WorldFile, WorldInfo, WorldList } from "../../gen/lab/v1/worlds_plain.ts";
import type { WorldEntry } from "../../session/worlds.ts";
import type { Tab } from "./tab.ts";

/** Bytes of a name: enough for any that a person reads. */
const MAX_NAME = 80;

export async function listWorlds(tab: Tab): Promise<WorldList> {
  const { worlds } = tab.play;
  const [entries, held, use] = await Promise.all([
    worlds.list(),
    tab.browser.locks.held(),
    worlds.usage(),
  ]);
  const info = ({ id, name, height, bytes, createdMs, savedMs }: WorldEntry): WorldInfo => ({
    id,
    name,
    height,
    bytes,
    created: new Date(createdMs).toISOString(),
    saved: new Date(savedMs).toISOString(),
    open: id === tab.world ? (tab.watching ? "watched" : "here") : held.has(id) ? "elsewhere" : "",
  });
  return {
    worlds: entries.filter(({ removedMs }) => removedMs === undefined).map(info),
    deleted: entries.filter(({ removedMs }) => removedMs !== undefined).map(info),
    usage: use?.usage ?? 0,
    quota: use?.quota ?? 0,
  };
}

export async function renameWorld(tab: Tab, world: string, text: string): Promise<void> {
  const name = text.trim();
  if (name === "") throw new StatusError(STATUS.invalidArgument, "a name must not be empty");
  if (name.length > MAX_NAME)
    throw new StatusError(STATUS.invalidArgument, `a name has at most ${MAX_NAME} characters`);
  await alone(tab, world, () => tab.play.worlds.rename(world, name));
}

export const deleteWorld = (tab: Tab, world: string): Promise<void> =>
  alone(tab, world, () => tab.play.worlds.remove(world));

/** Does something with a world that no other tab plays meanwhile. */
async function alone(tab: Tab, world: string, work: () => Promise<void>): Promise<void> {
  const mine = world === tab.play.worlds.current;
  const release = mine ? () => {} : await tab.browser.locks.take(world);
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

export async function exportWorld(tab: Tab, world: string): Promise<WorldFile> {
  const { worlds } = tab.play;
  const entry = (await worlds.list()).find(({ id }) => id === world);
  return worldFile(entry?.name ?? "", await worlds.exportFile(world));
}

/** A file of this content, with a name made of a world's. */
export function worldFile(name: string, content: Uint8Array): WorldFile {
  const plain = name.replace(/[^\p{L}\p{N} ._-]+/gu, "").trim();
  return { name: `${plain || "world"}.chainlab`, content };
}

/** Adds the world of a file; a refusal is an answer. */
export async function importWorld(
  tab: Tab,
  content: Uint8Array,
): Promise<{ world: string; problem: string }> {
  try {
    return { world: await tab.play.worlds.importFile(content), problem: "" };
  } catch (error) {
    return { world: "", problem: errorText(error) };
  }
}
