import type { JournalEntry } from "../engine/simulation/command.ts";
import { storeGenesis } from "./history/head.ts";
import { History } from "./history/history.ts";
import type { Host, Storage } from "./history/storage.ts";
import type { Head, WorldGenesis } from "./saved.ts";
import { readEntry, readGenesis, readHead } from "./saved-schema.ts";

/** Reads values that a version without histories has saved: one session, of structured clones. */
export type ReadLegacy = (keys: readonly string[]) => Promise<readonly unknown[]>;

const BATCH = 512;
const MAX_BATCHES = 10_000;

interface LegacySave {
  readonly genesis: WorldGenesis;
  readonly head: Head;
  readonly journal: readonly JournalEntry[];
}

/** Thrown where a save of an earlier version is not as that version would have written it. */
export class InvalidLegacyError extends Error {}

/**
 * The session that an earlier version saved; undefined if there is none. Rejects with
 * InvalidLegacyError for others.
 */
export async function readLegacy(read: ReadLegacy): Promise<LegacySave | undefined> {
  const [value, spec] = await read(["head", "spec"]);
  if (value === undefined) return undefined;
  const old = Object(value);
  const batches = Math.ceil(Number(old.entries) / BATCH);
  if (!(batches >= 0 && batches <= MAX_BATCHES))
    throw new InvalidLegacyError("it does not say how long its journal is");
  const keys = Array.from({ length: batches }, (_, i) => `journal-${i}`);
  const journal = (await read(keys)).flat().map(readEntry);
  const { text = "", file = "", ...story } = Object(old.story);
  const genesis = readGenesis({ spec, text, file });
  if (genesis === undefined || journal.length !== old.entries || !journal.every(isEntry)) {
    throw new InvalidLegacyError("it is not one of this version");
  }
  const { hash } = storeGenesis(genesis);
  const { rounds, playing, speed, held, results, steps, began } = old;
  const head = readHead({
    ...{ rounds, playing, speed, held, results, steps, blocks: 0, height: 0 },
    ...(text === "" ? {} : { story }),
    ...(began === undefined ? {} : { began: { rounds: began.rounds, entries: began.journal } }),
    ...{ seq: 0, name: "", createdMs: 0, savedMs: 0, entries: journal.length, bytes: 0 },
    // The app hash is unknown: none was saved.
    ...{ chain: hash, beginning: hash, appHash: new Uint8Array() },
  });
  if (head === undefined) throw new InvalidLegacyError("it is not one of this version");
  return { genesis, head, journal };
}

const isEntry = (entry: JournalEntry | undefined): entry is JournalEntry => entry !== undefined;

/** Migrates an earlier version's session to a world. */
export async function migrateLegacy(
  { genesis, head, journal }: LegacySave,
  storage: Storage,
  host: Host,
): Promise<void> {
  const history = History.begin(storage, host.id(), genesis);
  history.name = "World of an earlier version";
  history.createdMs = host.now();
  for (const entry of journal) history.add(entry);
  await history.write({
    play: head,
    height: 0,
    appHash: head.appHash,
    impossible: false,
    now: host.now(),
  });
}
