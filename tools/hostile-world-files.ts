/** Files that look like an exported world's and are meant to do harm. */
import { segmentKey } from "../src/session/history/keys.ts";
import { frameRecord, joinRecords, RECORD } from "../src/session/history/record.ts";

const BYTES = 20_000_000;
/** More than a file may have. */
const RECORDS = 200_000;

interface HostileFile {
  readonly what: string;
  content(): Uint8Array;
  /** Of its refusal. */
  readonly words: string;
}

const framed = (records: Iterable<readonly [string, Uint8Array]>): Uint8Array =>
  frameRecord(RECORD.file, joinRecords(records));

export const HOSTILE_WORLD_FILES: readonly HostileFile[] = [
  {
    what: "of another program",
    content: () => new Uint8Array(BYTES).fill(0x5b),
    words: "found another kind of file",
  },
  {
    what: "of very many records",
    content: () => {
      const record = new Uint8Array(BYTES / RECORDS);
      return framed(Array.from({ length: RECORDS }, (_, i) => [segmentKey(i), record] as const));
    },
    words: "the file has more than 100000 records",
  },
  {
    what: "with lists in lists",
    content: () =>
      framed([["beginning-0", frameRecord(RECORD.beginning, new Uint8Array(BYTES).fill(0x91))]]),
    words: "the beginning of the world is missing in the file, or damaged",
  },
];
