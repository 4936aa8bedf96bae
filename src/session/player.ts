import { errorText } from "../engine/framework/errors.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";
import { Pace } from "./pace.ts";
import { Replay } from "./replay.ts";
import type { RunningWorld } from "./running-world.ts";
import type { SavedSession } from "./saved.ts";

/** Rounds without a block after which the chain counts as halted. */
const STANDSTILL = 3;
/** Most rounds per second of a halted chain: each round advances its clock. */
const STANDSTILL_SPEED = 2;

/**
 * Plays a world at a chosen speed, in slices: it does nothing between calls of `slice`, which says when
 * to call it again. Steps run one at a time, and nothing else advances the world meanwhile.
 */
export class Player {
  /** Called when there may be work before the time that `slice` returned. */
  onWake: () => void = () => {};
  readonly pace = new Pace();
  playing = true;

  readonly #another: () => RunningWorld;
  #live: RunningWorld;
  /** Blocks requested one by one that are still to be made. */
  #pendingBlocks = 0;
  /** Rounds since the last block. */
  #roundsWithoutBlock = 0;
  /** Time at which the story's next step may begin. */
  #readUntil = 0;
  #replay: Replay | undefined;
  #afterReplay = (): void => {};
  /** A step that was interrupted runs as fast as possible up to the round it had come to. */
  #catchUpTo = 0;
  #revision = 1;

  /** @param another makes the world to play, also in place of a saved one that cannot be replayed */
  constructor(another: () => RunningWorld) {
    this.#another = another;
    this.#live = another();
  }

  get live(): RunningWorld {
    return this.#live;
  }
  get sim(): Simulation {
    return this.#live.sim;
  }
  /** Revision of what a frame shows and of what is saved. */
  get revision(): number {
    return this.#revision;
  }
  /** Progress of a replay, 0 to 1; undefined if there is none. */
  get restoring(): number | undefined {
    return this.#replay?.progress;
  }
  /** The round it has come to, or had before a step was interrupted. */
  get rounds(): number {
    return Math.max(this.sim.rounds, this.#catchUpTo);
  }

  /**
   * Works for about `budget` milliseconds at most. Returns after how many milliseconds there is more to
   * do: 0 means at once, Infinity not before it is woken. Never throws.
   */
  slice(budget: number, now: () => number): number {
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
    const { tasks } = this.#live;
    if (this.#replay !== undefined || this.#pendingBlocks > 0) return 0;
    if (tasks.busy && !tasks.held) {
      if (tasks.upcoming && now < this.#readUntil) return this.#readUntil - now;
      // A step that waits for a block on a halted chain should fail soon.
      const hurry = tasks.starting || this.#roundsWithoutBlock >= STANDSTILL;
      return hurry || this.sim.rounds < this.#catchUpTo ? 0 : this.pace.wait(now, 0);
    }
    if (this.playing && !tasks.busy) return this.pace.wait(now, this.#bound());
    if (this.pace.rest()) this.#revision += 1;
    return Number.POSITIVE_INFINITY;
  }

  /** Rounds per second at most, 0 for any: a halted chain is not retried at full speed. */
  #bound(): number {
    return this.#roundsWithoutBlock >= STANDSTILL && !this.#live.tasks.busy ? STANDSTILL_SPEED : 0;
  }

  #work(now: number): void {
    const { sim, tasks, observer } = this.#live;
    const { rounds, height } = sim;
    try {
      if (this.#replay !== undefined) this.#replayOn(this.#replay);
      else if (this.#pendingBlocks > 0) this.#runPendingBlock();
      else if (tasks.busy) this.#workOnTask(now);
      else sim.advance();
      observer.observe();
    } catch (error) {
      this.#failed(errorText(error));
    }
    if (sim.rounds > rounds) {
      this.#roundsWithoutBlock = sim.height > height ? 0 : this.#roundsWithoutBlock + 1;
      this.pace.took(now, this.#bound());
    }
    this.#revision += 1;
  }

  /** Delays a story's next step by the time to read its note. */
  #workOnTask(now: number): void {
    const { tasks } = this.#live;
    tasks.work();
    const { upcoming } = tasks;
    if (upcoming && this.sim.rounds >= this.#catchUpTo) {
      this.#readUntil = now + this.pace.reading(upcoming.note ?? "");
    }
  }

  #runPendingBlock(): void {
    const { height } = this.sim;
    this.sim.advance();
    if (this.sim.height > height || this.#roundsWithoutBlock >= STANDSTILL)
      this.#pendingBlocks -= 1;
  }

  #replayOn(replay: Replay): void {
    if (replay.done) {
      this.#replay = undefined;
      this.pace.rest();
      this.#afterReplay();
    } else replay.step();
  }

  /** Reports an unexpected error of the engine and pauses playback. */
  #failed(text: string): void {
    if (this.#replay !== undefined) {
      this.begin(this.#another());
      this.playing = true;
      this.say(`The saved world could not be brought back (${text}); this is a new one.`, "error");
      return;
    }
    this.playing = false;
    this.#pendingBlocks = 0;
    this.#live.tasks.abandon(`engine error: ${text}`, this.sim.height);
    this.say(`engine error: ${text}`, "error");
  }

  /** Adds a message of the simulator to the activity. */
  say(text: string, outcome: "info" | "error" = "info"): void {
    this.#live.observer.say(text, outcome);
    this.changed();
  }

  /** Marks the session as changed and wakes its driver. Call after every change from outside. */
  changed(): void {
    this.#revision += 1;
    this.onWake();
  }

  /** Replaces the world; steps of the old one are abandoned. */
  begin(live: RunningWorld): void {
    this.#live.tasks.abandon("another world has taken the place of this one", this.sim.height);
    this.#live = live;
    this.#replay = undefined;
    this.#pendingBlocks = this.#roundsWithoutBlock = this.#catchUpTo = 0;
    this.changed();
  }

  /** Replaces the world by a saved one and replays its journal; `then` is called at the end. */
  replay(live: RunningWorld, saved: SavedSession, then: () => void): void {
    const { journal, began, rounds } = saved;
    this.begin(live);
    this.#replay = new Replay(live.sim, journal.slice(0, began?.journal), began?.rounds ?? rounds);
    this.#afterReplay = () => {
      this.#catchUpTo = rounds;
      then();
    };
  }

  stepBlocks(count: number): void {
    this.#pendingBlocks += count;
  }

  /** Pauses playback; a running step is held. */
  pause(): void {
    this.playing = false;
    this.#pendingBlocks = 0;
    this.#live.tasks.held = this.#live.tasks.busy;
  }

  play(): void {
    this.playing = true;
    this.#live.tasks.held = false;
  }

  /** Drops pending blocks and abandons all steps. */
  stop(): void {
    this.#pendingBlocks = 0;
    this.#live.tasks.abandon("stopped", this.sim.height);
  }
}
