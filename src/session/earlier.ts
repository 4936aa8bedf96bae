import type { JournalEntry } from "../engine/simulation/command.ts";
import { storeBeginning } from "./history/head.ts";
import { History } from "./history/history.ts";
import type { Host, Storage } from "./history/storage.ts";
import type { Beginning, Head } from "./saved.ts";
import { readBeginning, readEntry, readHead } from "./saved-schema.ts";

/** Reads values that a version without histories has saved: one session, of structured clones. */
export type ReadEarlier = (keys: readonly string[]) => Promise<readonly unknown[]>;

const BATCH = 512;
const MAX_BATCHES = 10_000;

interface Earlier {
  readonly beginning: Beginning;
  readonly head: Head;
  readonly journal: readonly JournalEntry[];
}

/** Thrown where a save of an earlier version is not as that version would have written it. */
export class UnsoundEarlier extends Error {}

/**
 * The session that an earlier version saved; undefined if there is none. Rejects with
 * UnsoundEarlier for others.
 */
export async function readEarlier(read: ReadEarlier): Promise<Earlier | undefined> {
  const [value, spec] = await read(["head", "spec"]);
  if (value === undefined) return undefined;
  const old = Object(value);
  const batches = Math.ceil(Number(old.entries) / BATCH);
  if (!(batches >= 0 && batches <= MAX_BATCHES))
    throw new UnsoundEarlier("it does not say how long its journal is");
  const keys = Array.from({ length: batches }, (_, i) => `journal-${i}`);
  const journal = (await read(keys)).flat().map(readEntry);
  const { text = "", file = "", ...story } = Object(old.story);
  const beginning = readBeginning({ spec, text, file });
  if (beginning === undefined || journal.length !== old.entries || !journal.every(isEntry)) {
    throw new UnsoundEarlier("it is not one of this version");
  }
  const { hash } = storeBeginning(beginning);
  const { rounds, playing, speed, held, results, steps, began } = old;
  const head = readHead({
    ...{ rounds, playing, speed, held, results, steps, blocks: 0, height: 0 },
    ...(text === "" ? {} : { story }),
    ...(began === undefined ? {} : { began: { rounds: began.rounds, entries: began.journal } }),
    ...{ seq: 0, name: "", createdMs: 0, savedMs: 0, entries: journal.length, bytes: 0 },
    // The app hash is unknown: none was saved.
    ...{ chain: hash, beginning: hash, appHash: new Uint8Array() },
  });
  if (head === undefined) throw new UnsoundEarlier("it is not one of this version");
  return { beginning, head, journal };
}

const isEntry = (entry: JournalEntry | undefined): entry is JournalEntry => entry !== undefined;

/** Migrates an earlier version's session to a world. */
export async function moveEarlier(
  { beginning, head, journal }: Earlier,
  storage: Storage,
  host: Host,
): Promise<void> {
  const history = History.begin(storage, host.id(), beginning);
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
