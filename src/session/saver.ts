import { errorText } from "../engine/framework/errors.ts";
import type { JournalEntry } from "../engine/simulation/command.ts";
import { readKeyframe } from "../engine/simulation/keyframe/keyframe.ts";
import { USUAL_RESIDENCE } from "../engine/simulation/world-pages.ts";
import type { HistoryPart } from "../engine/simulation/world-past.ts";
import { WORLD_NAME } from "../input/limits.ts";
import { type History, LostWorld, TakenOver } from "./history/history.ts";
import { workUpTo } from "./history/keyframes.ts";
import type { Host, Storage } from "./history/storage.ts";
import { LeftWorlds } from "./left-worlds.ts";
import {
  FULL,
  isFull,
  LETTING_GO,
  LOST,
  type NoticeDraft,
  OVERTAKEN,
  unavailableNotice,
} from "./notices.ts";
import { observerBytes } from "./observer-bytes.ts";
import type { PastReader } from "./past.ts";
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
  recordsOf,
  type Saved,
  type Tell,
  writeWorld,
} from "./world-writer.ts";

/** The work of a replay between two keyframes at least, in quiet rounds, and while nothing runs. */
const KEYFRAME_WORK = 1024;
const KEYFRAME_WORK_AT_REST = 256;
/**
 * Rounds between two keyframes at most, while the world runs. With 100 validators one takes as long as some 300 quiet
 * rounds, however busy the machine is; all that lie between two are played again for a height of the past, which takes
 * less than a tenth of a second.
 */
const MOST_KEYFRAME_ROUNDS = 8192;
/** Saving takes a twentieth of the time at most, pages included: so much longer is the pause after a keyframe. */
const KEYFRAME_SHARE = 40;
/**
 * Keyframes of which the cost is known; their median counts. One that took far longer had to wait for other work, and
 * equal pauses leave no long way between two keyframes.
 */
const COSTS_KNOWN = 9;
const { blocks, results } = USUAL_RESIDENCE;
const RESIDENT_BYTES = blocks.residentBytes + results.residentBytes;
/** The part of it in use from which on a notice says so. */
const NEARLY_FULL = 0.75;
/** Entries that a simulation holds, at most, of those that are on disk. */
const ENTRIES_IN_MEMORY = 65_536;

/** A branch of a world, and the id and name that it has when it is saved. */
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
  readonly #tell: Tell;
  readonly left: LeftWorlds;
  /** Undefined while the session's world is not to be saved. */
  #saved: Saved | undefined;
  #revision = 0;
  #name = "";
  /** Why the last save failed; undefined unless it did. */
  #failure: NoticeDraft | undefined;
  /** The world of which it was said that it lets blocks go. */
  #warned: RunningWorld | undefined;
  /** Earliest time of the next keyframe. */
  #keyframeAt = 0;
  /** Milliseconds that the newest keyframes took. */
  #costs: readonly number[] = [];
  #last: Promise<void> = Promise.resolve();
  /** A write that has not begun yet; later calls of `save` share it. */
  #next: Promise<void> | undefined;
  #waiting = 0;
  #isWriting = false;
  #past: Promise<PastReader> | undefined;
  #branch: Branch | undefined;
  #branched: Promise<void> = Promise.resolve();
  /** A world that is only read is not written. */
  #use: Use = "play";

  constructor(session: Session, storage: Storage, host: Host, tell: Tell) {
    this.#session = session;
    this.#storage = storage;
    this.#host = host;
    this.#tell = tell;
    this.left = new LeftWorlds(storage, host, tell);
  }

  get state(): SaveState {
    if (this.#branch !== undefined) return "saving";
    if (this.#saved === undefined || this.failure !== undefined) return "unsaved";
    // Of a new world nothing is on disk yet.
    const isNew = this.#saved.history.head === undefined;
    return isNew || this.#waiting > 0 ? "saving" : "saved";
  }

  get failure(): NoticeDraft["kind"] | undefined {
    return this.#failure?.kind ?? (this.left.failed ? "left" : undefined);
  }

  /** Actions that wait to be on disk. */
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

  /** Saves a world from now on, which is the session's. */
  follow(live: RunningWorld, history: History, use: Use = "play"): void {
    live.restoredFrom = undefined;
    live.past.journal = (from) => {
      addEntries(saved);
      return history.entriesFrom(from);
    };
    const saved = { live, history };
    this.#saved = saved;
    this.#use = use;
    live.past.below = (height) =>
      history.recent.below(roundsTo(live.sim, height), ({ simulation, pack }) => {
        const sim = readKeyframe(live.sim.spec, simulation, live.past, undefined, pack);
        return sim.height <= height ? sim : undefined;
      });
    this.#revision = 0;
    this.#failure = undefined;
    this.#keyframeAt = 0;
  }

  /** All that was done in the session's world, from the first on. */
  async *commands(): AsyncGenerator<JournalEntry> {
    const saved = this.#saved;
    const { live } = this.#session.player;
    if (saved?.live !== live) {
      yield* live.past.journal?.(0) ?? live.sim.entriesInMemory(0);
      return;
    }
    addEntries(saved);
    yield* saved.history.allEntries();
  }

  /** The branch that is played and has no history yet. */
  get branch(): Branch | undefined {
    return this.#branch;
  }

  /** Resolves when the branch that is played has a history, or when it is known that it cannot have one. */
  get branched(): Promise<void> {
    return this.#branched;
  }

  /**
   * Lets go of the world that is played for a branch of it, which is saved from when its history is there.
   * @param begin begins that; rejects if it cannot
   */
  follows(branch: Branch, begin: () => Promise<History>): void {
    const { player } = this.#session;
    this.#letGo();
    this.#branch = branch;
    const { live } = branch;
    this.#branched = begin()
      .then((history) => {
        if (player.live === live) this.follow(live, history);
        else this.left.add({ live, history }, this.#played(live));
      })
      .catch((error: unknown) => this.#tell(unavailableNotice(errorText(error))))
      .then(() => {
        if (this.#branch === branch) this.#branch = undefined;
        player.changed();
      });
  }

  /** Saves the world as it is before another takes its place. */
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

  /** Saves a last time; what cannot be written now is tried again, whatever is played meanwhile. */
  async close(): Promise<void> {
    await this.leave();
    this.#letGo();
  }

  /**
   * Lets go of the session's world without writing it any more.
   * @param work what needs that; if it rejects, the world is saved as before
   */
  async giveUp(work: () => Promise<void>): Promise<void> {
    await this.#branched;
    const saved = this.#saved;
    this.#saved = undefined;
    try {
      // A write under way would come after it.
      await this.#last;
      await work();
    } catch (error) {
      if (saved?.live === this.#session.player.live)
        this.follow(saved.live, saved.history, this.#use);
      else if (saved) this.left.add(saved, this.#played(saved.live));
      throw error;
    }
  }

  /** Saves the session's world, which has taken the place of the one before. */
  enter(): void {
    this.#letGo();
    this.begin(nameOf(this.#session.player.live));
  }

  #letGo(): void {
    const saved = this.#saved;
    this.#saved = undefined;
    if (saved !== undefined && this.#use === "play") this.left.add(saved, this.#played(saved.live));
  }

  /** Plays on a world that was left and is not written yet. Resolves to whether it is such a one. */
  async reopen(id: string): Promise<boolean> {
    if (this.left.get(id) !== undefined) await this.save();
    const saved = this.left.get(id);
    if (saved === undefined) return false;
    await this.close();
    this.left.take(id);
    this.#session.player.begin(saved.live);
    this.follow(saved.live, saved.history);
    this.#failure = unavailableNotice("the last save failed");
    return true;
  }

  /** Saves the session's world as a new one, which is written next. */
  begin(name: string): History {
    const { live } = this.#session.player;
    const history = beginHistory(live, name, this.#storage, this.#host);
    this.follow(live, history);
    return history;
  }

  /** Resolves when all up to now is on disk, or when it is known that it cannot be written. */
  async settled(): Promise<void> {
    if (this.#saved === undefined && this.#branch === undefined) return;
    this.#waiting += 1;
    this.#session.player.changed();
    try {
      await this.#branched;
      // A failed write is retried, and holds up nothing meanwhile.
      if (this.#failure) void this.save();
      else await this.save();
    } finally {
      this.#waiting -= 1;
      this.#session.player.changed();
    }
  }

  /** Writes what has changed since it was last written, after a write that is under way. Never rejects. */
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
    await this.left.write();
    try {
      await this.#write();
      this.#failure = undefined;
    } catch (error) {
      const before = this.#failure;
      this.#failure = noticeOf(error);
      if (before?.text !== this.#failure.text) this.#tell(this.#failure);
    }
    this.#isWriting = false;
    if (this.state !== state || this.#failure) this.#session.player.changed();
    this.#warn();
  }

  /** Says, before it happens, that old blocks are let go of which no copy is kept. */
  #warn(): void {
    const { live } = this.#session.player;
    if (this.state !== "unsaved" || this.#warned === live) return;
    if (live.sim.pages.residentBytes < NEARLY_FULL * RESIDENT_BYTES) return;
    this.#warned = live;
    this.#tell(LETTING_GO);
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
    const again = await writeWorld(saved, this.#played(live), this.#host, this.#tell);
    // Keyframes are not in memory as they were stored, so a new one takes the place of those that were lost.
    if (again && this.#planKeyframe(saved)) {
      await writeWorld(saved, this.#played(live), this.#host, this.#tell);
    }
    this.#revision = revision;
    this.#name = named;
    const { sim } = live;
    if (sim.journal.length > ENTRIES_IN_MEMORY) sim.releaseJournal(history.durable);
  }

  /**
   * Has a keyframe of a world that runs on written with the next save, if it is time for one. At full speed they take so
   * much that a save may be due before it is asked for.
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

  /** Loads a part of a world's past: from the storage, or by replay. Rejects with an Error that says why not. */
  async past(live: RunningWorld, part: HistoryPart): Promise<object> {
    const { player } = this.#session;
    this.#past ??= import("./past.ts").then(({ PastReader }) => new PastReader(this.#host));
    const reader = await this.#past;
    const played = live.of ?? live;
    const history = this.historyOf(played);
    const wanted = () => player.live === played;
    const progress = (done: number): void => {
      player.recalling = done;
    };
    try {
      return await reader.load({ live, history, wanted, progress }, part);
    } finally {
      player.recalling = undefined;
      reader.rest();
    }
  }

  /** Worlds that could not be written when that was last tried. */
  get unwritten(): readonly Saved[] {
    const saved = this.#failure ? this.#saved : undefined;
    return [...this.left.unwritten, ...(saved === undefined ? [] : [saved])];
  }

  /** A world as records that a file may hold, of which not all is written; undefined for others. */
  records(id: string): ReadonlyMap<string, Uint8Array> | undefined {
    const saved = this.#saved;
    if (saved === undefined || saved.history.id !== id) return this.left.records(id);
    return this.#failure ? recordsOf(saved, this.#played(saved.live), this.#host) : undefined;
  }

  /** Has a keyframe written when enough has happened since the last one, for what it takes; returns whether it has. */
  #planKeyframe(saved: Saved): boolean {
    const { live, history } = saved;
    if (!live.sim.isWhole || !history.takesKeyframes) return false;
    const { playing } = this.#session.player;
    const atRest = !playing && (!live.tasks.busy || live.tasks.held);
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

/** A name for a world that has none yet. */
export const nameOf = ({ origin }: RunningWorld): string =>
  (origin.scenario.title || origin.scenario.name || origin.file || "World")
    .slice(0, WORLD_NAME)
    // The first half of a character that was cut in two.
    .replace(/[\ud800-\udbff]$/, "");

function noticeOf(error: unknown): NoticeDraft {
  if (error instanceof LostWorld) return LOST;
  if (error instanceof TakenOver) return OVERTAKEN;
  return isFull(error) ? FULL : unavailableNotice(errorText(error));
}
