/** Worlds opened read-only beside the played one, each in its own session. */

import { COMPARED } from "../../base/limits.ts";
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import { type Caller, checkThere } from "../caller.ts";
import { OUTLINE_KEYS, readOutline } from "../history/head.ts";
import { readKeyframeKey, readTreesKey, worldPrefix } from "../history/keys.ts";
import { MemoryStorage } from "../history/memory-storage.ts";
import type { Host, Storage } from "../history/storage.ts";
import type { RunningWorld } from "../running-world.ts";
import type { Parent } from "../saved.ts";
import { Session } from "../session.ts";
import { listWorlds } from "../world-list.ts";
import type { SessionOfWorlds } from "../worlds.ts";

/** Time slice per iteration, in ms. */
const SLICE_MS = 8;
/** Keyframe interval of a long run, so that any earlier height is near one. */
const STORE_EVERY_MS = 500;

/** A compared world, and the session that answers queries about it. */
export interface OpenedWorld {
  readonly session: Session;
  /** Id; empty for a world that is not saved. */
  readonly world: string;
  readonly name: string;
  readonly note: string;
  readonly parent: Parent | undefined;
  /** Why its scenario ended early, or why a saved world differs from its save; otherwise empty. */
  readonly failure: string;
}

/** Opens worlds: makes a session the player of a storage. */
export type Open = (session: Session, storage: Storage, host: Host) => SessionOfWorlds;

/**
 * Opens a saved world for queries in its last saved state. Rejects with a StatusError if there is
 * no such world, or if it exceeds the caller's limits.
 */
export async function openSaved(
  world: string,
  storage: Storage,
  host: Host,
  open: Open,
  caller: Caller,
): Promise<OpenedWorld> {
  const { newest, genesis } = await outlineOf(world, storage);
  if (newest === undefined) {
    throw new StatusError(STATUS.notFound, `there is no world ${world}, or it cannot be read`);
  }
  if (!caller.mayControl) {
    const bytes =
      (genesis?.record.length ?? 0) + newest.bytes + (await keyframeBytes(world, storage));
    checkWithin(bytes, COMPARED.worldBytes, "bytes are read");
  }
  const play = beside(storage, host, open);
  const { session, worlds, saving } = play;
  let over = false;
  const opening = worlds
    .openToRead(world)
    .then(() => session.restored)
    .finally(() => {
      over = true;
    });
  const worked = (async () => {
    while (!over) {
      if (session.player.restoring !== undefined) {
        // Counted from the keyframe that the replay starts at, which may turn out to be an older
        // one.
        const rounds = newest.rounds - session.sim.rounds;
        if (!caller.mayControl)
          checkWithin(rounds, COMPARED.worldRounds, "rounds are played again");
        session.player.slice(SLICE_MS, host.clock);
      }
      await host.delay(0);
      checkThere(caller);
    }
  })();
  try {
    await Promise.all([opening, worked]);
  } catch (error) {
    // Stop the replay of a world that nobody waits for any more.
    void worlds.close().catch(() => {});
    throw error;
  }
  if (worlds.current !== world) {
    const why = saving.notices.at(-1)?.text ?? "the world cannot be read";
    throw new StatusError(STATUS.failedPrecondition, why);
  }
  const { name, note = "", parent } = newest;
  const failure = saving.notices.map(({ text }) => text).join(" ");
  return { session, world, name, note, parent, failure };
}

function checkWithin(found: number, most: number, what: string): void {
  if (found <= most) return;
  const text = `expected a world for which at most ${most} ${what} to open it, found ${found}: one who steers the chain compares it`;
  throw new StatusError(STATUS.invalidArgument, text);
}

/** Bytes of the newest keyframe with the trees that it needs; 0 if there is none. */
async function keyframeBytes(world: string, storage: Storage): Promise<number> {
  const prefix = worldPrefix(world);
  const keys = (await storage.keys(prefix)).map((key) => key.slice(prefix.length));
  const newest = keys
    .flatMap((key) => readKeyframeKey(key) ?? [])
    .reduce<{ rounds: number; bytes: number; trees?: number | undefined } | undefined>(
      (last, one) => (last !== undefined && last.rounds > one.rounds ? last : one),
      undefined,
    );
  const trees = keys
    .flatMap((key) => readTreesKey(key) ?? [])
    .find(({ rounds }) => rounds === newest?.trees);
  return (newest?.bytes ?? 0) + (trees?.bytes ?? 0);
}

/**
 * Resolves a world's id, or its name if that is unique, to its id. Rejects with a StatusError for
 * other text.
 */
export async function idOf(source: string, storage: Storage): Promise<string> {
  if ((await outlineOf(source, storage)).newest !== undefined) return source;
  const worlds = (await listWorlds(storage)).filter(({ removedMs }) => removedMs === undefined);
  const [named, other] = worlds.filter(({ name }) => name === source);
  if (named === undefined) {
    throw new StatusError(STATUS.notFound, `there is no world ${source}, or it cannot be read`);
  }
  if (other === undefined) return named.id;
  const text = `several worlds are called ${source}: expected an id, such as ${named.id} or ${other.id}`;
  throw new StatusError(STATUS.invalidArgument, text);
}

/** A number that grows with every save of a world; 0 if it cannot be read. */
export const savesOf = async (world: string, storage: Storage): Promise<number> =>
  (await outlineOf(world, storage)).newest?.seq ?? 0;

const outlineOf = async (world: string, storage: Storage) =>
  readOutline(await storage.read(OUTLINE_KEYS.map((key) => worldPrefix(world) + key)));

/**
 * Runs a scenario to its end, in memory. Rejects with a StatusError that locates the problem of an
 * invalid file.
 */
export async function openScenario(
  text: string,
  file: string,
  host: Host,
  open: Open,
  caller: Caller,
): Promise<OpenedWorld> {
  const { parseScenario } = await import("../interpreter.ts");
  const read = parseScenario(text, file);
  if ("problems" in read) {
    const [problem] = read.problems;
    const where = `${file || "the scenario"}:${problem?.line ?? 1}`;
    throw new StatusError(STATUS.invalidArgument, `${where}: ${problem?.message ?? ""}`);
  }
  const { scenario } = read;
  const play = beside(new MemoryStorage(), host, open);
  const { session, worlds } = play;
  await worlds.create({ scenario, file, text });
  const { player } = session;
  player.playing = false;
  player.pace.speed = 0;
  const { live } = player;
  live.story?.begin();
  if (live.story) live.story.speed = 0;
  let storedMs = host.clock();
  while (live.story?.running) {
    player.slice(SLICE_MS, host.clock);
    await host.delay(0);
    checkThere(caller);
    if (host.clock() - storedMs < STORE_EVERY_MS) continue;
    await play.save();
    storedMs = host.clock();
  }
  await play.save();
  return {
    session,
    world: "",
    name: scenario.title || scenario.name || file,
    note: "",
    parent: undefined,
    failure: failureOf(live),
  };
}

function failureOf({ story }: RunningWorld): string {
  if (story?.state !== "failed") return "";
  return `Step ${story.current + 1} failed: ${story.message}`;
}

/** Creates a separate session for worlds of a storage. */
export function beside(storage: Storage, host: Host, open: Open): SessionOfWorlds {
  const session = new Session();
  session.player.pause();
  return open(session, storage, host);
}
