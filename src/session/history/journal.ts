import { concat, equal, readU64be, u64be } from "../../base/bytes.ts";
import { crc32c } from "../../base/crc32c.ts";
import { sha256 } from "../../base/sha256.ts";
import type { JournalEntry } from "../../engine/simulation/command.ts";
import { readEntry } from "../saved-schema.ts";
import { decode, encode } from "./codec.ts";
import { segmentFirst, segmentKey } from "./keys.ts";
import { type Damage, frameRecord, HEADER, RECORD, readRecord, remainsOf } from "./record.ts";

/** Bytes of entries after which a segment is closed: until then every new entry rewrites it. */
const SEGMENT_BYTES = 64 * 1024;
/** Maximum bytes of closed segments in memory. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Number of the first entry, and the hash over all before it. */
const SEGMENT_HEADER = 8 + 32;
/** Length and checksum of each entry. */
const ENTRY_HEADER = 8;

/**
 * A position between two segments: the number of the next entry, and the hash over all previous
 * ones.
 */
export interface Link {
  readonly entries: number;
  readonly chain: Uint8Array;
}

/** A part of a journal: consecutive entries as stored. */
export interface Segment extends Link {
  readonly frames: readonly Uint8Array[];
}

/** The hash over all before a segment and the first `count` of its entries. */
export const chainAfter = ({ chain, frames }: Segment, count = frames.length): Uint8Array =>
  count === 0 ? chain : sha256(concat(chain, ...frames.slice(0, count)));

/** The link that follows a segment, or its first `count` entries. */
export const linkAfter = (segment: Segment, count = segment.frames.length): Link => ({
  entries: segment.entries + count,
  chain: chainAfter(segment, count),
});

const segmentRecord = ({ entries, chain, frames }: Segment): Uint8Array =>
  frameRecord(RECORD.journal, concat(u64be(entries), chain, ...frames));

function frameEntry(entry: JournalEntry): Uint8Array {
  const content = encode(entry);
  const frame = new Uint8Array(ENTRY_HEADER + content.length);
  frame.set(content, ENTRY_HEADER);
  const view = new DataView(frame.buffer);
  view.setUint32(0, content.length);
  view.setUint32(4, crc32c(content));
  return frame;
}

/**
 * A growing journal that tracks which of its segments must be written. Closed segments stay in
 * memory up to a bound, so that all can be rewritten if the storage has lost them.
 */
export class JournalWriter {
  /** Closed segments in memory, consecutive up to the tail. */
  #closed: Segment[] = [];
  #closedBytes = 0;
  #tail: { readonly entries: number; readonly chain: Uint8Array; readonly frames: Uint8Array[] };
  #tailBytes: number;
  #durable: number;
  /** Bytes of entries before the first segment, and from there on. */
  #bytesBefore: number;
  #bytes: number;

  /**
   * Continues a journal after its last segment, or starts one.
   * @param bytes of entries before that segment
   * @param durable number of entries on disk
   */
  constructor(tail: Segment, bytes = 0, durable = endOf(tail)) {
    this.#tail = { ...tail, frames: [...tail.frames] };
    this.#tailBytes = sizeOf(tail);
    this.#durable = durable;
    this.#bytesBefore = bytes;
    this.#bytes = this.#tailBytes;
  }

  /** Entries so far. */
  get entries(): number {
    return this.#tail.entries + this.#tail.frames.length;
  }
  /** Entries on disk. */
  get durable(): number {
    return this.#durable;
  }
  /** Bytes of all entries. */
  get bytes(): number {
    return this.#bytesBefore + this.#bytes;
  }
  /** The end, with the hash over all entries. */
  get end(): Link {
    return linkAfter(this.#tail);
  }

  /** Makes the next entry start a new segment. */
  close(): void {
    if (this.#tail.frames.length === 0) return;
    const end = this.end;
    this.#closed.push(this.#tail);
    this.#closedBytes += this.#tailBytes;
    this.#tail = { ...end, frames: [] };
    this.#tailBytes = 0;
  }

  add(entry: JournalEntry): void {
    if (this.#tailBytes >= SEGMENT_BYTES) this.close();
    const frame = frameEntry(entry);
    this.#tail.frames.push(frame);
    this.#tailBytes += frame.length;
    this.#bytes += frame.length;
  }

  /** Segments with entries that are not on disk, by their keys. */
  unwritten(): ReadonlyMap<string, Uint8Array> {
    return recordsOf([...this.#closed, this.#tail].filter((one) => endOf(one) > this.#durable));
  }

  /** Notes that all up to an entry is on disk. */
  markDurable(entries: number): void {
    this.#durable = Math.max(this.#durable, entries);
    while (this.#closedBytes > MAX_BYTES) {
      const [oldest] = this.#closed;
      if (oldest === undefined || endOf(oldest) > this.#durable) return;
      this.#closed.shift();
      this.#closedBytes -= sizeOf(oldest);
    }
  }

  /**
   * Adds segments that were read from disk, up to the oldest in memory, if there is room for them.
   * @param bytes of all entries before them, which are now known
   */
  prependOlder(older: readonly Segment[], bytes: number): void {
    this.#bytesBefore = bytes;
    const size = older.reduce((total, segment) => total + sizeOf(segment), 0);
    const last = older.at(-1);
    const first = this.#closed[0] ?? this.#tail;
    if (last === undefined || endOf(last) !== first.entries || size > MAX_BYTES) return;
    this.#closed.unshift(...older);
    this.#closedBytes += size;
  }

  /** Segments in memory, in order. */
  get segments(): readonly Segment[] {
    return [...this.#closed, this.#tail];
  }

  /**
   * Those of the given segments that are in memory, by their keys. @param firsts numbers of their
   * first entries
   */
  some(firsts: readonly number[]): ReadonlyMap<string, Uint8Array> {
    return recordsOf(this.segments.filter(({ entries }) => firsts.includes(entries)));
  }

  /** Every segment by its key; undefined if some are only on disk. */
  all(): ReadonlyMap<string, Uint8Array> | undefined {
    const { segments } = this;
    return segments[0]?.entries === 0 ? recordsOf(segments) : undefined;
  }
}

export const sizeOf = ({ frames }: Segment): number =>
  frames.reduce((total, { length }) => total + length, 0);

export const endOf = ({ entries, frames }: Segment): number => entries + frames.length;

/** Bytes of storage for a journal, by the bytes of its entries. */
export const journalBytes = (entries: number, segments: number): number =>
  entries + segments * (HEADER + SEGMENT_HEADER);

/**
 * Truncates a segment's record after an entry of the journal; unchanged if it ends before, or is
 * damaged.
 */
export function cutSegment(key: string, record: Uint8Array, end: number): Uint8Array {
  const link = storedLink(key, record);
  const read = link && readSegment(record, link, 0);
  if (read === undefined || read.damage || endOf(read.segment) <= end) return record;
  const { segment } = read;
  return segmentRecord({ ...segment, frames: segment.frames.slice(0, end - segment.entries) });
}

const recordsOf = (segments: readonly Segment[]): ReadonlyMap<string, Uint8Array> =>
  new Map(
    segments
      .filter(({ frames }) => frames.length > 0)
      .map((segment) => [segmentKey(segment.entries), segmentRecord(segment)]),
  );
/** A segment as read, up to the first unusable entry. */
export interface SegmentRead {
  readonly segment: Segment;
  readonly entries: readonly JournalEntry[];
  /** Why reading stopped before the end of the segment. */
  readonly damage?: Damage;
}

/**
 * Reads a segment. Of a damaged one everything before the damage is read, since each entry has its
 * own checksum.
 * @param link where it must start
 * @param round no entry may have an earlier round
 */
export function readSegment(
  record: Uint8Array | undefined,
  link: Link,
  round: number,
): SegmentRead {
  const key = segmentKey(link.entries);
  const read = readRecord(RECORD.journal, key, record);
  const sound = "payload" in read;
  if (!sound && (record === undefined || read.damage.kind === "too_new")) {
    return { segment: { ...link, frames: [] }, entries: [], damage: read.damage };
  }
  const payload = sound ? read.payload : remainsOf(record ?? new Uint8Array());
  const broken: Damage = sound ? { kind: "damaged", key } : read.damage;
  // A segment that does not continue the previous one is foreign; in a damaged one a single byte of
  // the link may differ.
  if (bytesUnlike(payload, link) > (sound ? 0 : 1)) {
    return { segment: { ...link, frames: [] }, entries: [], damage: broken };
  }
  const { frames, entries, whole } = readFrames(payload.subarray(SEGMENT_HEADER), round);
  const segment = { ...link, frames };
  if (sound && whole) return { segment, entries };
  return { segment, entries, damage: { ...broken, from: endOf(segment) } };
}

/** Number of bytes in which the start of a segment's payload differs from a link. */
function bytesUnlike(payload: Uint8Array, { entries, chain }: Link): number {
  const header = concat(u64be(entries), chain);
  return header.reduce((count, byte, i) => (payload[i] === byte ? count : count + 1), 0);
}

/**
 * Returns true if a stored segment has entries after a link that it contains, as far as its record
 * can be read. False if its hash at the link differs: its entries are foreign.
 */
export function continuesBeyond(key: string, record: Uint8Array | undefined, end: Link): boolean {
  if (record === undefined) return false;
  const read = readRecord(RECORD.journal, key, record);
  const payload = "payload" in read ? read.payload : remainsOf(record);
  const { frames } = readFrames(payload.subarray(SEGMENT_HEADER), 0);
  const entries = segmentFirst(key);
  const segment = { entries, chain: payload.slice(8, SEGMENT_HEADER), frames };
  return (
    endOf(segment) > end.entries && equal(chainAfter(segment, end.entries - entries), end.chain)
  );
}

/**
 * Returns true if a sound segment that starts at a link contains other entries up to a head's end:
 * the world went back to an earlier moment after that save.
 */
export function replaces(record: Uint8Array | undefined, link: Link, end: Link): boolean {
  const { segment, damage } = readSegment(record, link, 0);
  if (damage || endOf(segment) < end.entries) return false;
  return !equal(chainAfter(segment, end.entries - segment.entries), end.chain);
}

/** The link at which a stored segment claims to start; undefined if it cannot be read. */
export function storedLink(key: string, record: Uint8Array | undefined): Link | undefined {
  const read = readRecord(RECORD.journal, key, record);
  if (!("payload" in read) || read.payload.length < SEGMENT_HEADER) return undefined;
  const { payload } = read;
  return { entries: Number(readU64be(payload)), chain: payload.slice(8, SEGMENT_HEADER) };
}

/** The entries of a segment in memory. */
export const entriesOf = ({ frames }: Segment): readonly JournalEntry[] =>
  frames.flatMap((frame) => entryOf(frame.subarray(ENTRY_HEADER)) ?? []);

function readFrames(bytes: Uint8Array, round: number) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames: Uint8Array[] = [];
  const entries: JournalEntry[] = [];
  let newest = round;
  let at = 0;
  while (at + ENTRY_HEADER <= bytes.length) {
    const end = at + ENTRY_HEADER + view.getUint32(at);
    if (end > bytes.length) break;
    const content = bytes.subarray(at + ENTRY_HEADER, end);
    const entry = view.getUint32(at + 4) === crc32c(content) ? entryOf(content) : undefined;
    if (entry === undefined || entry.at < newest) break;
    newest = entry.at;
    entries.push(entry);
    frames.push(bytes.slice(at, end));
    at = end;
  }
  return { frames, entries, whole: at === bytes.length };
}

function entryOf(content: Uint8Array): JournalEntry | undefined {
  try {
    return readEntry(decode(content));
  } catch {
    return undefined;
  }
}
