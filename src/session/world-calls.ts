/** Lists worlds for the page, and runs its actions on worlds that are not on screen. */

import { WORLD_NAME, WORLD_NOTE } from "../base/limits.ts";
import { errorText, STATUS, StatusError } from "../engine/framework/errors.ts";
import type { TamperCommand } from "../engine/simulation/command.ts";
import type { Tamper } from "../gen/lab/v1/branches_plain.ts";
import type { LabAnswer, LabRequest } from "../gen/lab/v1/lab_plain.ts";
import type { WorldSummary } from "../gen/lab/v1/share_plain.ts";
import type { WorldFile, WorldInfo, WorldList } from "../gen/lab/v1/worlds_plain.ts";
import { bytesOf } from "../view/hex.ts";
import { found, isFull } from "./notices.ts";
import { ERASED_AFTER_MS } from "./saved-worlds.ts";
import type { ExportedWorld } from "./saving.ts";
import type { SessionHost } from "./session-host.ts";
import { readWorldFile } from "./world-file.ts";
import type { WorldEntry } from "./worlds.ts";

export async function listWorlds(host: SessionHost): Promise<WorldList> {
  const { worlds } = host.play;
  const [entries, held, use] = await Promise.all([
    worlds.list(),
    host.locks.locked(),
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
    note = "",
    impossible = false,
    parent,
  }: WorldEntry): WorldInfo => ({
    id,
    name,
    height,
    bytes,
    created: dateOf(createdMs),
    saved: dateOf(savedMs),
    problem,
    note,
    impossible,
    ...(parent && { parent }),
    open:
      id === host.world ? (host.watching ? "watched" : "here") : held.has(id) ? "elsewhere" : "",
    erased: removedMs === undefined ? "" : dateOf(removedMs + ERASED_AFTER_MS),
  });
  return {
    worlds: entries.filter(({ removedMs }) => removedMs === undefined).map(info),
    deleted: entries.filter(({ removedMs }) => removedMs !== undefined).map(info),
    usage: use?.usage ?? 0,
    quota: use?.quota ?? 0,
  };
}

/** RFC 3339; empty if unknown. */
const dateOf = (ms: number): string => (ms === 0 ? "" : new Date(ms).toISOString());

export async function renameWorld(host: SessionHost, world: string, text: string): Promise<void> {
  const name = text.trim();
  if (name === "") throw new StatusError(STATUS.invalidArgument, "a name must not be empty");
  checkName(name);
  await alone(host, world, () => host.play.worlds.rename(world, name));
}

function checkName(name: string): void {
  if (name.length > WORLD_NAME)
    throw new StatusError(STATUS.invalidArgument, `a name has at most ${WORLD_NAME} characters`);
  if (name.includes("\u0000"))
    throw new StatusError(STATUS.invalidArgument, "a name is text, without U+0000 in it");
}

export async function noteWorld(host: SessionHost, world: string, text: string): Promise<void> {
  const note = checkNote(text);
  await alone(host, world, () => host.play.worlds.annotate(world, note));
}

function checkNote(text: string): string {
  const note = text.trim();
  if (note.length > WORLD_NOTE)
    throw new StatusError(STATUS.invalidArgument, `a note has at most ${WORLD_NOTE} characters`);
  return note;
}

/** Creates a new world from the played one at a height, or replays it with a changed value. */
export async function forkWorld(
  place: SessionHost,
  request: LabRequest<"forkWorld">,
  gone?: () => boolean,
): Promise<LabAnswer<"forkWorld">> {
  const { height = 0, tamper, other } = request;
  const [name, note] = [(request.name ?? "").trim(), checkNote(request.note ?? "")];
  checkName(name);
  const { session, worlds } = place.play;
  if (other === undefined) {
    const world = await worlds.fork(height, name, note, tamper && tamperCommand(tamper));
    return { world, height: session.sim.height, commands: 0, refused: [], refusals: 0 };
  }
  if (tamper !== undefined) {
    const text = "expected a what-if branch, or one with a changed byte, not both";
    throw new StatusError(STATUS.invalidArgument, text);
  }
  if (session.branchWhatIf === undefined) {
    throw new StatusError(STATUS.unavailable, "there are no saved worlds here");
  }
  const forked = await session.branchWhatIf({ ...request, name, note }, gone);
  await place.open(forked.world);
  return forked;
}

function tamperCommand({ store = "", key = "", place = 0, byte = 0 }: Tamper): TamperCommand {
  return { type: "tamper", store, key: bytesOf(key), place, byte };
}

/** Deletes a world. A played one is replaced by the last saved world, or a new one. */
export async function deleteWorld(
  host: SessionHost,
  world: string,
  forever: boolean,
): Promise<void> {
  const { worlds } = host.play;
  const isPlayed = world === worlds.current;
  await alone(host, world, () => (forever ? worlds.erase(world) : worlds.remove(world))).catch(
    (error: unknown) => {
      if (forever || !isFull(error)) throw error;
      // Marking it as deleted takes space, which erasing it frees.
      const text = "the storage is full: it can only be deleted forever";
      throw new StatusError(STATUS.resourceExhausted, text);
    },
  );
  if (!isPlayed) return;
  const [entries, held] = await Promise.all([worlds.list(), host.locks.locked()]);
  const next = entries.find(
    ({ id, removedMs, problem }) =>
      removedMs === undefined && problem === undefined && !held.has(id),
  );
  // If it cannot be opened after all, that shows a notice.
  if (next === undefined) await host.createNew();
  else await host.open(next.id).catch(() => host.createNew());
}

/** Runs an action on a world that no other tab is playing meanwhile. */
async function alone(place: SessionHost, world: string, work: () => Promise<void>): Promise<void> {
  const mine = world === place.play.worlds.current;
  const release = mine ? () => {} : await place.locks.acquire(world);
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

export async function exportWorld(host: SessionHost, world: string): Promise<WorldFile> {
  return worldFile(await host.play.worlds.exportNamed(world));
}

/** A file with this content, named after a world. */
export function worldFile({ name, content }: ExportedWorld): WorldFile {
  const plain = name.replace(/[^\p{L}\p{M}\p{N} ._()-]+/gu, "").trim();
  return { name: `${plain || "world"}.chainlab`, content };
}

/** Imports the world of a file, paused; a refusal is part of the answer. */
export async function importWorld(
  place: SessionHost,
  content: Uint8Array,
): Promise<{ world: string; problem: string }> {
  try {
    return { world: await place.play.worlds.importFile(content, true), problem: "" };
  } catch (error) {
    return { world: "", problem: errorText(error) };
  }
}

/**
 * Summarizes the file of a world, which is untrusted; problems of the file are part of the answer.
 */
export async function worldSummary(content: Uint8Array): Promise<WorldSummary> {
  try {
    const { genesis, head, damage } = await readWorldFile(content);
    const { chainId, validators } = genesis.genesis.spec;
    const { name, height, entries: actions, impossible = false } = head;
    const { length } = validators;
    const loss = damage === undefined ? "" : found([damage], actions);
    return { problem: "", name, chainId, validators: length, height, actions, impossible, loss };
  } catch (error) {
    const nothing = {
      name: "",
      chainId: "",
      validators: 0,
      height: 0,
      actions: 0,
      impossible: false,
      loss: "",
    };
    return { problem: errorText(error), ...nothing };
  }
}
