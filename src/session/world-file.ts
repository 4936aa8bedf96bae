import { errorText } from "../engine/framework/errors.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import {
  FIRST_SEQ,
  headRecord,
  OUTLINE_KEYS,
  readOutline,
  type StoredBeginning,
} from "./history/head.ts";
import { readJournal } from "./history/journal-reader.ts";
import { ASIDE, BEGINNINGS, HEADS, segmentFirst } from "./history/keys.ts";
import { frameRecord, joinRecords, RECORD, readRecord, splitRecords } from "./history/record.ts";
import type { Head } from "./saved.ts";

/** Bytes and records of a file at most: what a world of ten million actions takes is less. */
const MAX_BYTES = 2 ** 31;
const MAX_RECORDS = 100_000;

/** A world's records as one file. */
export const worldFile = (records: Iterable<readonly [string, Uint8Array]>): Uint8Array =>
  frameRecord(RECORD.file, joinRecords(records));

/** A world as it was read from a file. */
export interface WorldFromFile {
  readonly begun: StoredBeginning;
  readonly head: Head;
  /** Records of the journal by their keys. */
  readonly segments: ReadonlyMap<string, Uint8Array>;
}

/** Reads a world's file, which is not trusted. Rejects with an Error that says what is wrong where. */
export async function readWorldFile(file: Uint8Array): Promise<WorldFromFile> {
  if (file.length > MAX_BYTES) {
    throw new Error(`the file has ${file.length} bytes; a world's file has at most ${MAX_BYTES}`);
  }
  const read = readRecord(RECORD.file, "file", file);
  if ("damage" in read) throw new Error(FOUND[read.damage.kind]);
  const records = new Map<string, Uint8Array>();
  for (const [key, record] of splitRecords(read.payload)) {
    if (key.startsWith(ASIDE)) {
      throw new Error("the file holds what was set aside of a damaged world, which is no world");
    }
    if (!OUTLINE_KEYS.some((one) => one === key) && !Number.isSafeInteger(segmentFirst(key))) {
      throw new Error(`the file has an unknown record “${key.slice(0, 40)}”`);
    }
    if (records.has(key)) throw new Error(`the file has the record ${key} twice`);
    records.set(key, record);
    if (records.size > MAX_RECORDS)
      throw new Error(`the file has more than ${MAX_RECORDS} records`);
  }
  const { begun, head } = readOutline(OUTLINE_KEYS.map((key) => records.get(key)));
  if (begun === undefined || head === undefined) {
    throw new Error("the file does not say how its world began, or where it has come to");
  }
  try {
    Simulation.create(begun.beginning.spec);
  } catch (error) {
    throw new Error(`the world of the file cannot begin: ${errorText(error)}`);
  }
  for (const key of OUTLINE_KEYS) records.delete(key);
  const firsts = [...records.keys()].map(segmentFirst).sort((a, b) => a - b);
  const origin = { entries: 0, chain: begun.hash };
  const batches = readJournal(async (key) => records.get(key), firsts, origin, head);
  let entries = 0;
  for (;;) {
    const { done, value } = await batches.next();
    if (done && value !== undefined)
      throw new Error(`the record ${value.key} of the file ${FOUND_RECORD[value.kind]}`);
    if (done) break;
    entries += value.entries.length;
  }
  if (entries !== head.entries)
    throw new Error(`the file counts ${head.entries} actions and has ${entries}`);
  return { begun, head, segments: records };
}

const FOUND_RECORD = {
  missing: "is missing",
  foreign: "is of something else",
  damaged: "is damaged",
  too_new: "was written by a later version of Chainlab",
  cut: "is cut off",
} as const;

const FOUND = {
  missing: "the file is empty",
  foreign: "this is not a file of a world",
  damaged: "the file is damaged",
  too_new: "the file was written by a later version of Chainlab",
  cut: "the end of the file is missing",
} as const;

/** The records of a world's outline as they are first written, under a name. */
export function firstOutline(begun: StoredBeginning, head: Head): ReadonlyMap<string, Uint8Array> {
  const copies = BEGINNINGS.map((key) => [key, begun.record] as const);
  const record = headRecord({ ...head, seq: FIRST_SEQ });
  return new Map([...copies, ...HEADS.map((key) => [key, record] as const)]);
}

/** Keys of a world that its file holds. */
export const isOfFile = (key: string): boolean =>
  OUTLINE_KEYS.some((one) => one === key) || Number.isSafeInteger(segmentFirst(key));
