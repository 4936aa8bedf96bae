import { CommandError } from "../../engine/framework/errors.ts";
import { equal } from "../../engine/primitives/bytes.ts";
import type { JournalEntry } from "../../engine/simulation/command.ts";
import type { Beginning, Head, Position, SavedPlay } from "../saved.ts";
import { EntryFeed } from "./entry-feed.ts";
import {
  FIRST_SEQ,
  headRecord,
  newestSeq,
  OUTLINE_KEYS,
  readOutline,
  type StoredBeginning,
  storeBeginning,
} from "./head.ts";
import {
  chainAfter,
  endOf,
  entriesOf,
  JournalWriter,
  type Link,
  readSegment,
  type Segment,
  sizeOf,
  storedLink,
} from "./journal.ts";
import { readJournal } from "./journal-reader.ts";
import { type Keyframe, keyframeRecord, readKeyframeRecord, superfluous } from "./keyframes.ts";
import {
  ASIDE,
  BEGINNINGS,
  costs,
  HEADS,
  type KeyframeKey,
  keyframeKey,
  readKeyframeKey,
  segmentFirst,
  segmentKey,
  worldPrefix,
} from "./keys.ts";
import { PageShelf, type SealedPages } from "./page-shelf.ts";
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

/** The storage has lost a world, and what was there is not in memory any more. */
export class LostWorld extends Error {
  constructor() {
    super("the storage has lost the world, and its first actions are no longer in memory");
    this.name = "LostWorld";
  }
}

/** What a save adds to how the world is played. */
export interface Save {
  readonly play: SavedPlay;
  readonly height: number;
  readonly appHash: Uint8Array;
  readonly now: number;
}

/** Where a replay begins: a world as it was, and the entries that follow. */
export interface Start<T> {
  /** Undefined where the replay begins at the world's beginning. */
  readonly at: { readonly made: T; readonly key: string } | undefined;
  readonly feed: EntryFeed;
}

/** Segments that are kept in memory to be written again if need be, at most. */
const MOST_VERIFIED = 1024;
/** Records that are copied in one transaction. */
const COPIED_AT_ONCE = 32;

/**
 * The history of one world in a storage: its beginning and journal, which are the truth, keyframes, which are
 * caches, and a head. One session writes it.
 */
export class History {
  readonly id: string;
  /** What was found when it was opened and read. */
  readonly damage: Damage[];
  readonly pages: PageShelf;
  name: string;
  createdMs: number;
  readonly #storage: Storage;
  readonly #prefix: string;
  readonly #begun: StoredBeginning;
  /** Of what is on disk. */
  #head: Head | undefined;
  #headRecords: readonly (Uint8Array | undefined)[];
  #segments: Set<number>;
  #keyframes: readonly KeyframeKey[];
  #writer: JournalWriter | undefined;
  /** First entry of the segment at which writing went on. */
  #resumedAt = 0;
  /** Whether a copy of the beginning is to be written again. */
  #incomplete: boolean;
  /** The head that was written last, whether or not that was answered. */
  #attempt: { readonly head: Head; readonly record: Uint8Array } | undefined;
  /** Whether the storage holds the world. */
  #stored: boolean;
  /** Keys of records that a later write must not overwrite or leave behind unseen. */
  readonly #leftOver = new Set<string>();
  /** Keys of records that the next write removes unless it writes them again. */
  readonly #stale = new Set<string>();
  #planned: { readonly key: KeyframeKey; readonly record: Uint8Array } | undefined;

  private constructor(
    storage: Storage,
    id: string,
    begun: StoredBeginning,
    found: {
      readonly head: Head | undefined;
      readonly damage: readonly Damage[];
      readonly headRecords: readonly (Uint8Array | undefined)[];
      readonly keys: readonly string[];
      readonly stored: boolean;
    },
  ) {
    this.id = id;
    this.#begun = begun;
    this.damage = [...found.damage];
    this.name = found.head?.name ?? "";
    this.createdMs = found.head?.createdMs ?? 0;
    this.#storage = storage;
    this.#prefix = worldPrefix(id);
    this.pages = new PageShelf(storage, this.#prefix, found.keys);
    this.#head = found.head;
    this.#headRecords = found.headRecords;
    this.#stored = found.stored;
    this.#incomplete = found.damage.some(({ key }) => BEGINNINGS.some((copy) => copy === key));
    this.#segments = new Set(found.keys.map(segmentFirst).filter(Number.isSafeInteger));
    this.#keyframes = found.keys.flatMap((key) => readKeyframeKey(key) ?? []);
    for (const { kind, key } of found.damage) if (kind !== "missing") this.#leftOver.add(key);
  }

  /** A new world; nothing is stored until it is first written. */
  static begin(storage: Storage, id: string, beginning: Beginning): History {
    const begun = storeBeginning(beginning);
    const history = new History(storage, id, begun, {
      head: undefined,
      damage: [],
      headRecords: [undefined, undefined],
      keys: [],
      stored: false,
    });
    history.#writer = new JournalWriter({ entries: 0, chain: begun.hash, frames: [] });
    return history;
  }

  /** Reads a world's outline. Rejects with UnreadableWorld if it cannot be played, or has a later format. */
  static async open(storage: Storage, id: string): Promise<History> {
    const prefix = worldPrefix(id);
    const [records, keys] = await Promise.all([
      storage.read(OUTLINE_KEYS.map((key) => prefix + key)),
      storage.keys(prefix),
    ]);
    const { begun, head, damage } = readOutline(records);
    if (begun === undefined || damage.some(({ kind }) => kind === "too_new")) {
      throw new UnreadableWorld(damage);
    }
    return new History(storage, id, begun, {
      head,
      damage,
      headRecords: records.slice(BEGINNINGS.length),
      keys: keys.map((key) => key.slice(prefix.length)),
      stored: true,
    });
  }

  get beginning(): Beginning {
    return this.#begun.beginning;
  }

  /** As it was last written; undefined before that, or if it was lost. */
  get head(): Head | undefined {
    return this.#head;
  }

  /** Entries that are on disk. */
  get durable(): number {
    return this.#head === undefined ? 0 : (this.#writer?.durable ?? this.#head.entries);
  }

  /** Entries that were added. */
  get entries(): number {
    return this.#writer?.entries ?? 0;
  }

  /** The newest moment at which no more than a number of entries had been given, as far as is known. */
  roundsWith(entries: number): number {
    const rounds = this.#keyframes
      .filter((keyframe) => keyframe.entries <= entries)
      .map((keyframe) => keyframe.rounds);
    const head = this.#head && this.#head.entries <= entries ? this.#head.rounds : 0;
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
    const near = this.#keyframes
      .filter(({ rounds, entries }) => rounds <= to.rounds && entries <= to.entries)
      .filter(({ key }) => !without.has(key))
      .reverse();
    for (const key of near) {
      const keyframe = await this.#readKeyframe(key, build);
      const link = keyframe && (await this.#linkAt(keyframe));
      const made = link && attempt(() => make(keyframe));
      if (made === undefined || link === undefined) continue;
      return { at: { made, key: key.key }, feed: this.#feed(link, key.entries, to.entries) };
    }
    return { at: undefined, feed: this.#feed(this.#origin, 0, to.entries) };
  }

  get #origin(): Link {
    return { entries: 0, chain: this.#begun.hash };
  }

  async #readKeyframe(key: KeyframeKey, build: string): Promise<Keyframe | undefined> {
    const read = readKeyframeRecord(key, await this.#read(key.key));
    if ("damage" in read) {
      this.damage.push(read.damage);
      this.#keyframes = this.#keyframes.filter((other) => other !== key);
      this.#leftOver.add(key.key);
    }
    return "keyframe" in read && read.keyframe.build === build ? read.keyframe : undefined;
  }

  /** Where the segment of a keyframe's next entry begins; undefined if the journal is not the keyframe's. */
  async #linkAt({ entries, chain }: Keyframe): Promise<Link | undefined> {
    const first = Math.max(...[...this.#segments].filter((number) => number <= entries));
    if (!Number.isFinite(first)) {
      return entries === 0 && equal(chain, this.#begun.hash) ? this.#origin : undefined;
    }
    const record = await this.#read(segmentKey(first));
    const link = first === 0 ? this.#origin : storedLink(segmentKey(first), record);
    if (link?.entries !== first) return undefined;
    const { segment } = readSegment(record, link, 0);
    const count = entries - first;
    return count <= segment.frames.length && equal(chainAfter(segment, count), chain)
      ? link
      : undefined;
  }

  #feed(from: Link, skip: number, to: number): EntryFeed {
    return new EntryFeed(this.#batches(from), from, skip, to);
  }

  #batches(from: Link) {
    const end = this.#head && { entries: this.#head.entries, chain: this.#head.chain };
    const firsts = [...this.#segments].sort((a, b) => a - b);
    return readJournal((key) => this.#read(key), firsts, from, end);
  }

  /**
   * Reads the journal before the segment at which writing goes on, so that damage there is found and all
   * can be written again if storage loses it.
   */
  async verify(): Promise<Damage | undefined> {
    const writer = this.#writer;
    if (writer === undefined) return undefined;
    const before = this.#resumedAt;
    const batches = this.#batches(this.#origin);
    const older: Segment[] = [];
    for (let end = 0; end < before; ) {
      const { done, value } = await batches.next();
      if (done) return value;
      if (value.damage) return value.damage;
      older.push(value.segment);
      end = endOf(value.segment);
      if (older.length > MOST_VERIFIED) older.shift();
    }
    writer.keep(older);
    return undefined;
  }

  /**
   * Goes on writing after a segment, the last that was read.
   * @param sealed the pages that the world has; those that were stored of what came later may not come again
   * @param again what is stored beyond it is to come again; otherwise it is left over, and set aside
   */
  resume(tail: Segment, sealed: SealedPages["sealed"], again = false): void {
    const { entries = 0, bytes = 0 } = this.#head ?? {};
    const end = endOf(tail);
    const beyond = [...this.#segments].filter((first) => first > tail.entries).map(segmentKey);
    const late = again ? [] : this.#keyframes.filter((keyframe) => keyframe.entries > end);
    const cut = end < entries || beyond.length > 0 || this.damage.some(costs);
    if (cut && this.#segments.has(tail.entries)) beyond.push(segmentKey(tail.entries));
    // Pages do not say which journal they came from.
    const gone = cut && !again ? this.pages.forget() : this.pages.forget(sealed);
    for (const key of gone) this.#stale.add(key);
    for (const key of [...beyond, ...late.map((keyframe) => keyframe.key)]) {
      (again ? this.#stale : this.#leftOver).add(key);
    }
    this.#segments = new Set([...this.#segments].filter((first) => first <= tail.entries));
    this.#keyframes = this.#keyframes.filter((keyframe) => !late.includes(keyframe));
    this.#resumedAt = tail.entries;
    this.#writer = new JournalWriter(
      tail,
      Math.max(bytes - this.#begun.record.length - sizeOf(tail), 0),
      cut ? tail.entries : end,
    );
  }

  /** Goes on writing after an entry; what is stored beyond it is left over. */
  async cutAt(entries: number, sealed: SealedPages["sealed"]): Promise<void> {
    const feed = this.#feed(this.#origin, entries, entries);
    await feed.ready();
    feed.check();
    this.resume(feed.tail, sealed);
  }

  /** Entries from a number on. Throws a CommandError, so that a command is refused, if some are in storage alone. */
  *entriesFrom(number: number): Generator<JournalEntry> {
    const segments = this.#writer?.segments;
    if (segments?.[0]?.entries !== 0) {
      throw new CommandError(
        "it needs blocks so old that the actions that led there are not in memory",
      );
    }
    for (const segment of segments) {
      if (endOf(segment) > number)
        yield* entriesOf(segment).slice(Math.max(number - segment.entries, 0));
    }
  }

  add(entry: JournalEntry): void {
    this.#writer?.add(entry);
  }

  /** Has a keyframe written with the next save, whose journal must hold all up to it. */
  plan(at: Position, build: string, simulation: Uint8Array, observer: Uint8Array): void {
    if (this.#writer === undefined) return;
    const { chain } = this.#writer.end;
    const record = keyframeRecord({ ...at, build, chain, simulation, observer });
    this.#planned = { key: keyframeKey(at, record.length), record };
  }

  /** Rounds of the newest keyframe; 0 if there is none. */
  get newestKeyframe(): number {
    return this.#keyframes.at(-1)?.rounds ?? 0;
  }

  /**
   * Writes what is not on disk yet. If the storage has lost what was written, all is written again, and
   * that is returned. Rejects if nothing was written.
   */
  async write(save: Save): Promise<"written" | "written_again"> {
    const writer = this.#writer;
    if (writer === undefined) throw new Error("the world has not been read to its end");
    // What is added while the storage is asked belongs to the next save.
    const head = this.#nextHead(save, writer);
    const unwritten = writer.unwritten();
    const lost = this.#stored && (await this.#isLost());
    if (lost) this.pages.forget();
    const whole = lost || !this.#stored;
    const segments = whole ? writer.all() : unwritten;
    if (segments === undefined) throw new LostWorld();
    const copied = lost ? [] : await this.#copyAside(save.now);
    const record = headRecord(head);
    const puts = new Map([...segments, ...HEADS.map((copy) => [copy, record] as const)]);
    if (whole || this.#incomplete) {
      for (const copy of BEGINNINGS) puts.set(copy, this.#begun.record);
    }
    const planned = this.#planned;
    if (planned) puts.set(planned.key.key, planned.record);
    const keyframes = [...(lost ? [] : this.#keyframes), ...(planned ? [planned.key] : [])];
    const removed = superfluous(keyframes);
    const removals = [...copied, ...this.#stale, ...removed.map((keyframe) => keyframe.key)];
    this.#attempt = { head, record };
    await this.#storage.write(
      new Map([...puts].map(([name, bytes]) => [this.#prefix + name, bytes])),
      removals.filter((name) => !puts.has(name)).map((name) => this.#prefix + name),
    );
    this.#stored = true;
    this.#incomplete = false;
    writer.written(head.entries);
    this.#head = head;
    this.#headRecords = HEADS.map(() => record);
    for (const name of segments.keys()) this.#segments.add(segmentFirst(name));
    for (const name of copied) this.#leftOver.delete(name);
    this.#stale.clear();
    this.#keyframes = keyframes.filter((keyframe) => !removed.includes(keyframe));
    if (this.#planned === planned) this.#planned = undefined;
    return lost ? "written_again" : "written";
  }

  /** All records as they would be written now, caches left out; where the storage fails, a way out. */
  records(save: Save): ReadonlyMap<string, Uint8Array> {
    const writer = this.#writer;
    const segments = writer?.all();
    if (writer === undefined || segments === undefined) throw new LostWorld();
    const head = { ...this.#nextHead(save, writer), seq: FIRST_SEQ };
    const outline = [
      [BEGINNINGS[0], this.#begun.record],
      [HEADS[0], headRecord(head)],
      [HEADS[1], headRecord(head)],
    ] as const;
    return new Map([...segments, ...outline]);
  }

  #nextHead({ play, height, appHash, now }: Save, writer: JournalWriter): Head {
    const { entries, chain } = writer.end;
    return {
      ...play,
      seq: (this.#head?.seq ?? FIRST_SEQ - 1) + 1,
      name: this.name,
      createdMs: this.createdMs,
      savedMs: now,
      entries,
      chain,
      beginning: this.#begun.hash,
      height,
      appHash,
      bytes: this.#begun.record.length + writer.bytes,
    };
  }

  /** Whether the heads in storage are not the ones that were written last. */
  async #isLost(): Promise<boolean> {
    const stored = await this.#storage.read(HEADS.map((key) => this.#prefix + key));
    if (stored.every((record, i) => same(record, this.#headRecords[i]))) return false;
    const attempt = this.#attempt;
    if (attempt && stored.every((record) => same(record, attempt.record))) {
      // The last write was given up as too slow, and was done after all.
      this.#head = attempt.head;
      this.#headRecords = stored;
      return false;
    }
    const seq = this.#head?.seq ?? 0;
    if (newestSeq(stored) > seq) throw new Error("another tab has gone on with this world");
    return true;
  }

  /** Copies what is left over, with the heads, to keys of its own, and returns what may be removed now. */
  async #copyAside(now: number): Promise<readonly string[]> {
    const keys = [...this.#leftOver];
    const copied = keys.length > 0 ? [...new Set([...keys, ...HEADS])] : [];
    for (let i = 0; i < copied.length; i += COPIED_AT_ONCE) {
      const some = copied.slice(i, i + COPIED_AT_ONCE);
      const records = await this.#storage.read(some.map((key) => this.#prefix + key));
      const copies = some.flatMap((key, j) => {
        const record = records[j];
        return record ? [[`${ASIDE}${this.id}/${now}/${key}`, record] as const] : [];
      });
      await this.#storage.write(new Map(copies), []);
    }
    return keys;
  }

  async #read(key: string): Promise<Uint8Array | undefined> {
    return (await this.#storage.read([this.#prefix + key]))[0];
  }
}

const same = (a: Uint8Array | undefined, b: Uint8Array | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && equal(a, b));

function attempt<T>(make: () => T | undefined): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
