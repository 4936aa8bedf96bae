import { equal } from "../../base/bytes.ts";
import type { JournalEntry } from "../../engine/simulation/command.ts";
import {
  chainAfter,
  type Link,
  linkAfter,
  readSegment,
  type Segment,
  storedLink,
} from "./journal.ts";
import { segmentKey } from "./keys.ts";
import type { Damage } from "./record.ts";

/** Entries of one segment, in order. */
export interface Batch {
  readonly segment: Segment;
  readonly entries: readonly JournalEntry[];
  /** The segment's record is damaged, but these entries are not. */
  readonly damage?: Damage;
}

/**
 * Reads a journal segment by segment up to its end, or up to the first unusable entry. A segment
 * counts as changed if the next one, or the end, does not continue it.
 * @param read a record by its key
 * @param firsts numbers of the first entries of all segments, ascending
 * @param from start of a segment
 * @param end the end recorded in the head; undefined without one
 * @returns the damage at which reading stopped
 */
export async function* readJournal(
  read: (key: string) => Promise<Uint8Array | undefined>,
  firsts: readonly number[],
  from: Link,
  end: Link | undefined,
): AsyncGenerator<Batch, Damage | undefined> {
  const known = new Set(firsts);
  let link = from;
  let round = 0;
  let record = known.has(link.entries) ? await read(segmentKey(link.entries)) : undefined;
  while (record !== undefined || known.has(link.entries)) {
    const { segment, entries, damage } = readSegment(record, link, round);
    const next = linkAfter(segment);
    const key = segmentKey(next.entries);
    record = damage === undefined && known.has(next.entries) ? await read(key) : undefined;
    const broken: Damage = { kind: "damaged", key: segmentKey(link.entries) };
    const stored = completeLink(key, next, record, round, end);
    if (damage === undefined && !continued(segment, next, stored, end)) return broken;
    yield damage === undefined ? { segment, entries } : { segment, entries, damage };
    if (damage !== undefined) return damage;
    if (entries.length === 0) return broken;
    round = entries.at(-1)?.at ?? round;
    link = next;
  }
  const missing = end !== undefined && end.entries > link.entries;
  const later = firsts.some((first) => first > link.entries);
  return missing || later ? { kind: "missing", key: segmentKey(link.entries) } : undefined;
}

/**
 * The link at which a stored segment starts, if that can be trusted: if the segment's entries
 * cannot be read, or do not reach the end recorded in the head, the segment itself is damaged, and
 * not the one before it.
 */
function completeLink(
  key: string,
  { entries: first, chain }: Link,
  record: Uint8Array | undefined,
  round: number,
  end: Link | undefined,
): Link | undefined {
  const stored = storedLink(key, record);
  if (stored === undefined || equal(stored.chain, chain)) return stored;
  if (stored.entries !== first) return undefined;
  const { segment, entries, damage } = readSegment(record, stored, round);
  if (damage !== undefined || entries.length === 0) return undefined;
  const last = linkAfter(segment);
  return end?.entries !== last.entries || equal(last.chain, end.chain) ? stored : undefined;
}

/** True if the known links of a segment's hash chain agree with it. */
function continued(segment: Segment, next: Link, stored: Link | undefined, end?: Link): boolean {
  if (stored !== undefined && !equal(stored.chain, next.chain)) return false;
  if (end === undefined || end.entries < segment.entries || end.entries > next.entries) return true;
  return equal(chainAfter(segment, end.entries - segment.entries), end.chain);
}
