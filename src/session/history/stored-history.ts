import { equal } from "../../base/bytes.ts";
import { type Pack, readPack } from "../../engine/simulation/keyframe/keyframe-pack.ts";
import type { Head, Position } from "../saved.ts";
import { EntryFeed } from "./entry-feed.ts";
import { OUTLINE_KEYS, readOutline, type StoredGenesis } from "./head.ts";
import {
  chainAfter,
  continuesBeyond,
  type Link,
  linkAfter,
  readSegment,
  replaces,
  storedLink,
} from "./journal.ts";
import { type Batch, readJournal } from "./journal-reader.ts";
import { type CompleteKeyframe, type Keyframe, needed, readKeyframeRecord } from "./keyframes.ts";
import {
  BEGINNINGS,
  HEADS,
  type KeyframeKey,
  quarantineKey,
  readKeyframeKey,
  readTreesKey,
  segmentFirst,
  segmentKey,
  type TreesKey,
  worldPrefix,
} from "./keys.ts";
import { type Damage, RECORD, readRecord } from "./record.ts";
import type { Storage } from "./storage.ts";

/** A world whose genesis cannot be read from either copy: nothing of it can be played. */
export class UnreadableWorld extends Error {
  readonly damage: readonly Damage[];

  constructor(damage: readonly Damage[]) {
    super("the beginning of the world cannot be read");
    this.name = "UnreadableWorld";
    this.damage = damage;
  }
}

/** Start of a replay: a world at a position, and the entries that follow. */
export interface Start<T> {
  /** Undefined if the replay starts at the genesis. */
  readonly at: { readonly made: T; readonly key: string } | undefined;
  readonly feed: EntryFeed;
}

/** Records that are copied in one transaction. */
const COPIED_AT_ONCE = 32;
const FIRST_SEGMENT = segmentKey(0);
/** Tree nodes that stay in memory after reading, for the next seek: some 8 MB. */
const NODES_HELD = 20_000;

/**
 * The stored history of one world: the outline is read at once, journal and keyframes on demand.
 */
export class StoredHistory {
  readonly prefix: string;
  readonly genesis: StoredGenesis;
  /** Damage found when the world was opened and read. */
  readonly damage: Damage[];
  /** The newest usable head. */
  head: Head | undefined;
  /** True if the journal has later entries, or others, than the head: the last head is lost. */
  isOutdated = false;
  headRecords: readonly (Uint8Array | undefined)[] = [undefined, undefined];
  /** Keys when it was opened, without the prefix. */
  readonly keys: readonly string[];
  /** Numbers of the first entries of all segments. */
  segments: Set<number>;
  keyframes: readonly KeyframeKey[];
  /** Keys of the trees that several keyframes share. */
  trees: readonly TreesKey[];
  /** Keys of records that a later write must not overwrite or silently leave behind. */
  readonly unusableKeys = new Set<string>();
  /** Keys of keyframes that another build made; each is read once to find that. */
  readonly #foreign = new Set<string>();
  /** Keys of caches that are useless without others. */
  readonly useless = new Set<string>();
  readonly #storage: Storage;
  readonly #id: string;
  /** In order of use; the last one is the most recent. */
  #packs: readonly { readonly key: string; readonly pack: Pack }[] = [];

  constructor(
    storage: Storage,
    id: string,
    genesis: StoredGenesis,
    keys: readonly string[] = [],
    head?: Head,
    damage: readonly Damage[] = [],
  ) {
    this.#storage = storage;
    this.#id = id;
    this.prefix = worldPrefix(id);
    this.genesis = genesis;
    this.damage = [...damage];
    this.head = head;
    this.keys = keys;
    this.segments = new Set(keys.map(segmentFirst).filter(Number.isSafeInteger));
    this.trees = keys.flatMap((key) => readTreesKey(key) ?? []);
    this.keyframes = keys.flatMap((key) => readKeyframeKey(key) ?? []);
    this.#leaveOutUseless();
    for (const { kind, key } of damage) if (kind !== "missing") this.unusableKeys.add(key);
  }

  /**
   * Reads a world's outline. Rejects with UnreadableWorld if it cannot be played, or was last saved
   * in a later format, which a save would quarantine; a later version writes both copies of the
   * head at once.
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
    const { genesis, head, damage } = outline;
    const later = damage.some(({ kind }) => kind === "too_new");
    if (genesis === undefined || (head === undefined && later)) {
      throw new UnreadableWorld(damage);
    }
    const own = keys.map((key) => key.slice(prefix.length));
    const stored = new StoredHistory(storage, id, genesis, own, head, damage);
    stored.headRecords = records.slice(BEGINNINGS.length);
    return stored;
  }

  /** Checks if the head is outdated, which counts as damage. */
  async checkHead(): Promise<void> {
    if (this.head === undefined || !(await this.#extendsBeyond(this.head))) return;
    const now = await this.#storage.read(HEADS.map((key) => this.prefix + key));
    // A save by another tab in the meantime is not damage.
    if (!now.every((record, i) => same(record, this.headRecords[i]))) return;
    this.isOutdated = true;
    for (const key of HEADS.filter((head) => !this.damage.some((one) => one.key === head))) {
      this.damage.push({ kind: "outdated", key });
      this.unusableKeys.add(key);
    }
  }

  async #extendsBeyond(head: Head): Promise<boolean> {
    if (this.keyframes.some(({ entries }) => entries > head.entries)) return true;
    const [before = -1, last = -1] = [-1, ...this.segments].sort((a, b) => a - b).slice(-2);
    // Every segment has entries.
    if (last < 0 || last >= head.entries) return last >= 0;
    const key = segmentKey(last);
    const record = await this.read(key);
    if (continuesBeyond(key, record, head)) return true;
    const link = await this.#linkAfter(before);
    return link?.entries === last && replaces(record, link, head);
  }

  /** The link after a stored segment, or the first one; undefined if it cannot be read. */
  async #linkAfter(first: number): Promise<Link | undefined> {
    if (first < 0) return this.origin;
    const key = segmentKey(first);
    const record = await this.read(key);
    const link = storedLink(key, record);
    if (link?.entries !== first) return undefined;
    const { segment, damage } = readSegment(record, link, 0);
    return damage ? undefined : linkAfter(segment);
  }

  /** The newest known round with at most this number of entries. */
  roundsWith(entries: number): number {
    const rounds = this.keyframes
      .filter((keyframe) => keyframe.entries <= entries)
      .map((keyframe) => keyframe.rounds);
    const head = this.head && this.head.entries <= entries ? this.head.rounds : 0;
    return Math.max(head, ...rounds);
  }

  /**
   * Finds the nearest start of a replay to a moment.
   * @param make reads a keyframe's world; if it throws or returns undefined, the keyframe is
   * unusable
   * @param without keys of keyframes to skip
   */
  async seek<T>(
    to: Position,
    build: string,
    make: (keyframe: CompleteKeyframe) => T | undefined,
    without: ReadonlySet<string> = new Set(),
  ): Promise<Start<T>> {
    const near = this.usable
      .filter(({ rounds, entries }) => rounds <= to.rounds && entries <= to.entries)
      .filter(({ key }) => !without.has(key))
      .reverse();
    for (const key of near) {
      const keyframe = await this.#readKeyframe(key, build);
      const link = keyframe && (await this.#linkAt(keyframe));
      const pack = link && key.trees !== undefined ? await this.#readTrees(key.trees) : undefined;
      const made = link && attempt(() => make({ ...keyframe, pack }));
      if (made === undefined || link === undefined) continue;
      return { at: { made, key: key.key }, feed: this.feed(link, key.entries, to.entries) };
    }
    return { at: undefined, feed: this.feed(this.origin, 0, to.entries) };
  }

  /** The link before the first entry. */
  get origin(): Link {
    return { entries: 0, chain: this.genesis.hash };
  }

  async #readKeyframe(key: KeyframeKey, build: string): Promise<Keyframe | undefined> {
    const read = readKeyframeRecord(key, await this.read(key.key));
    if ("damage" in read) {
      this.damage.push(read.damage);
      this.keyframes = this.keyframes.filter((other) => other !== key);
      this.unusableKeys.add(key.key);
    }
    if (!("keyframe" in read)) return undefined;
    if (read.keyframe.build === build) return read.keyframe;
    this.#foreign.add(key.key);
    return undefined;
  }

  /** The keyframes that this build can use, as far as known. */
  get usable(): readonly KeyframeKey[] {
    return this.keyframes.filter(({ key }) => !this.#foreign.has(key));
  }

  /**
   * The trees that a keyframe needs; undefined if they cannot be read, which makes all keyframes
   * that need them unusable.
   */
  async #readTrees(rounds: number): Promise<Pack | undefined> {
    const found = this.trees.find((one) => one.rounds === rounds);
    if (found === undefined) return undefined;
    const { key } = found;
    const known = this.#packs.find((one) => one.key === key);
    const pack = known?.pack ?? this.#packOf(key, await this.read(key));
    if (pack === undefined) return undefined;
    this.#packs = [...this.#packs.filter((one) => one.key !== key), { key, pack }];
    const held = (): number => this.#packs.reduce((sum, one) => sum + one.pack.trees.length, 0);
    while (held() > NODES_HELD) this.#packs = this.#packs.slice(1);
    return pack;
  }

  #packOf(key: string, record: Uint8Array | undefined): Pack | undefined {
    const read = readRecord(RECORD.trees, key, record);
    const pack = "payload" in read ? attempt(() => readPack(read.payload)) : undefined;
    if (pack !== undefined) return pack;
    this.damage.push("damage" in read ? read.damage : { kind: "damaged", key });
    this.unusableKeys.add(key);
    this.trees = this.trees.filter((one) => one.key !== key);
    this.#leaveOutUseless();
    return undefined;
  }

  /** Drops keyframes whose trees are missing, and trees that no keyframe needs. */
  #leaveOutUseless(): void {
    const known = new Set(this.trees.map(({ rounds }) => rounds));
    const whole = this.keyframes.filter(({ trees }) => trees === undefined || known.has(trees));
    const used = needed(this.trees, whole);
    const left = [...this.keyframes, ...this.trees].filter(
      (one) =>
        !whole.some(({ key }) => key === one.key) && !used.some(({ key }) => key === one.key),
    );
    for (const { key } of left) this.useless.add(key);
    this.keyframes = whole;
    this.trees = used;
  }

  /**
   * Link of the journal at which reading after a keyframe starts: the segment that contains the
   * keyframe, or the keyframe itself if a segment starts there, or if the entries before it are
   * damaged. Undefined if the journal is not the keyframe's.
   */
  async #linkAt({ entries, chain }: Keyframe): Promise<Link | undefined> {
    const own = { entries, chain };
    const first = Math.max(...[...this.segments].filter((number) => number <= entries));
    if (!Number.isFinite(first)) {
      return entries > 0 || equal(chain, this.genesis.hash) ? own : undefined;
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

  /**
   * The journal's entries from the segment at a link on. @param skip number of the first to return;
   * @param to the number after the last
   */
  feed(from: Link, skip: number, to: number): EntryFeed {
    return new EntryFeed(this.batches(from), from, skip, to);
  }

  /** The journal segment by segment, from one on. */
  batches(from: Link): AsyncGenerator<Batch, Damage | undefined> {
    const end = this.isOutdated ? undefined : this.head;
    const firsts = [...this.segments].sort((a, b) => a - b);
    return readJournal((key) => this.read(key), firsts, from, end);
  }

  /**
   * Quarantines the leftovers: copies them and the heads to keys of their own, and returns the keys
   * that may be removed now.
   */
  async quarantine(now: number): Promise<readonly string[]> {
    const keys = [...this.unusableKeys];
    const copied = keys.length > 0 ? [...new Set([...keys, ...HEADS])] : [];
    for (let i = 0; i < copied.length; i += COPIED_AT_ONCE) {
      const some = copied.slice(i, i + COPIED_AT_ONCE);
      const records = await this.#storage.read(some.map((key) => this.prefix + key));
      const copies = some.flatMap((key, j) => {
        const record = records[j];
        return record ? [[quarantineKey(this.#id, now, record.length, key), record] as const] : [];
      });
      await this.#storage.write(new Map(copies), []);
    }
    return keys;
  }

  /** Reads one record of the world. */
  async read(key: string): Promise<Uint8Array | undefined> {
    return (await this.#storage.read([this.prefix + key]))[0];
  }
}

/** Returns true if two records, each of which may be missing, are equal. */
export const same = (a: Uint8Array | undefined, b: Uint8Array | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && equal(a, b));

function attempt<T>(make: () => T | undefined): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
