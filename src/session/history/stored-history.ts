import { equal } from "../../engine/primitives/bytes.ts";
import type { Head, Position } from "../saved.ts";
import { EntryFeed } from "./entry-feed.ts";
import { OUTLINE_KEYS, readOutline, type StoredBeginning } from "./head.ts";
import { chainAfter, type Link, readSegment, storedLink } from "./journal.ts";
import { type Batch, readJournal } from "./journal-reader.ts";
import { type Keyframe, readKeyframeRecord } from "./keyframes.ts";
import {
  asideKey,
  BEGINNINGS,
  HEADS,
  type KeyframeKey,
  readKeyframeKey,
  segmentFirst,
  segmentKey,
  worldPrefix,
} from "./keys.ts";
import type { Damage } from "./record.ts";
import type { Storage } from "./storage.ts";

/** A world of which neither can be read how it began: nothing of it can be played. */
export class UnreadableWorld extends Error {
  readonly damage: readonly Damage[];

  constructor(damage: readonly Damage[]) {
    super("the beginning of the world cannot be read");
    this.name = "UnreadableWorld";
    this.damage = damage;
  }
}

/** Where a replay begins: a world as it was, and the entries that follow. */
export interface Start<T> {
  /** Undefined where the replay begins at the world's beginning. */
  readonly at: { readonly made: T; readonly key: string } | undefined;
  readonly feed: EntryFeed;
}

/** Records that are copied in one transaction. */
const COPIED_AT_ONCE = 32;
const FIRST_SEGMENT = segmentKey(0);

/** What is stored of one world, as it is read: the outline at once, journal and keyframes when they are needed. */
export class StoredHistory {
  readonly prefix: string;
  readonly begun: StoredBeginning;
  /** What was found when it was opened and read. */
  readonly damage: Damage[];
  /** The newest that can be used. */
  head: Head | undefined;
  headRecords: readonly (Uint8Array | undefined)[] = [undefined, undefined];
  /** Keys at the time when it was opened, without the prefix. */
  readonly keys: readonly string[];
  /** Numbers of the first entries of all segments. */
  segments: Set<number>;
  keyframes: readonly KeyframeKey[];
  /** Keys of records that a later write must not overwrite or leave behind unseen. */
  readonly leftOver = new Set<string>();
  readonly #storage: Storage;
  readonly #id: string;

  constructor(
    storage: Storage,
    id: string,
    begun: StoredBeginning,
    keys: readonly string[] = [],
    head?: Head,
    damage: readonly Damage[] = [],
  ) {
    this.#storage = storage;
    this.#id = id;
    this.prefix = worldPrefix(id);
    this.begun = begun;
    this.damage = [...damage];
    this.head = head;
    this.keys = keys;
    this.segments = new Set(keys.map(segmentFirst).filter(Number.isSafeInteger));
    this.keyframes = keys.flatMap((key) => readKeyframeKey(key) ?? []);
    for (const { kind, key } of damage) if (kind !== "missing") this.leftOver.add(key);
  }

  /**
   * Reads a world's outline. Rejects with UnreadableWorld if it cannot be played, or was last saved in a later
   * format, which a save would set aside; a later version writes both copies of the head at once.
   */
  static async open(storage: Storage, id: string): Promise<StoredHistory> {
    const prefix = worldPrefix(id);
    const [records, keys] = await Promise.all([
      storage.read(OUTLINE_KEYS.map((key) => prefix + key)),
      storage.keys(prefix),
    ]);
    let outline = readOutline(records);
    if (outline.newest === undefined) {
      const [first] = await storage.read([prefix + FIRST_SEGMENT]);
      outline = readOutline(records, storedLink(FIRST_SEGMENT, first)?.chain);
    }
    const { begun, head, damage } = outline;
    const later = damage.some(({ kind }) => kind === "too_new");
    if (begun === undefined || (head === undefined && later)) {
      throw new UnreadableWorld(damage);
    }
    const own = keys.map((key) => key.slice(prefix.length));
    const stored = new StoredHistory(storage, id, begun, own, head, damage);
    stored.headRecords = records.slice(BEGINNINGS.length);
    return stored;
  }

  /** The newest moment at which no more than a number of entries had been given, as far as is known. */
  roundsWith(entries: number): number {
    const rounds = this.keyframes
      .filter((keyframe) => keyframe.entries <= entries)
      .map((keyframe) => keyframe.rounds);
    const head = this.head && this.head.entries <= entries ? this.head.rounds : 0;
    return Math.max(head, ...rounds);
  }

  /**
   * The nearest start of a replay that comes to a moment.
   * @param make reads a keyframe's world; undefined if it cannot be used, as when it throws
   * @param without keys of keyframes that are not to be used
   */
  async seek<T>(
    to: Position,
    build: string,
    make: (keyframe: Keyframe) => T | undefined,
    without: ReadonlySet<string> = new Set(),
  ): Promise<Start<T>> {
    const near = this.keyframes
      .filter(({ rounds, entries }) => rounds <= to.rounds && entries <= to.entries)
      .filter(({ key }) => !without.has(key))
      .reverse();
    for (const key of near) {
      const keyframe = await this.#readKeyframe(key, build);
      const link = keyframe && (await this.#linkAt(keyframe));
      const made = link && attempt(() => make(keyframe));
      if (made === undefined || link === undefined) continue;
      return { at: { made, key: key.key }, feed: this.feed(link, key.entries, to.entries) };
    }
    return { at: undefined, feed: this.feed(this.origin, 0, to.entries) };
  }

  /** The link before the first entry. */
  get origin(): Link {
    return { entries: 0, chain: this.begun.hash };
  }

  async #readKeyframe(key: KeyframeKey, build: string): Promise<Keyframe | undefined> {
    const read = readKeyframeRecord(key, await this.read(key.key));
    if ("damage" in read) {
      this.damage.push(read.damage);
      this.keyframes = this.keyframes.filter((other) => other !== key);
      this.leftOver.add(key.key);
    }
    return "keyframe" in read && read.keyframe.build === build ? read.keyframe : undefined;
  }

  /**
   * Where the reading of what follows a keyframe begins: at the segment that it lies in, or at the keyframe itself if
   * a segment begins there, or if what came before is damaged. Undefined if the journal is not the keyframe's.
   */
  async #linkAt({ entries, chain }: Keyframe): Promise<Link | undefined> {
    const own = { entries, chain };
    const first = Math.max(...[...this.segments].filter((number) => number <= entries));
    if (!Number.isFinite(first)) {
      return entries > 0 || equal(chain, this.begun.hash) ? own : undefined;
    }
    const record = await this.read(segmentKey(first));
    const stored = storedLink(segmentKey(first), record);
    if (first === entries) return stored && !equal(stored.chain, chain) ? undefined : own;
    const link = first === 0 ? this.origin : stored;
    if (link?.entries !== first) return own;
    const { segment } = readSegment(record, link, 0);
    const count = entries - first;
    if (count > segment.frames.length) return own;
    return equal(chainAfter(segment, count), chain) ? link : undefined;
  }

  /** The journal's entries from the segment at a link on. @param skip the first to take; @param to the number after the last */
  feed(from: Link, skip: number, to: number): EntryFeed {
    return new EntryFeed(this.batches(from), from, skip, to);
  }

  /** The journal segment by segment, from one on. */
  batches(from: Link): AsyncGenerator<Batch, Damage | undefined> {
    const end = this.head && { entries: this.head.entries, chain: this.head.chain };
    const firsts = [...this.segments].sort((a, b) => a - b);
    return readJournal((key) => this.read(key), firsts, from, end);
  }

  /** Copies what is left over, with the heads, to keys of its own, and returns what may be removed now. */
  async copyAside(now: number): Promise<readonly string[]> {
    const keys = [...this.leftOver];
    const copied = keys.length > 0 ? [...new Set([...keys, ...HEADS])] : [];
    for (let i = 0; i < copied.length; i += COPIED_AT_ONCE) {
      const some = copied.slice(i, i + COPIED_AT_ONCE);
      const records = await this.#storage.read(some.map((key) => this.prefix + key));
      const copies = some.flatMap((key, j) => {
        const record = records[j];
        return record ? [[asideKey(this.#id, now, record.length, key), record] as const] : [];
      });
      await this.#storage.write(new Map(copies), []);
    }
    return keys;
  }

  /** One record of the world. */
  async read(key: string): Promise<Uint8Array | undefined> {
    return (await this.#storage.read([this.prefix + key]))[0];
  }
}

function attempt<T>(make: () => T | undefined): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
