import { concat, equal, u64be } from "../../base/bytes.ts";
import { sha256 } from "../../base/sha256.ts";
import { Simulation } from "../../engine/simulation/simulation.ts";
import type { Head, WorldGenesis } from "../saved.ts";
import { BeyondLimit, checkLimits, readGenesis, readHead } from "../saved-schema.ts";
import { decode, encode } from "./codec.ts";
import { BEGINNINGS, HEADS } from "./keys.ts";
import { type Damage, frameRecord, RECORD, type RecordKind, readRecord } from "./record.ts";

const SEAL = 32;

/**
 * A head with a hash over all of it: a change is noticed before use even if its record is valid.
 */
export function headRecord(head: Head): Uint8Array {
  const content = encode(head);
  return frameRecord(RECORD.head, concat(sha256(content), content));
}

/** The hash of a head that an earlier version wrote: over the fields that describe the position. */
const earlierSealOf = (head: Head): Uint8Array =>
  sha256(
    concat(
      head.beginning,
      head.chain,
      head.appHash,
      ...[head.rounds, head.entries, head.seq].map(u64be),
    ),
  );

/**
 * The initial state of a world as stored: the journal's hashes start from its bytes, which never
 * change.
 */
export interface StoredGenesis {
  readonly genesis: WorldGenesis;
  readonly hash: Uint8Array;
  readonly record: Uint8Array;
}

export function storeGenesis(genesis: WorldGenesis): StoredGenesis {
  const payload = encode(genesis);
  return { genesis, hash: sha256(payload), record: frameRecord(RECORD.beginning, payload) };
}

type Read<T> = { readonly value: T } | { readonly damage: Damage };

function readHeadRecord(key: string, record: Uint8Array | undefined): Read<Head> {
  return readValue(RECORD.head, key, record, (payload) => {
    const [seal, content] = [payload.subarray(0, SEAL), payload.subarray(SEAL)];
    const head = readHead(decode(content));
    if (head === undefined) return undefined;
    return equal(sha256(content), seal) || equal(earlierSealOf(head), seal) ? head : undefined;
  });
}

function readGenesisRecord(key: string, record: Uint8Array | undefined): Read<StoredGenesis> {
  return readValue(RECORD.beginning, key, record, (payload) => {
    const decoded = decode(payload);
    checkLimits(decoded);
    const genesis = readGenesis(decoded);
    return genesis && record && { genesis, hash: sha256(payload), record };
  });
}

function readValue<T>(
  kind: RecordKind,
  key: string,
  record: Uint8Array | undefined,
  make: (payload: Uint8Array) => T | undefined,
): Read<T> {
  const read = readRecord(kind, key, record);
  if ("damage" in read) return read;
  try {
    const value = make(read.payload);
    if (value !== undefined) return { value };
  } catch (error) {
    if (error instanceof BeyondLimit) {
      return { damage: { kind: "damaged", key, beyond: error.message } };
    }
    // Reported as invalid content.
  }
  return { damage: { kind: "damaged", key } };
}

/** The part of a world that is read before its journal. */
export interface Outline {
  readonly genesis: StoredGenesis | undefined;
  /** The newest usable head. */
  readonly head: Head | undefined;
  /** The newest readable head, even if its genesis cannot be read. */
  readonly newest: Head | undefined;
  readonly damage: readonly Damage[];
}

export const OUTLINE_KEYS = [...BEGINNINGS, ...HEADS];

/**
 * Reads the records of `OUTLINE_KEYS`. If the two copies of the genesis differ, the one that the
 * head refers to is the world's.
 * @param chain hash with which the journal starts, if known
 */
export function readOutline(
  records: readonly (Uint8Array | undefined)[],
  chain?: Uint8Array,
): Outline {
  const beginnings = BEGINNINGS.map((key, i) => readGenesisRecord(key, records[i]));
  const heads = HEADS.map((key, i) => readHeadRecord(key, records[BEGINNINGS.length + i]));
  const sound = valuesOf(beginnings);
  const newest = valuesOf(heads).sort((a, b) => b.seq - a.seq);
  const owned = newest.find((head) => sound.some(({ hash }) => equal(hash, head.beginning)));
  const genesis = owned
    ? sound.find(({ hash }) => equal(hash, owned.beginning))
    : newest.length === 0
      ? likeliest(sound, chain)
      : undefined;
  // Another world's record is valid in itself, but foreign here.
  const isOther = (hash: Uint8Array): boolean =>
    genesis !== undefined && !equal(hash, genesis.hash);
  const belongs = ({ beginning }: Head): boolean =>
    genesis === undefined ? sound.length === 0 : !isOther(beginning);
  return {
    genesis,
    head: owned,
    newest: newest[0],
    damage: [
      ...damageOf(BEGINNINGS, beginnings, ({ hash }) => !isOther(hash)),
      ...damageOf(HEADS, heads, belongs),
    ],
  };
}

/**
 * Picks among genesis copies that no head refers to: the one that the journal continues, or that
 * can start.
 */
const likeliest = (
  sound: readonly StoredGenesis[],
  chain: Uint8Array | undefined,
): StoredGenesis | undefined =>
  sound.find(({ hash }) => chain && equal(hash, chain)) ?? sound.find(canBegin) ?? sound[0];

function canBegin({ genesis }: StoredGenesis): boolean {
  try {
    Simulation.create(genesis.spec);
    return true;
  } catch {
    return false;
  }
}

const damageOf = <T>(
  keys: readonly string[],
  reads: readonly Read<T>[],
  isOfWorld: (value: T) => boolean,
): Damage[] =>
  keys.flatMap((key, i) => {
    const read = reads[i];
    if (read === undefined) return [];
    if ("damage" in read) return [read.damage];
    return isOfWorld(read.value) ? [] : [{ kind: "foreign", key }];
  });

const valuesOf = <T>(reads: readonly Read<T>[]): T[] =>
  reads.flatMap((read) => ("value" in read ? [read.value] : []));

/** Number of the newest stored head; 0 if none can be read. */
export const newestSeq = (records: readonly (Uint8Array | undefined)[]): number =>
  Math.max(
    0,
    ...valuesOf(HEADS.map((key, i) => readHeadRecord(key, records[i]))).map(({ seq }) => seq),
  );

/** Number of the first save. */
export const FIRST_SEQ = 1;
