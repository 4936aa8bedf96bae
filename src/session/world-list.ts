import { OUTLINE_KEYS, type Outline, readOutline } from "./history/head.ts";
import { journalBytes } from "./history/journal.ts";
import {
  bytesOfCache,
  QUARANTINE,
  quarantinedBytes,
  removedAt,
  segmentFirst,
  WORLDS,
  worldPrefix,
} from "./history/keys.ts";
import type { Storage } from "./history/storage.ts";
import type { WorldEntry } from "./worlds.ts";

/** Records that are read in one transaction. */
const READ_AT_ONCE = 64;
/** Name of a world whose own cannot be read. */
const NAMELESS = "World without a name";

/** Lists every world of a storage, from its keys and its outline. */
export async function listWorlds(storage: Storage): Promise<readonly WorldEntry[]> {
  const [keys, quarantined] = await Promise.all([storage.keys(WORLDS), storage.keys(QUARANTINE)]);
  const quarantinedBy = byWorld(quarantined, QUARANTINE);
  const entries = await Promise.all(
    [...byWorld(keys, WORLDS)].map(async ([id, own]) => {
      const entry = await entryOf(storage, id, own);
      const bytes = sumOf(quarantinedBy.get(id) ?? [], quarantinedBytes);
      return entry && { ...entry, bytes: entry.bytes + bytes };
    }),
  );
  return entries.filter((entry) => entry !== undefined);
}

/** Groups keys with a prefix by the world's id, and removes both. */
function byWorld(keys: readonly string[], prefix: string): ReadonlyMap<string, string[]> {
  const worlds = new Map<string, string[]>();
  for (const key of keys) {
    const end = key.indexOf("/", prefix.length);
    const id = key.slice(prefix.length, end);
    const own = worlds.get(id) ?? [];
    own.push(key.slice(end + 1));
    worlds.set(id, own);
  }
  return worlds;
}

/** Undefined for the leftovers of an unfinished copy. */
async function entryOf(
  storage: Storage,
  id: string,
  own: readonly string[],
): Promise<WorldEntry | undefined> {
  if (!own.some((key) => OUTLINE_KEYS.some((one) => one === key))) return undefined;
  const records = await storage.read(OUTLINE_KEYS.map((key) => worldPrefix(id) + key));
  const outline = readOutline(records);
  const { newest, genesis } = outline;
  const { name = NAMELESS, createdMs = 0, savedMs = 0, height = 0, rounds = 0 } = newest ?? {};
  const { parent, note, impossible } = newest ?? {};
  const segments = own.filter((key) => Number.isSafeInteger(segmentFirst(key)));
  const journal =
    newest && genesis
      ? journalBytes(newest.bytes, segments.length)
      : await bytesIn(
          storage,
          segments.map((key) => worldPrefix(id) + key),
        );
  const bytes = sumOf(records, (record) => record?.length) + sumOf(own, bytesOfCache) + journal;
  const removed = own.flatMap((key) => removedAt(key) ?? []);
  const problem = problemOf(outline);
  return {
    ...{ id, name, createdMs, savedMs, height, rounds, bytes },
    ...(impossible && { impossible }),
    ...(parent && { parent }),
    ...(note !== undefined && { note }),
    ...(removed.length === 0 ? {} : { removedMs: Math.max(...removed) }),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** Reason why a world cannot be opened; undefined if it can be. */
function problemOf({ genesis, head, damage }: Outline): string | undefined {
  const later = damage.some(({ kind }) => kind === "too_new");
  if (later && (genesis === undefined || head === undefined)) {
    return "A later version of Chainlab saved it.";
  }
  if (genesis !== undefined) return undefined;
  const beyond = damage.find((one) => one.beyond !== undefined)?.beyond;
  return `How it began cannot be read${beyond === undefined ? "" : `: ${beyond}`}.`;
}

/** Adds up the bytes of records, which are read batch by batch. */
async function bytesIn(storage: Storage, keys: readonly string[]): Promise<number> {
  let bytes = 0;
  for (let i = 0; i < keys.length; i += READ_AT_ONCE) {
    bytes += sumOf(await storage.read(keys.slice(i, i + READ_AT_ONCE)), (record) => record?.length);
  }
  return bytes;
}

const sumOf = <T>(all: readonly T[], of: (one: T) => number | undefined): number =>
  all.reduce((sum, one) => sum + (of(one) ?? 0), 0);
