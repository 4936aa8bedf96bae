import { WORLD_NAME } from "../base/limits.ts";
import { errorText } from "../engine/framework/errors.ts";
import type { JournalEntry } from "../engine/simulation/command.ts";
import { readKeyframe } from "../engine/simulation/keyframe/keyframe.ts";
import type { HistoryPart } from "../engine/simulation/world-history.ts";
import { USUAL_RESIDENCE } from "../engine/simulation/world-pages.ts";
import { type History, LostWorld, TakenOverError } from "./history/history.ts";
import { workUpTo } from "./history/keyframes.ts";
import type { Host, Storage } from "./history/storage.ts";
import type { HistoryLoader } from "./history-loader.ts";
import {
  EVICTING,
  FULL,
  isFull,
  LOST,
  type NoticeDraft,
  OVERTAKEN,
  unavailableNotice,
} from "./notices.ts";
import { observerBytes } from "./observer-bytes.ts";
import { PendingWrites } from "./pending-writes.ts";
import { roundsTo } from "./replay.ts";
import type { Use } from "./restore.ts";
import type { RunningWorld } from "./running-world.ts";
import { savedPlay } from "./save.ts";
import type { SavedPlay } from "./saved.ts";
import type { SaveState } from "./saving.ts";
import type { Session } from "./session.ts";
import {
  addEntries,
  beginHistory,
  type Notify,
  recordsOf,
  type Saved,
  writeWorld,
} from "./world-writer.ts";

/** Minimum replay work between two keyframes, in quiet rounds, and the same while nothing runs. */
const KEYFRAME_WORK = 1024;
const KEYFRAME_WORK_AT_REST = 256;
/**
 * Maximum rounds between two keyframes while the world runs. With 100 validators a keyframe costs
 * as much as some 300 quiet rounds, on any machine; a query of an earlier height replays at most
 * these rounds, in less than a tenth of a second.
 */
const MOST_KEYFRAME_ROUNDS = 8192;
/**
 * Saving takes at most a twentieth of the time, pages included: the pause after a keyframe is this
 * many times its cost.
 */
const KEYFRAME_SHARE = 40;
/**
 * Number of keyframes whose cost is known; the median counts. A much slower one had to wait for
 * other work, and equal pauses avoid long gaps between keyframes.
 */
const COSTS_KNOWN = 9;
const { blocks, results } = USUAL_RESIDENCE;
const RESIDENT_BYTES = blocks.residentBytes + results.residentBytes;
/** Share of the memory in use above which a notice is shown. */
const NEARLY_FULL = 0.75;
/** Maximum entries of those on disk that a simulation holds. */
const ENTRIES_IN_MEMORY = 65_536;

/** A branch of a world, and its id and name when it is saved. */
export interface Branch {
  readonly id: string;
  readonly name: string;
  readonly live: RunningWorld;
}

/** Playing state of a world that was not running when it was closed. */
const AT_REST = { playing: false, speed: 1, blocks: 0 };

/** Writes a session's world into its history: actions at once, rounds in batches. */
export class Saver {
  readonly #session: Session;
  readonly #storage: Storage;
  readonly #host: Host;
  readonly #notify: Notify;
  readonly pendingWrites: PendingWrites;
  /** Undefined while the session's world is not saved. */
  #saved: Saved | undefined;
  #revision = 0;
  #name = "";
  /** Reason of the last failure to save; undefined if it succeeded. */
  #failure: NoticeDraft | undefined;
  /** The world for which the eviction of blocks was reported. */
  #warned: RunningWorld | undefined;
  /** Earliest time of the next keyframe. */
  #keyframeAt = 0;
  /** Milliseconds that the newest keyframes took. */
  #costs: readonly number[] = [];
  #last: Promise<void> = Promise.resolve();
  /** A write that has not started yet; later calls of `save` share it. */
  #next: Promise<void> | undefined;
  #waiting = 0;
  #isWriting = false;
  #loader: Promise<HistoryLoader> | undefined;
  #branch: Branch | undefined;
  #branched: Promise<void> = Promise.resolve();
  /** A world that is only read is not written. */
  #use: Use = "play";

  constructor(session: Session, storage: Storage, host: Host, tell: Notify) {
    this.#session = session;
    this.#storage = storage;
    this.#host = host;
    this.#notify = tell;
    this.pendingWrites = new PendingWrites(storage, host, tell);
  }

  get state(): SaveState {
    if (this.#branch !== undefined) return "saving";
    if (this.#saved === undefined || this.failure !== undefined) return "unsaved";
    // Nothing of a new world is on disk yet.
    const isNew = this.#saved.history.head === undefined;
    return isNew || this.#waiting > 0 ? "saving" : "saved";
  }

  get failure(): NoticeDraft["kind"] | undefined {
    return this.#failure?.kind ?? (this.pendingWrites.failed ? "left" : undefined);
  }

  /** Actions that are not on disk yet. */
  get pending(): number {
    return this.#waiting;
  }

  /** The history of the session's world; undefined while that is not saved. */
  get history(): History | undefined {
    return this.#saved?.history;
  }

  /** The history of a world that is played or being restored; undefined while it is not saved. */
  historyOf(live: RunningWorld): History | undefined {
    return this.#saved?.live === live ? this.#saved.history : live.restoredFrom;
  }

  /** Saves the session's new world from now on. */
  follow(live: RunningWorld, history: History, use: Use = "play"): void {
    live.restoredFrom = undefined;
    live.historySource.journal = (from) => {
      addEntries(saved);
      return history.entriesFrom(from);
    };
    const saved = { live, history };
    this.#saved = saved;
    this.#use = use;
    live.historySource.below = (height) =>
      history.recent.below(roundsTo(live.sim, height), ({ simulation, pack }) => {
        const sim = readKeyframe(live.sim.spec, simulation, live.historySource, undefined, pack);
        return sim.height <= height ? sim : undefined;
      });
    this.#revision = 0;
    this.#failure = undefined;
    this.#keyframeAt = 0;
  }

  /** All commands of the session's world, from the first on. */
  async *commands(): AsyncGenerator<JournalEntry> {
    await this.#branched;
    const saved = this.#saved;
    const { live } = this.#session.player;
    if (saved?.live !== live) {
      yield* live.historySource.journal?.(0) ?? live.sim.entriesInMemory(0);
      return;
    }
    addEntries(saved);
    yield* saved.history.allEntries();
  }

  /** The played branch, while it has no history yet. */
  get branch(): Branch | undefined {
    return this.#branch;
  }

  /** Resolves when the played branch has a history, or cannot get one. */
  get branched(): Promise<void> {
    return this.#branched;
  }

  /**
   * Replaces the played world by a branch of it, which is saved once its history exists.
   * @param begin creates the history; rejects if it cannot
   */
  follows(branch: Branch, begin: () => Promise<History>): void {
    const { player } = this.#session;
    this.#release();
    this.#branch = branch;
    const { live } = branch;
    this.#branched = begin()
      .then((history) => {
        if (player.live === live) this.follow(live, history);
        else this.pendingWrites.add({ live, history }, this.#played(live));
      })
      .catch((error: unknown) => this.#notify(unavailableNotice(errorText(error))))
      .then(() => {
        if (this.#branch === branch) this.#branch = undefined;
        player.changed();
      });
  }

  /** Saves the world before another replaces it. */
  async leave(): Promise<void> {
    await this.#branched;
    do await this.save();
    while (this.#isBehind);
    if (this.#failure === undefined) this.#saved = undefined;
  }

  /** True if actions have arrived since the last write began. */
  get #isBehind(): boolean {
    const { revision } = this.#session.player;
    if (this.#saved === undefined || this.#failure || revision === this.#revision) return false;
    const { live, history } = this.#saved;
    return live === this.#session.player.live && live.sim.journalLength > history.durable;
  }

  /** Saves a last time; the rest is retried later, whichever world is played. */
  async close(): Promise<void> {
    await this.leave();
    this.#release();
  }

  /**
   * Releases the session's world without further writes.
   * @param work the work that requires this; if it rejects, the world is saved as before
   */
  async releaseFor(work: () => Promise<void>): Promise<void> {
    await this.#branched;
    const saved = this.#saved;
    this.#saved = undefined;
    try {
      // A pending write would otherwise follow it.
      await this.#last;
      await work();
    } catch (error) {
      if (saved?.live === this.#session.player.live)
        this.follow(saved.live, saved.history, this.#use);
      else if (saved) this.pendingWrites.add(saved, this.#played(saved.live));
      throw error;
    }
  }

  /** Saves the session's world, which has replaced another. */
  enter(): void {
    this.#release();
    this.begin(nameOf(this.#session.player.live));
  }

  #release(): void {
    const saved = this.#saved;
    this.#saved = undefined;
    if (saved !== undefined && this.#use === "play")
      this.pendingWrites.add(saved, this.#played(saved.live));
  }

  /**
   * Continues a world that is no longer played but not written yet. Resolves to false if there is
   * none.
   */
  async reopen(id: string): Promise<boolean> {
    if (this.pendingWrites.get(id) !== undefined) await this.save();
    const saved = this.pendingWrites.get(id);
    if (saved === undefined) return false;
    await this.close();
    this.pendingWrites.adopt(id);
    this.#session.player.begin(saved.live);
    this.follow(saved.live, saved.history);
    this.#failure = unavailableNotice("the last save failed");
    return true;
  }

  /** Saves the session's world as a new one, starting with the next write. */
  begin(name: string): History {
    const { live } = this.#session.player;
    const history = beginHistory(live, name, this.#storage, this.#host);
    this.follow(live, history);
    return history;
  }

  /** Resolves when all changes up to now are on disk, or cannot be written. */
  async settled(): Promise<void> {
    if (this.#saved === undefined && this.#branch === undefined) return;
    this.#waiting += 1;
    this.#session.player.changed();
    try {
      await this.#branched;
      // A failed write is retried, and blocks nothing meanwhile.
      if (this.#failure) void this.save();
      else await this.save();
    } finally {
      this.#waiting -= 1;
      this.#session.player.changed();
    }
  }

  /** Writes the changes since the last write, after any pending write. Never rejects. */
  save(): Promise<void> {
    this.#next ??= this.#last.then(async () => {
      this.#next = undefined;
      await this.#attempt();
    });
    this.#last = this.#next;
    return this.#last;
  }

  async #attempt(): Promise<void> {
    const { state } = this;
    this.#isWriting = true;
    await this.pendingWrites.write();
    try {
      await this.#write();
      this.#failure = undefined;
    } catch (error) {
      const before = this.#failure;
      this.#failure = noticeOf(error);
      if (before?.text !== this.#failure.text) this.#notify(this.#failure);
    }
    this.#isWriting = false;
    if (this.state !== state || this.#failure) this.#session.player.changed();
    this.#warn();
  }

  /** Warns, before it happens, that old blocks without a stored copy will be evicted. */
  #warn(): void {
    const { live } = this.#session.player;
    if (this.state !== "unsaved" || this.#warned === live) return;
    if (live.sim.pages.residentBytes < NEARLY_FULL * RESIDENT_BYTES) return;
    this.#warned = live;
    this.#notify(EVICTING);
  }

  async #write(): Promise<void> {
    const saved = this.#saved;
    const { player } = this.#session;
    if (saved === undefined || saved.live !== player.live || player.restoring !== undefined) return;
    if (this.#use === "read") return;
    const { revision } = player;
    const { history, live } = saved;
    const named = `${history.name}\n${history.note}`;
    if (revision === this.#revision && named === this.#name) return;
    this.#planKeyframe(saved);
    const again = await writeWorld(saved, this.#played(live), this.#host, this.#notify);
    // Keyframes are not in memory as they were stored, so a new one replaces the lost ones.
    if (again && this.#planKeyframe(saved)) {
      await writeWorld(saved, this.#played(live), this.#host, this.#notify);
    }
    this.#revision = revision;
    this.#name = named;
    const { sim } = live;
    if (sim.journal.length > ENTRIES_IN_MEMORY) sim.releaseJournal(history.durable);
  }

  /**
   * Schedules a keyframe of a running world for the next save, if one is due. At full speed they
   * grow so fast that a save may be due early.
   */
  plan(): void {
    const saved = this.#saved;
    const { player } = this.#session;
    const isPlayed = saved?.live === player.live && player.restoring === undefined;
    if (!(saved && isPlayed && player.playing && this.#use === "play" && !this.#failure)) return;
    this.#planKeyframe(saved);
    if (saved.history.isDue && !this.#isWriting) void this.save();
  }

  #played(live: RunningWorld): SavedPlay {
    const { player } = this.#session;
    const { playing, pace, pendingBlocks: blocks } = player;
    const here = player.live === live;
    return savedPlay(live, here ? { playing, speed: pace.speed, blocks } : AT_REST);
  }

  /**
   * Loads a part of a world's history: from the storage, or by replay. Rejects with an Error that
   * says why not.
   */
  async loadPart(live: RunningWorld, part: HistoryPart): Promise<object> {
    const { player } = this.#session;
    this.#loader ??= import("./history-loader.ts").then(
      ({ HistoryLoader }) => new HistoryLoader(this.#host),
    );
    const reader = await this.#loader;
    const played = live.of ?? live;
    // Until then it has only the commands that its parent has in memory.
    if (this.#branch?.live === played) await this.#branched;
    const history = this.historyOf(played);
    const wanted = () => player.live === played;
    const progress = (done: number): void => {
      player.recalling = done;
    };
    try {
      return await reader.load({ live, history, wanted, progress }, part);
    } finally {
      player.recalling = undefined;
    }
  }

  /** Worlds whose last write failed. */
  get unwritten(): readonly Saved[] {
    const saved = this.#failure ? this.#saved : undefined;
    return [...this.pendingWrites.unwritten, ...(saved === undefined ? [] : [saved])];
  }

  /** A world that is not completely written, as records for a file; undefined for others. */
  records(id: string): ReadonlyMap<string, Uint8Array> | undefined {
    const saved = this.#saved;
    if (saved === undefined || saved.history.id !== id) return this.pendingWrites.records(id);
    return this.#failure ? recordsOf(saved, this.#played(saved.live), this.#host) : undefined;
  }

  /**
   * Schedules a keyframe if enough has happened since the last one, relative to its cost; returns
   * true if it has.
   */
  #planKeyframe(saved: Saved): boolean {
    const { live, history } = saved;
    if (!live.sim.isComplete || !history.acceptsKeyframes) return false;
    const { playing } = this.#session.player;
    const atRest = !playing && (!live.tasks.busy || live.tasks.isPaused);
    const { rounds, journalLength: entries } = live.sim;
    const newest = history.newestKeyframe;
    const work = workUpTo({ rounds, entries }) - workUpTo(newest);
    const now = this.#host.clock();
    if (rounds === newest.rounds) return false;
    if (work < (atRest ? KEYFRAME_WORK_AT_REST : KEYFRAME_WORK)) return false;
    if (!atRest && now < this.#keyframeAt && rounds - newest.rounds < MOST_KEYFRAME_ROUNDS)
      return false;
    addEntries(saved);
    history.plan(live.sim, this.#host.build, observerBytes(live.observer));
    const end = this.#host.clock();
    this.#costs = [...this.#costs.slice(1 - COSTS_KNOWN), end - now];
    this.#keyframeAt = end + KEYFRAME_SHARE * medianOf(this.#costs);
    return true;
  }
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[(sorted.length - 1) >> 1] ?? 0;
}

/** A name for a world without one. */
export const nameOf = ({ origin }: RunningWorld): string =>
  (origin.scenario.title || origin.scenario.name || origin.file || "World")
    .slice(0, WORLD_NAME)
    // The first half of a surrogate pair that was cut in two.
    .replace(/[\ud800-\udbff]$/, "");

function noticeOf(error: unknown): NoticeDraft {
  if (error instanceof LostWorld) return LOST;
  if (error instanceof TakenOverError) return OVERTAKEN;
  return isFull(error) ? FULL : unavailableNotice(errorText(error));
}
