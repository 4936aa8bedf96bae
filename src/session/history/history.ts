import { CommandError } from "../../engine/framework/errors.ts";
import type { JournalEntry } from "../../engine/simulation/command.ts";
import { KeyframeWriter } from "../../engine/simulation/keyframe/keyframe.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import type { WorldPages } from "../../engine/simulation/world-pages.ts";
import type { Head, Parent, Position, SavedPlay, WorldGenesis } from "../saved.ts";
import { FIRST_SEQ, headRecord, newestSeq, storeGenesis } from "./head.ts";
import { endOf, entriesOf, JournalWriter, type Segment, sizeOf } from "./journal.ts";
import { keyframeRecord, needed, superfluous } from "./keyframes.ts";
import {
  BEGINNINGS,
  costs,
  GENESIS,
  HEADS,
  type KeyframeKey,
  keyframeKey,
  readKeyframeKey,
  readTreesKey,
  removedAt,
  SEGMENTS,
  segmentFirst,
  segmentKey,
  type TreesKey,
  treesKey,
} from "./keys.ts";
import { PageRecords } from "./page-records.ts";
import { RecentKeyframes } from "./recent-keyframes.ts";
import { type Damage, frameRecord, RECORD } from "./record.ts";
import type { Storage } from "./storage.ts";
import { type Start, StoredHistory, same } from "./stored-history.ts";

/** The storage has lost a world whose earlier part is no longer in memory. */
export class LostWorld extends Error {
  constructor() {
    super("the storage has lost the world, and its first actions are no longer in memory");
    this.name = "LostWorld";
  }
}

/** Another tab has written the world since it was read here: continuing would mix two histories. */
export class TakenOverError extends Error {
  constructor() {
    super("another tab has gone on with this world");
    this.name = "TakenOver";
  }
}

/** The playing state of a world, with the further data of a save. */
export interface Save {
  readonly play: SavedPlay;
  readonly height: number;
  readonly appHash: Uint8Array;
  /** True if a value was changed by hand in the world. */
  readonly impossible: boolean;
  readonly now: number;
}

/** A keyframe that is waiting to be written. */
interface Planned {
  readonly key: KeyframeKey;
  readonly record: Uint8Array;
  /** Trees that are written with it. */
  readonly trees?: { readonly key: TreesKey; readonly record: Uint8Array };
}

/** Pending bytes of keyframes that trigger a write before the usual time. */
const DUE_BYTES = 4 << 20;
/**
 * Maximum pending bytes, not counting the last keyframe: if nothing can be written, no more are
 * made.
 */
const MOST_PLANNED_BYTES = 16 << 20;
/** Maximum segments held in memory so that they can be rewritten. */
const MOST_VERIFIED = 1024;

/**
 * The history of one world in a storage: its genesis and journal, which are the source of truth,
 * keyframes, which are caches, and a head. One session writes it.
 */
export class History {
  readonly id: string;
  readonly pages: PageRecords;
  /** Keyframes of this world in memory, whether or not they are stored. */
  readonly recent = new RecentKeyframes();
  name: string;
  /** Branch point; undefined unless the world is a branch. */
  parent: Parent | undefined;
  /** A person's note about the world; empty if there is none. */
  note: string;
  createdMs: number;
  readonly #storage: Storage;
  readonly #stored: StoredHistory;
  #writer: JournalWriter | undefined;
  /** First entry of the segment at which writing resumed. */
  #resumedAt = 0;
  /** True if a copy of the genesis must be written again. */
  #incomplete: boolean;
  /** The head of the last write attempt, whether or not that was answered. */
  #attempt: { readonly head: Head; readonly record: Uint8Array } | undefined;
  /** True if the storage holds the world. */
  #isStored: boolean;
  /** Keys of records that the next write removes unless it writes them again. */
  readonly #stale = new Set<string>();
  #planned: readonly Planned[] = [];
  readonly #keyframes = new KeyframeWriter();
  /** The trees that the last written keyframe needs. */
  #trees: TreesKey | undefined;

  private constructor(storage: Storage, id: string, stored: StoredHistory, isStored: boolean) {
    const { head, damage, prefix, keys } = stored;
    this.id = id;
    this.#storage = storage;
    this.#stored = stored;
    this.#isStored = isStored;
    this.name = head?.name ?? "";
    this.parent = head?.parent;
    this.note = head?.note ?? "";
    this.createdMs = head?.createdMs ?? 0;
    this.pages = new PageRecords(storage, prefix, keys);
    // A played world is not removed.
    for (const key of keys) if (removedAt(key) !== undefined) this.#stale.add(key);
    this.#incomplete = damage.some(({ key }) => BEGINNINGS.some((copy) => copy === key));
  }

  /** A new world; nothing is stored until it is first written. */
  static begin(storage: Storage, id: string, genesis: WorldGenesis): History {
    const stored = storeGenesis(genesis);
    const history = new History(storage, id, new StoredHistory(storage, id, stored), false);
    history.#writer = new JournalWriter({ entries: 0, chain: stored.hash, frames: [] });
    return history;
  }

  /**
   * Reads a world's outline. Rejects with UnreadableWorld if it cannot be played, or has a later
   * format.
   */
  static async open(storage: Storage, id: string): Promise<History> {
    return new History(storage, id, await StoredHistory.open(storage, id), true);
  }

  get genesis(): WorldGenesis {
    return this.#stored.genesis.genesis;
  }

  /** Damage found when the world was opened and read. */
  get damage(): Damage[] {
    return this.#stored.damage;
  }

  /** The last written head; undefined before the first write, or if the world was lost. */
  get head(): Head | undefined {
    return this.#stored.head;
  }

  /** See `StoredHistory.isOutdated`. */
  get isOutdated(): boolean {
    return this.#stored.isOutdated;
  }

  /** See `StoredHistory.checkHead`. */
  checkHead(): Promise<void> {
    return this.#stored.checkHead();
  }

  /** Number of entries on disk. */
  get durable(): number {
    return this.head === undefined ? 0 : (this.#writer?.durable ?? this.head.entries);
  }

  get entries(): number {
    return this.#writer?.entries ?? 0;
  }

  /** The newest known round with at most this number of entries. */
  roundsWith(entries: number): number {
    return this.#stored.roundsWith(entries);
  }

  /** See `StoredHistory.seek`. */
  seek<T>(...args: Parameters<typeof StoredHistory.prototype.seek<T>>): Promise<Start<T>> {
    return this.#stored.seek(...args);
  }

  /**
   * Reads the journal before the segment at which writing resumed, to find damage there and to be
   * able to rewrite everything if the storage loses it.
   * @param goOn awaited after each segment; false ends the verification
   */
  async verify(goOn: () => Promise<boolean>): Promise<Damage | undefined> {
    const writer = this.#writer;
    if (writer === undefined) return undefined;
    const before = this.#resumedAt;
    const batches = this.#stored.batches(this.#stored.origin);
    const older: Segment[] = [];
    let bytes = 0;
    for (let end = 0; end < before; ) {
      const { done, value } = await batches.next();
      if (done) return value;
      if (value.damage) return value.damage;
      older.push(value.segment);
      end = endOf(value.segment);
      bytes += sizeOf(value.segment);
      if (older.length > MOST_VERIFIED) older.shift();
      if (!(await goOn())) return undefined;
    }
    writer.prependOlder(older, bytes);
    return undefined;
  }

  /**
   * Resumes writing after a segment, the last that was read.
   * @param sealed the pages of the world; stored pages of later blocks may never be reproduced
   * @param again true if the stored rest will be replayed or is not wanted; otherwise it is left
   * over and quarantined
   * @param last keyframes of later rounds will not be reproduced
   */
  resume(
    tail: Segment,
    sealed: WorldPages["sealed"],
    again = false,
    last = Number.POSITIVE_INFINITY,
  ): void {
    const { entries = 0, bytes = 0 } = this.#stored.head ?? {};
    const end = endOf(tail);
    const beyond = [...this.#stored.segments]
      .filter((first) => first > tail.entries)
      .map(segmentKey);
    const late = this.#stored.keyframes.filter(
      ({ entries, rounds }) => (!again && entries > end) || rounds > last,
    );
    const cut = end < entries || beyond.length > 0 || this.damage.some(costs);
    if (cut && this.#stored.segments.has(tail.entries)) beyond.push(segmentKey(tail.entries));
    // Pages do not record which journal they came from.
    const gone = cut && !again ? this.pages.forget() : this.pages.forget(sealed);
    for (const key of gone) this.#stale.add(key);
    for (const key of [...beyond, ...late.map((keyframe) => keyframe.key)]) {
      (again ? this.#stale : this.#stored.unusableKeys).add(key);
    }
    this.#stored.segments = new Set(
      [...this.#stored.segments].filter((first) => first <= tail.entries),
    );
    this.#stored.keyframes = this.#stored.keyframes.filter((keyframe) => !late.includes(keyframe));
    this.#resumedAt = tail.entries;
    this.#writer = new JournalWriter(
      tail,
      Math.max(bytes - sizeOf(tail), 0),
      cut ? tail.entries : end,
    );
  }

  /** Resumes writing after an entry; everything stored after it is left over. */
  async cutAt(entries: number, sealed: WorldPages["sealed"]): Promise<void> {
    const feed = this.#stored.feed(this.#stored.origin, entries, entries);
    await feed.ready();
    feed.check();
    this.resume(feed.tail, sealed);
  }

  /**
   * Entries from a number on. Throws a CommandError, so that a command is refused, if some are only
   * in storage.
   */
  *entriesFrom(number: number): Generator<JournalEntry> {
    const segments = this.#writer?.segments ?? [];
    if ((segments[0]?.entries ?? Number.POSITIVE_INFINITY) > number) {
      throw new CommandError(
        "it needs blocks so old that the actions that led there are not in memory",
      );
    }
    for (const segment of segments) {
      if (endOf(segment) > number)
        yield* entriesOf(segment).slice(Math.max(number - segment.entries, 0));
    }
  }

  /**
   * All entries from the first on; those not in memory are read. Throws an Error if one cannot be
   * read.
   */
  async *allEntries(): AsyncGenerator<JournalEntry> {
    const inMemory = this.#writer?.segments[0]?.entries ?? Number.POSITIVE_INFINITY;
    let read = 0;
    if (inMemory > 0) {
      for await (const { entries } of this.#stored.batches(this.#stored.origin)) {
        for (const entry of entries) {
          if (read === inMemory) break;
          yield entry;
          read += 1;
        }
        if (read === inMemory) break;
      }
    }
    if (this.#writer) yield* this.entriesFrom(read);
  }

  add(entry: JournalEntry): void {
    this.#writer?.add(entry);
  }

  /** True once enough bytes of keyframes are pending that they should be written now. */
  get isDue(): boolean {
    return this.#plannedBytes >= DUE_BYTES;
  }

  /** True if another keyframe can be planned. */
  get acceptsKeyframes(): boolean {
    return this.#writer !== undefined && this.#plannedBytes < MOST_PLANNED_BYTES;
  }

  get #plannedBytes(): number {
    const sizes = this.#planned.map(({ key, trees }) => key.bytes + (trees?.key.bytes ?? 0));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /**
   * Schedules a keyframe for the next save, whose journal must contain all entries up to it, if
   * another can be planned.
   */
  plan(sim: Simulation, build: string, observer: Uint8Array): void {
    if (this.#writer === undefined || !this.acceptsKeyframes) return;
    // Damage to earlier entries does not affect later ones, which can be replayed from here.
    this.#writer.close();
    const { chain } = this.#writer.end;
    const { rounds, journalLength: entries, uneven } = sim;
    const { bytes: simulation, pack, isNew } = this.#keyframes.write(sim);
    const record = keyframeRecord({ rounds, entries, build, chain, simulation, observer });
    const shared = isNew ? frameRecord(RECORD.trees, pack) : undefined;
    if (shared !== undefined) this.#trees = treesKey(rounds, shared.length);
    const at = { rounds, entries };
    const key = keyframeKey(at, record.length, uneven, this.#trees?.rounds);
    const trees = shared && this.#trees && { key: this.#trees, record: shared };
    this.#planned = [...this.#planned, { key, record, ...(trees && { trees }) }];
    this.recent.add({ ...at, simulation, observer, pack });
  }

  /** Registers keyframes and pages that were copied here from the parent branch. */
  adopt(keys: readonly string[]): void {
    this.pages.adopt(keys);
    const known = new Set([...this.#stored.keyframes, ...this.#stored.trees].map(({ key }) => key));
    const trees = keys.filter((key) => !known.has(key)).flatMap((key) => readTreesKey(key) ?? []);
    this.#stored.trees = [...this.#stored.trees, ...trees];
    const copied = keys
      .filter((key) => !known.has(key))
      .flatMap((key) => readKeyframeKey(key) ?? []);
    this.#stored.keyframes = [...this.#stored.keyframes, ...copied].sort(
      (a, b) => a.rounds - b.rounds || a.entries - b.entries,
    );
  }

  /** Rounds of the newest keyframe up to a round, stored or in memory; 0 if there is none. */
  keyframeBelow(rounds: number): number {
    const stored = this.#stored.usable.findLast((one) => one.rounds <= rounds)?.rounds ?? 0;
    return Math.max(stored, this.recent.newest(rounds));
  }

  /**
   * Field `uneven` of the first keyframe from a round on; undefined if there is none or it has no
   * such field.
   */
  unevenFrom(rounds: number): number | undefined {
    return this.#stored.keyframes.find((one) => one.rounds >= rounds)?.uneven;
  }

  /** Position of the newest keyframe, stored or planned; that of the genesis if there is none. */
  get newestKeyframe(): Position {
    return this.#planned.at(-1)?.key ?? this.#stored.keyframes.at(-1) ?? { rounds: 0, entries: 0 };
  }

  /**
   * Writes everything that is not on disk yet, and rewrites what the storage has lost if it is
   * still in memory; returns which of them was needed. Rejects if nothing was written.
   */
  async write(save: Save): Promise<"written" | "written_again"> {
    const writer = this.#writer;
    if (writer === undefined) throw new Error("the world has not been read to its end");
    // Entries added while the write is pending belong to the next save.
    const head = this.#nextHead(save, writer);
    const unwritten = writer.unwritten();
    const lost = this.#isStored && (await this.#isLost());
    if (lost) for (const key of this.pages.forget()) this.#stale.add(key);
    const whole = lost || !this.#isStored;
    const missing = whole ? undefined : await this.#missing();
    const segments = whole
      ? writer.all()
      : new Map([...unwritten, ...writer.some(missing?.firsts ?? [])]);
    if (segments === undefined) throw new LostWorld();
    const copied = lost ? [] : await this.#stored.quarantine(save.now);
    const record = headRecord(head);
    const puts = new Map([...segments, ...HEADS.map((copy) => [copy, record] as const)]);
    if (whole || this.#incomplete || missing?.genesis) {
      for (const copy of BEGINNINGS) puts.set(copy, this.#stored.genesis.record);
    }
    if (lost) this.#forgetTrees();
    const planned = this.#planned.filter(({ key }) => key.rounds <= save.play.rounds);
    for (const { key, record, trees } of planned) {
      puts.set(key.key, record);
      if (trees !== undefined) puts.set(trees.key.key, trees.record);
    }
    const keyframes = [...(lost ? [] : this.#stored.keyframes), ...planned.map(({ key }) => key)];
    const trees = [
      ...(lost ? [] : this.#stored.trees),
      ...planned.flatMap((one) => one.trees?.key ?? []),
    ];
    const removed = superfluous(keyframes, trees);
    const left = keyframes.filter((keyframe) => !removed.includes(keyframe));
    const stillNeeded = needed(trees, left);
    // Trees that no keyframe needs yet were copied here before their keyframes.
    const unneeded = needed(trees, removed).filter((one) => !stillNeeded.includes(one));
    const { useless } = this.#stored;
    const removals = [
      ...[...copied, ...this.#stale, ...useless],
      ...[...removed, ...unneeded].map(({ key }) => key),
    ];
    // If the last blocks without actions are lost, replay produces the same ones.
    const { name, note = "" } = this.head ?? {};
    const isNamed = this.name !== name || this.note !== note;
    const acts = segments.size > 0 || copied.length > 0 || isNamed;
    this.#attempt = { head, record };
    await this.#storage.write(
      new Map([...puts].map(([name, bytes]) => [this.#stored.prefix + name, bytes])),
      removals.filter((name) => !puts.has(name)).map((name) => this.#stored.prefix + name),
      acts || whole ? "strict" : "relaxed",
    );
    this.#isStored = true;
    this.#incomplete = false;
    writer.markDurable(head.entries);
    this.#stored.head = head;
    this.#stored.headRecords = HEADS.map(() => record);
    for (const name of segments.keys()) this.#stored.segments.add(segmentFirst(name));
    for (const name of removals) {
      if (!puts.has(name)) this.#stored.segments.delete(segmentFirst(name));
    }
    for (const name of copied) this.#stored.unusableKeys.delete(name);
    this.#stale.clear();
    useless.clear();
    this.#stored.keyframes = left;
    this.#stored.trees = trees.filter((one) => !unneeded.includes(one));
    this.#planned = this.#planned.filter((one) => !planned.includes(one));
    for (const first of missing?.firsts ?? []) {
      // Segments that are only in storage cannot be rewritten; their loss is found when the world
      // is opened.
      if (!segments.has(segmentKey(first))) this.#stored.segments.delete(first);
    }
    const isAgain = lost || missing?.genesis || (missing?.firsts.length ?? 0) > 0;
    return isAgain ? "written_again" : "written";
  }

  /** Drops keyframes whose trees the storage has lost. */
  #forgetTrees(): void {
    this.#keyframes.forget();
    const known = new Set(this.#planned.map(({ trees }) => trees?.key.rounds));
    this.#planned = this.#planned.filter(({ key }) => known.has(key.trees));
  }

  /**
   * All records as they would be written now, without caches: an export for when the storage fails.
   */
  records(save: Save): ReadonlyMap<string, Uint8Array> {
    const writer = this.#writer;
    const segments = writer?.all();
    if (writer === undefined || segments === undefined) throw new LostWorld();
    const head = { ...this.#nextHead(save, writer), seq: FIRST_SEQ };
    const outline = [
      [BEGINNINGS[0], this.#stored.genesis.record],
      [HEADS[0], headRecord(head)],
      [HEADS[1], headRecord(head)],
    ] as const;
    return new Map([...segments, ...outline]);
  }

  #nextHead({ play, height, appHash, impossible, now }: Save, writer: JournalWriter): Head {
    const { entries, chain } = writer.end;
    return {
      ...play,
      seq: (this.#stored.head?.seq ?? FIRST_SEQ - 1) + 1,
      name: this.name,
      ...(this.parent && { parent: this.parent }),
      ...(this.note !== "" && { note: this.note }),
      ...(impossible && { impossible }),
      createdMs: this.createdMs,
      savedMs: now,
      entries,
      chain,
      beginning: this.#stored.genesis.hash,
      height,
      appHash,
      bytes: writer.bytes,
    };
  }

  /**
   * Records other than heads that the storage has lost: a copy of the genesis, and segments by
   * their first entries. A copy that was missing when the world was opened does not count.
   */
  async #missing(): Promise<{ readonly genesis: boolean; readonly firsts: readonly number[] }> {
    const { prefix, segments } = this.#stored;
    const [copies, journal] = await Promise.all(
      [GENESIS, SEGMENTS].map((keys) => this.#storage.keys(prefix + keys)),
    );
    const found = new Set(journal?.map((key) => segmentFirst(key.slice(prefix.length))));
    return {
      genesis: !this.#incomplete && (copies?.length ?? 0) < BEGINNINGS.length,
      firsts: [...segments].filter((first) => !found.has(first)),
    };
  }

  /** True if the heads in storage are not the ones that were written last. */
  async #isLost(): Promise<boolean> {
    const stored = await this.#storage.read(HEADS.map((key) => this.#stored.prefix + key));
    if (stored.every((record, i) => same(record, this.#stored.headRecords[i]))) return false;
    const attempt = this.#attempt;
    if (attempt && stored.every((record) => same(record, attempt.record))) {
      // The last write had timed out, but was done after all.
      this.#stored.head = attempt.head;
      this.#stored.headRecords = stored;
      return false;
    }
    const seq = this.#stored.head?.seq ?? 0;
    if (newestSeq(stored) > seq) throw new TakenOverError();
    return true;
  }
}
