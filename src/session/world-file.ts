import { INPUT, WORLD_NAME } from "../base/limits.ts";
import { errorText } from "../engine/framework/errors.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import {
  FIRST_SEQ,
  headRecord,
  OUTLINE_KEYS,
  readOutline,
  type StoredGenesis,
} from "./history/head.ts";
import { journalBytes } from "./history/journal.ts";
import { readJournal } from "./history/journal-reader.ts";
import { BEGINNINGS, HEADS, QUARANTINE, readQuarantineKey, segmentFirst } from "./history/keys.ts";
import {
  type Damage,
  frameRecord,
  joinRecords,
  RECORD,
  readRecord,
  splitRecords,
} from "./history/record.ts";
import type { Head } from "./saved.ts";

/** Maximum records of a file: a segment is larger than the size limit of a file divided by this. */
const MAX_RECORDS = 100_000;
/** Keys of records that can be quarantined. */
const QUARANTINED_KEY = /^[a-z0-9/-]{1,80}$/;
/** Maximum pending single blocks when it is opened. */
const MAX_BLOCKS = 100_000;

const recordsFile = (records: Iterable<readonly [string, Uint8Array]>): Uint8Array =>
  frameRecord(RECORD.file, joinRecords(records));

/** A world's records as one file. Throws an Error if that could not be imported. */
export function worldFile(records: Iterable<readonly [string, Uint8Array]>): Uint8Array {
  const all = [...records];
  checkSize(all.reduce((sum, [, { length }]) => sum + length, 0));
  return recordsFile(all);
}

/**
 * Throws an Error for a world whose file could not be imported, before any of it is read.
 * @param bytes minimum size of its records
 */
export function checkExport(head: Pick<Head, "rounds"> | undefined, bytes: number): void {
  checkSize(bytes);
  const { rounds = 0 } = head ?? {};
  if (rounds > INPUT.worldRounds) {
    throw new Error(
      `it has ${rounds} rounds, and a world of at most ${INPUT.worldRounds} can be imported`,
    );
  }
}

function checkSize(bytes: number): void {
  if (bytes > INPUT.worldBytes) {
    throw new Error(
      `its file would have ${bytes} bytes, and one of at most ${INPUT.worldBytes} can be imported`,
    );
  }
}

export interface WorldFromFile {
  readonly genesis: StoredGenesis;
  readonly head: Head;
  /** Records of the journal by their keys. */
  readonly segments: ReadonlyMap<string, Uint8Array>;
  readonly quarantined: readonly Quarantined[];
  /** Damage of the journal; undefined if all of it can be read. */
  readonly damage: Damage | undefined;
}

/** A quarantined record, the time, and its original key. */
export interface Quarantined {
  readonly now: number;
  readonly key: string;
  readonly record: Uint8Array;
}

/**
 * Reads a world's file, which is untrusted. Rejects with an Error that locates the problem. A
 * damaged journal is imported as it is: opening the world finds and reports the damage again.
 */
export async function readWorldFile(file: Uint8Array): Promise<WorldFromFile> {
  if (file.length > INPUT.worldBytes) {
    throw new Error(`expected at most ${INPUT.worldBytes} bytes, found ${file.length}`);
  }
  if (file.length === 0) throw new Error("the file is empty");
  const read = readRecord(RECORD.file, "file", file);
  if ("damage" in read) throw new Error(FOUND[read.damage.kind]);
  const records = new Map<string, Uint8Array>();
  const quarantined: Quarantined[] = [];
  for (const [key, record] of splitRecords(read.payload)) {
    const isQuarantined = key.startsWith(QUARANTINE)
      ? readQuarantineKey(key.slice(QUARANTINE.length))
      : undefined;
    if (isQuarantined && QUARANTINED_KEY.test(isQuarantined.key)) {
      quarantined.push({ ...isQuarantined, record });
      if (quarantined.length > MAX_RECORDS) throw tooManyRecords();
      continue;
    }
    if (!OUTLINE_KEYS.some((one) => one === key) && !Number.isSafeInteger(segmentFirst(key))) {
      throw new Error(`the file has a record of an unknown name, “${key.slice(0, 40)}”`);
    }
    if (records.has(key)) throw new Error(`the file has the record ${key} twice`);
    records.set(key, record);
    if (records.size > MAX_RECORDS) throw tooManyRecords();
  }
  const {
    genesis,
    head,
    damage: unread,
  } = readOutline(OUTLINE_KEYS.map((key) => records.get(key)));
  // A world saved by a later version is exported in a file of this version.
  if (
    (genesis === undefined || head === undefined) &&
    unread.some(({ kind }) => kind === "too_new")
  )
    throw new Error("a later version of Chainlab saved the world of the file");
  const beyond = unread.find((damage) => damage.beyond !== undefined)?.beyond;
  if (genesis === undefined && beyond !== undefined) throw new Error(beyond);
  if (genesis === undefined) {
    throw new Error("the beginning of the world is missing in the file, or damaged");
  }
  if (head === undefined) {
    throw new Error(
      "the last save of the world is missing in the file, or damaged: open the world where it is saved, and export " +
        "it again",
    );
  }
  checkWork(head);
  try {
    Simulation.create(genesis.genesis.spec);
  } catch (error) {
    throw new Error(`the world of the file cannot begin: ${errorText(error)}`);
  }
  for (const key of OUTLINE_KEYS) records.delete(key);
  const firsts = [...records.keys()].map(segmentFirst).sort((a, b) => a - b);
  const origin = { entries: 0, chain: genesis.hash };
  let impossible = genesis.genesis.spec.start?.tampered !== undefined;
  const check = async (end: Head | undefined): Promise<Damage | undefined> => {
    const batches = readJournal(async (key) => records.get(key), firsts, origin, end);
    let entries = 0;
    for (;;) {
      const { done, value } = await batches.next();
      if (done) return value;
      const counted = value.entries.slice(0, Math.max((end?.entries ?? 0) - entries, 0));
      entries += value.entries.length;
      impossible ||= value.entries.some(({ command }) => command.type === "tamper");
      // Entries after an outdated head are found and reported when the world is opened.
      for (const [some, last] of [
        [counted, head.rounds],
        [value.entries, INPUT.worldRounds],
      ] as const) {
        const at = some.at(-1)?.at ?? 0;
        if (at > last)
          throw new Error(`the file has an action in round ${at} and ends after ${last} rounds`);
      }
    }
  };
  const damage = await check(head);
  // A head that is not of this journal is outdated as well, and the journal is replayed without it.
  if (damage !== undefined) await check(undefined);
  const stored = [...records.values()].reduce((sum, { length }) => sum + length, 0);
  const name = head.name.slice(0, WORLD_NAME);
  const blocks = Math.min(head.blocks, MAX_BLOCKS);
  const bytes = stored - journalBytes(0, records.size);
  // The head's own value is not trusted.
  const { impossible: _, ...rest } = head;
  const checked = { ...rest, name, blocks, bytes, ...(impossible && { impossible }) };
  return { genesis, head: checked, segments: records, quarantined: quarantined, damage };
}

const tooManyRecords = (): Error => new Error(`the file has more than ${MAX_RECORDS} records`);

/** Throws an Error for a world that takes too much work to restore. */
function checkWork({ rounds, began }: Head): void {
  if (rounds > INPUT.worldRounds) {
    throw new Error(`expected a world of at most ${INPUT.worldRounds} rounds, found ${rounds}`);
  }
  if (began && began.rounds > rounds) {
    throw new Error(`the file has a step that began in round ${began.rounds}, after its end`);
  }
}

const FOUND = {
  missing: "the file is empty",
  foreign: "expected a world that Chainlab exported, found another kind of file",
  damaged: "the file is damaged: its checksum is wrong",
  too_new: "the file was written by a later version of Chainlab",
  cut: "the end of the file is missing",
} as const;

/** The first records of a world's outline, with its name. */
export function firstOutline(genesis: StoredGenesis, head: Head): ReadonlyMap<string, Uint8Array> {
  const copies = BEGINNINGS.map((key) => [key, genesis.record] as const);
  const record = headRecord({ ...head, seq: FIRST_SEQ });
  return new Map([...copies, ...HEADS.map((key) => [key, record] as const)]);
}
