import type { PageKey } from "../../engine/simulation/world-pages.ts";
import type { Position } from "../saved.ts";

/** Prefix of all stored worlds; the id follows. */
export const WORLDS = "worlds/";
/** Prefix of quarantined records; the world's id and an id of its own follow. */
export const QUARANTINE = "aside/";
/** Two copies of each, so that damage to one record loses nothing. */
export const HEADS = ["head-0", "head-1"] as const;
export const BEGINNINGS = ["beginning-0", "beginning-1"] as const;
/** Prefix of all keys of a world's genesis. */
export const GENESIS = "beginning-";

const DIGITS = 12;
const padded = (number: number): string => String(number).padStart(DIGITS, "0");

/** Prefix of one world's keys. */
export const worldPrefix = (id: string): string => `${WORLDS}${id}/`;

/** The segments of a journal, by the number of their first entry: keys sort like the entries. */
export const SEGMENTS = "journal/";
export const segmentKey = (first: number): string => `${SEGMENTS}${padded(first)}`;
/** Number of a segment's first entry; NaN for another key. */
export const segmentFirst = (key: string): number => numbersIn(key, SEGMENTS, 1)[0] ?? Number.NaN;

/** True if a record exists nowhere else: all others have a copy, or can be recomputed. */
export const costs = ({ key }: { readonly key: string }): boolean =>
  Number.isSafeInteger(segmentFirst(key));

/** A keyframe's key contains its position and size, so that none has to be read to choose one. */
export interface KeyframeKey extends Position {
  readonly key: string;
  readonly bytes: number;
  /**
   * Copied from its simulation: between two keyframes with equal values, each round made one block.
   * Undefined for an earlier version's.
   */
  readonly uneven?: number | undefined;
  /** Rounds of the trees that it needs; undefined if it needs none. */
  readonly trees?: number | undefined;
}

const KEYFRAMES = "keyframe/";
export const keyframeKey = (
  { rounds, entries }: Position,
  bytes: number,
  uneven: number,
  trees?: number,
): KeyframeKey => {
  const others = trees === undefined ? "" : `-${trees}`;
  return {
    key: `${KEYFRAMES}${padded(rounds)}-${padded(entries)}-${bytes}-${uneven}${others}`,
    rounds,
    entries,
    bytes,
    uneven,
    ...(trees !== undefined && { trees }),
  };
};
/** Parses a key; undefined for any other key. */
export function readKeyframeKey(key: string): KeyframeKey | undefined {
  // Keys of earlier versions have fewer.
  const [rounds, entries, bytes, uneven, trees] =
    [5, 4, 3].map((count) => numbersIn(key, KEYFRAMES, count)).find(({ length }) => length > 0) ??
    [];
  if (rounds === undefined || entries === undefined || bytes === undefined) return undefined;
  return { key, rounds, entries, bytes, uneven, ...(trees !== undefined && { trees }) };
}

/** Tree nodes that several keyframes share, by the rounds of the first of these. */
export interface TreesKey {
  readonly key: string;
  readonly rounds: number;
  readonly bytes: number;
}

const TREES = "trees/";
export const treesKey = (rounds: number, bytes: number): TreesKey => {
  return { key: `${TREES}${padded(rounds)}-${bytes}`, rounds, bytes };
};
/** Parses a key; undefined for any other key. */
export function readTreesKey(key: string): TreesKey | undefined {
  const [rounds, bytes] = numbersIn(key, TREES, 2);
  return rounds === undefined || bytes === undefined ? undefined : { key, rounds, bytes };
}

/** The numbers of a key with a prefix; empty unless there are as many as expected. */
function numbersIn(key: string, prefix: string, count: number): readonly number[] {
  if (!key.startsWith(prefix)) return [];
  const numbers = key.slice(prefix.length).split("-");
  return numbers.length === count && numbers.every((text) => /^\d{1,15}$/.test(text))
    ? numbers.map(Number)
    : [];
}

const PAGES = "page/";
/** A page's key contains its size, like that of a keyframe. */
export const pageKey = ({ kind, index }: PageKey, bytes: number): string =>
  `${PAGES}${kind}/${padded(index)}-${bytes}`;
/** Parses a key; undefined for any other key. */
export function readPageKey(key: string): (PageKey & { readonly bytes: number }) | undefined {
  for (const kind of ["blocks", "results"] as const) {
    const [index, bytes] = numbersIn(key, `${PAGES}${kind}/`, 2);
    if (index !== undefined && bytes !== undefined) return { kind, index, bytes };
  }
  return undefined;
}

/**
 * Bytes of a record that can be recomputed: a keyframe, trees or a page; undefined for another key.
 */
export const bytesOfCache = (key: string): number | undefined =>
  (readKeyframeKey(key) ?? readTreesKey(key) ?? readPageKey(key))?.bytes;

/** Key under which a record of a world is quarantined; it contains the record's size. */
export const quarantineKey = (id: string, now: number, bytes: number, key: string): string =>
  `${QUARANTINE}${id}/${now}-${bytes}/${key}`;
/**
 * Parses the time and the original key of a quarantined record; undefined for another key.
 * @param key after the world's id
 */
export function readQuarantineKey(
  key: string,
): { readonly now: number; readonly key: string } | undefined {
  const slash = key.indexOf("/");
  const [now] = numbersIn(key.slice(0, slash), "", 2);
  return now === undefined ? undefined : { now, key: key.slice(slash + 1) };
}
/** Bytes of a quarantined record. @param key after the world's id */
export const quarantinedBytes = (key: string): number =>
  numbersIn(key.slice(0, key.indexOf("/")), "", 2)[1] ?? 0;

/** Marks a world as removed, with the time; its record is empty. */
const REMOVED = "removed/";
export const removedKey = (ms: number): string => `${REMOVED}${ms}`;
/** Parses a key; undefined for any other key. */
export const removedAt = (key: string): number | undefined => numbersIn(key, REMOVED, 1)[0];
