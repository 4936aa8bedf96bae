import { isBug } from "../base/error-text.ts";
import { errorText } from "../engine/framework/errors.ts";
import type { HistoryRanges } from "../engine/simulation/history-range.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";
import type { Namespace } from "../view/namespaces.ts";
import { type LoadPart, OpenHistory } from "./open-history.ts";
import { Pace } from "./pace.ts";
import type { Replay } from "./replay.ts";
import type { RunningWorld } from "./running-world.ts";

/** Rounds without a block after which the chain counts as halted. */
const STANDSTILL = 3;
/** Maximum rounds per second of a halted chain: each round advances its clock. */
const STANDSTILL_SPEED = 2;

/** The restore of a saved world. */
export interface Restore {
  readonly replay: Replay;
  /** An interrupted step runs as fast as possible up to this round, which it had reached. */
  readonly catchUpTo: number;
  /** Called when the replay is done, to run the interrupted step again. */
  replayed(): void;
  /** Called when the world is at its saved position. */
  restored(): void;
  /** Called instead if the world cannot be restored this way. */
  failed(error: unknown): void;
}

/**
 * Plays a world at a chosen speed, in slices: it does nothing between calls of `slice`, whose
 * result says when to call it again. Steps run one at a time, and nothing else advances the world
 * meanwhile.
 */
export class Player {
  /** Called when there may be work before the time that `slice` returned. */
  onWake: () => void = () => {};
  /** Called after every slice. */
  sliced: () => void = () => {};
  /** Reports a bug that has stopped the current work. */
  reportBug: (error: unknown) => void = () => {};
  /** Loads the history that the played world reads; if absent, everything is replayed at once. */
  load: LoadPart | undefined;
  readonly pace = new Pace();
  playing = true;
  /** True while a form that acts on the chain is open: no block is made automatically then. */
  formOpen = false;

  #live: RunningWorld;
  #namespace: Namespace = "chain";
  /** Requested single blocks that are still to be made. */
  #pendingBlocks = 0;
  /** Rounds since the last block. */
  #roundsWithoutBlock = 0;
  #restore: Restore | undefined;
  /** True while the restore is still replaying. */
  #replaying = false;
  /** A restored world is paused until it is released. */
  #isPaused = false;
  #revision = 1;
  /** History for the next unit of work, and the part that is being loaded. */
  #history: OpenHistory | undefined;
  #opening: Promise<void> | undefined;
  /** After a failed load the next unit of work replays the part, or is refused with the reason. */
  #allowReplay = false;

  constructor(live: RunningWorld) {
    this.#live = live;
  }

  get live(): RunningWorld {
    return this.#live;
  }
  get sim(): Simulation {
    return this.#live.sim;
  }
  /** Revision of the content of frames and saves. */
  get revision(): number {
    return this.#revision;
  }
  /** Progress of a restore, 0 to 1; undefined if there is none. */
  get restoring(): number | undefined {
    return this.#restore?.replay.progress;
  }
  /** Progress of a replay that restores old blocks, 0 to 1; undefined if there is none. */
  recalling: number | undefined;
  stops = 0;
  /** Requested single blocks that are still to be made. */
  get pendingBlocks(): number {
    return this.#pendingBlocks;
  }

  /**
   * Works for about `budget` milliseconds at most. Returns the milliseconds until there is more to
   * do: 0 means at once, Infinity not before it is woken. Never throws.
   */
  slice(budget: number, now: () => number): number {
    const wait = this.#slice(budget, now);
    this.sliced();
    return wait;
  }

  #slice(budget: number, now: () => number): number {
    const end = now() + budget;
    for (let time = now(); ; time = now()) {
      if (this.pace.measure(time, this.sim.height)) this.#revision += 1;
      const wait = this.#wait(time);
      if (wait > 0) return wait;
      if (time >= end) return 0;
      this.#work(time);
    }
  }

  /** Milliseconds until there is something to do. */
  #wait(now: number): number {
    const { tasks, story } = this.#live;
    this.pace.storySpeed = tasks.tempo ?? (tasks.hasStorySteps ? story?.tempo : undefined);
    if (this.#opening !== undefined || this.#isPaused) return Number.POSITIVE_INFINITY;
    if (this.#restore !== undefined) {
      return this.#replaying && this.#restore.replay.waiting ? Number.POSITIVE_INFINITY : 0;
    }
    if (this.#pendingBlocks > 0) return 0;
    if (this.formOpen && !(tasks.busy && tasks.starting)) return this.#rest();
    if (tasks.busy && !tasks.isPaused) {
      // A step that waits for a block on a halted chain should fail soon.
      const hurry = tasks.starting || this.#roundsWithoutBlock >= STANDSTILL;
      return hurry ? 0 : this.pace.wait(now, 0);
    }
    const storyWait = tasks.busy ? undefined : story?.wait(now);
    if (storyWait !== undefined && storyWait < Number.POSITIVE_INFINITY) return storyWait;
    if (this.playing && !tasks.busy && !story?.running) return this.pace.wait(now, this.#bound());
    return this.#rest();
  }

  #rest(): number {
    if (this.pace.rest()) this.#revision += 1;
    return Number.POSITIVE_INFINITY;
  }

  /** Maximum rounds per second, 0 for no limit: a halted chain is not retried at full speed. */
  #bound(): number {
    return this.#roundsWithoutBlock >= STANDSTILL && !this.#live.tasks.busy ? STANDSTILL_SPEED : 0;
  }

  #work(now: number): void {
    const { sim, observer } = this.#live;
    const { rounds, height } = sim;
    try {
      const opening = this.#open();
      if (opening !== undefined) this.#waitFor(opening);
      else {
        this.#doNext();
        observer.observe();
      }
    } catch (error) {
      this.#failed(error);
    }
    if (sim.rounds > rounds) {
      this.#roundsWithoutBlock = sim.height > height ? 0 : this.#roundsWithoutBlock + 1;
      this.pace.took(now, this.#bound());
    }
    this.#revision += 1;
  }

  /**
   * Loads the history that the next unit of work reads; undefined if it is open. Commands may
   * arrive meanwhile, so the ranges are then computed again: open parts stay open.
   */
  #open(): Promise<void> | undefined {
    if (this.load === undefined || this.#allowReplay) return undefined;
    this.#history ??= new OpenHistory(this.sim, this.load);
    return this.#history.openAll(this.#reads());
  }

  /** The ranges that the next unit of work reads, except those in the middle of a step. */
  *#reads(): HistoryRanges {
    const { sim, tasks, context } = this.#live;
    if (this.#restore !== undefined && this.#replaying) yield* this.#restore.replay.reads();
    yield* sim.readBy();
    if (tasks.busy) yield* tasks.begins?.action.reads(context) ?? [];
  }

  #doNext(): void {
    const history = this.#history;
    if (history === undefined) this.#doWith();
    else history.with(() => this.#doWith());
    if (history?.isEmpty === false) this.#history = undefined;
    this.#allowReplay = false;
  }

  #doWith(): void {
    if (this.#restore !== undefined) this.#restoreOn(this.#restore);
    else if (this.#pendingBlocks > 0) this.#runPendingBlock();
    else this.#runNext();
  }

  /** Runs one part of a step, the next beat, or a round if there is neither. */
  #runNext(): void {
    const { sim, tasks, story } = this.#live;
    if (tasks.busy) tasks.work();
    else if (story?.running) story.playBeat();
    else sim.advance();
  }

  #waitFor(opening: Promise<void>): void {
    this.#opening = opening;
    const come = (): void => {
      if (this.#opening !== opening) return;
      this.#opening = undefined;
      this.changed();
    };
    opening.then(come, (error: unknown) => {
      if (isBug(error)) this.reportBug(error);
      if (this.#opening === opening) this.#allowReplay = true;
      come();
    });
  }

  /**
   * A held step, or a story, continues: rounds outside it would be missing when it runs again after
   * a restart, and its own steps would not find the expected state. No block follows its last one.
   */
  #runPendingBlock(): void {
    const { tasks, story } = this.#live;
    const { height } = this.sim;
    const isPlaying = story?.running;
    const begins = isPlaying && !tasks.busy;
    this.#runNext();
    if (begins) tasks.isPaused = !story.continues;
    if (this.sim.height > height || this.#roundsWithoutBlock >= STANDSTILL)
      this.#pendingBlocks -= 1;
    if (isPlaying && !story.running) this.#pendingBlocks = 0;
  }

  /** Runs one part of the replay, then of the interrupted step. */
  #restoreOn(restore: Restore): void {
    const { replay, catchUpTo } = restore;
    if (this.#replaying) {
      if (!replay.done) {
        replay.step();
        return;
      }
      this.#replaying = false;
      restore.replayed();
    } else if (this.sim.rounds < catchUpTo && this.#live.tasks.busy) this.#live.tasks.work();
    else {
      this.#restore = undefined;
      this.#isPaused = true;
      this.pace.rest();
      restore.restored();
    }
  }

  /** Reports an unexpected error of the engine and pauses playback. */
  #failed(error: unknown): void {
    if (isBug(error)) this.reportBug(error);
    const restore = this.#restore;
    if (restore !== undefined) {
      this.#restore = undefined;
      restore.failed(error);
      return;
    }
    const text = errorText(error);
    this.playing = false;
    this.#pendingBlocks = 0;
    this.#live.tasks.abandon(`engine error: ${text}`, this.sim.height);
    this.addNote(`engine error: ${text}`, "error");
  }

  /** Adds a message of the simulator to the activity. */
  addNote(text: string, outcome: "info" | "error" = "info"): void {
    this.#live.observer.addNote(text, outcome);
    this.changed();
  }

  /** Namespace under which the chains played here are served. */
  get namespace(): Namespace {
    return this.#namespace;
  }
  set namespace(namespace: Namespace) {
    this.#namespace = this.#live.namespace = namespace;
  }

  /** Marks the session as changed and wakes its driver; call after every external change. */
  changed(): void {
    this.#revision += 1;
    this.onWake();
  }

  /** Replaces the world; steps of the old one are abandoned. */
  begin(live: RunningWorld): void {
    this.#live.tasks.abandon("another world has taken the place of this one", this.sim.height);
    this.#live = live;
    live.namespace = this.#namespace;
    this.#restore?.failed(new Error("another world has taken the place of this one"));
    this.#restore = undefined;
    this.#opening = this.#history = undefined;
    this.#allowReplay = this.#isPaused = false;
    this.#pendingBlocks = this.#roundsWithoutBlock = 0;
    this.changed();
  }

  /** Replaces the world by a saved one, which is then replayed to its saved position. */
  restore(live: RunningWorld, restore: Restore): void {
    this.begin(live);
    this.#restore = restore;
    this.#replaying = true;
    restore.replay.onReady(() => this.onWake());
    this.changed();
  }

  /** Lets a restored world continue, once it was compared with its save. */
  release(): void {
    this.#isPaused = false;
    this.changed();
  }

  stepBlocks(count: number): void {
    this.#pendingBlocks += count;
  }

  /** Pauses playback; a running step is held, and a story rests. */
  pause(): void {
    this.playing = false;
    this.#pendingBlocks = 0;
    this.#live.story?.rest();
    this.#live.tasks.isPaused = this.#live.tasks.busy;
  }

  play(): void {
    const { tasks, story } = this.#live;
    if (story?.running) story.autoplay = true;
    else this.playing = true;
    tasks.isPaused = false;
  }

  /** Drops pending blocks, all steps, the story and the replay of a what-if branch. */
  stop(): void {
    this.stops += 1;
    this.#pendingBlocks = 0;
    this.#live.story?.leave();
    this.#live.tasks.abandon("stopped", this.sim.height);
  }
}
