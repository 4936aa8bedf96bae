/** Damage to single records of a storage, and a storage that refuses calls for a while. */
import { concat } from "../../../src/base/bytes.ts";
import {
  FORMAT,
  frameRecord,
  joinRecords,
  RECORD,
  type RecordKind,
  readRecord,
  splitRecords,
} from "../../../src/session/history/record.ts";
import { MemoryStorage } from "../../../src/session/testing.ts";
import type { Draw } from "../draw.ts";

/** Bytes before a record's payload. */
export const HEADER = 16;
const KIND_AT = 4;

export interface Damage {
  readonly how: string;
  /** Index of the record in the order of keys, modulo the number of records. */
  readonly record: number;
  /** Position in the record, from 0 to 1. */
  readonly at: number;
}

/** Candidates to replace a record. */
export interface Others {
  /** The same record of an earlier time, and of another world. */
  readonly earlier: Uint8Array | undefined;
  readonly foreign: Uint8Array | undefined;
  /** Another record of the same world. */
  readonly other: Uint8Array | undefined;
}

type Spoil = (record: Uint8Array, at: number, others: Others) => Uint8Array | undefined;

function flip(record: Uint8Array, at: number): Uint8Array {
  const flipped = record.slice();
  const place = Math.floor(at * record.length * 8);
  const byte = flipped[place >> 3];
  if (byte !== undefined) flipped[place >> 3] = byte ^ (1 << (place & 7));
  return flipped;
}

const again = (record: Uint8Array, payload: Uint8Array, format = FORMAT): Uint8Array =>
  frameRecord((record[KIND_AT] ?? RECORD.head) as RecordKind, payload, format);

const HOWS: Readonly<Record<string, Spoil>> = {
  drop: () => undefined,
  flip,
  cut: (record, at) => record.slice(0, Math.floor(at * record.length)),
  longer: (record) => concat(record, Uint8Array.of(0)),
  zero: (record) => record.map(() => 0),
  text: (record) => record.map(() => 0x20),
  newer: (record) => again(record, record.subarray(HEADER), FORMAT + 1),
  nonsense: (record) => again(record, Uint8Array.of(0x93, 1, 2, 3)),
  // Sound records of changed content.
  changed: (record, at) => again(record, flip(record.subarray(HEADER), at)),
  earlier: (record, _, { earlier }) => earlier ?? record,
  foreign: (record, _, { foreign }) => foreign ?? record,
  other: (record, _, { other }) => other ?? record,
};

/** Kinds of damage that leave a record sound. */
export const SOUND = ["changed", "earlier", "foreign", "other"];

export const spoilt = (record: Uint8Array, { how, at }: Damage, others: Others) =>
  (HOWS[how] ?? flip)(record, Math.min(Math.max(at || 0, 0), 0.999_999), others);

/** A file whose bytes, or one of whose records, are damaged; of the latter the file itself is sound. */
export function spoiltFile(file: Uint8Array, damage: Damage, inside: boolean): Uint8Array {
  const none = { earlier: undefined, foreign: undefined, other: undefined };
  const read = readRecord(RECORD.file, "file", file);
  if (!inside || "damage" in read) return spoilt(file, damage, none) ?? new Uint8Array();
  const records = [...splitRecords(read.payload)];
  const at = damage.record % records.length;
  const other = records[(at + 1) % records.length]?.[1];
  const some = records.flatMap(([key, record], i) => {
    const by = i === at ? spoilt(record, damage, { ...none, other }) : record;
    return by ? [[key, by] as const] : [];
  });
  return frameRecord(RECORD.file, joinRecords(some));
}

export const drawDamage = (draw: Draw): Damage => ({
  how: draw.pick(draw.chance(0.5) ? Object.keys(HOWS) : ["drop", "flip", "cut"]),
  record: draw.between(0, 30),
  at: draw.between(0, 999) / 1000,
});

/** A storage that is full, or does not work, for a number of calls. */
export class FailingStorage extends MemoryStorage {
  /** Values before the last write of each key. */
  readonly earlier = new Map<string, Uint8Array>();
  #full = 0;
  #unavailable = 0;

  fail(how: "full" | "unavailable", calls: number): void {
    if (how === "full") this.#full = calls;
    else this.#unavailable = calls;
  }

  override async read(keys: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    this.#refuse();
    return super.read(keys);
  }

  override async keys(prefix: string): Promise<readonly string[]> {
    this.#refuse();
    return super.keys(prefix);
  }

  override async write(
    puts: ReadonlyMap<string, Uint8Array>,
    removals: readonly string[],
  ): Promise<void> {
    this.#refuse();
    if (this.#full > 0) {
      this.#full -= 1;
      throw Object.assign(new Error("the quota is exceeded"), { name: "QuotaExceededError" });
    }
    for (const key of [...puts.keys(), ...removals]) {
      const record = this.records.get(key);
      if (record) this.earlier.set(key, record);
    }
    return super.write(puts, removals);
  }

  #refuse(): void {
    if (this.#unavailable === 0) return;
    this.#unavailable -= 1;
    throw new Error("the storage is not available");
  }
}
