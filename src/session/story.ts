import type { Simulation } from "../engine/simulation/simulation.ts";
import type { Beat as BeatView, Story as StoryView } from "../gen/lab/v1/lab_plain.ts";
import { type Beat, beatsOf } from "../scenario/beats.ts";
import { violationText } from "../scenario/properties/violation.ts";
import { PropertyWatch, type WatchedProperty } from "../scenario/properties/watch.ts";
import { resolveText } from "../scenario/references.ts";
import type { StepResult } from "../scenario/runner.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { Show } from "../scenario/show.ts";
import type { StepContext } from "../scenario/step-context.ts";
import { readingMs, USUAL_PACE } from "../scenario/story-duration.ts";
import type { BeatStart, Position, SavedStory, StoryState } from "./saved.ts";
import type { TaskQueue } from "./tasks.ts";

/** Blocks per second above which sentences cannot be read. */
const TOO_FAST_TO_READ = 50;
/** Target of a story: a beat, or its end. */
export interface Aim {
  readonly index: number;
  readonly done: boolean;
}

/** The world in which a story is played. */
interface StoryWorld {
  readonly origin: { readonly scenario: Scenario; readonly file: string; readonly until?: number };
  readonly sim: Simulation;
  readonly context: StepContext;
  readonly tasks: TaskQueue;
}

/**
 * Plays a scenario's steps beat by beat, at their own speed. Between two beats the world is paused.
 */
export class Story {
  readonly beats: readonly Beat[];
  /** Blocks per second; 0 is as fast as possible. */
  speed: number;
  /** True if the next beat starts automatically. */
  autoplay = true;
  readonly #live: StoryWorld;
  #state: StoryState = "none";
  #results: readonly StepResult[] = [];
  /** Start positions of the beats that have begun; undefined where none was recorded. */
  #starts: readonly (BeatStart | undefined)[] = [];
  /** Checks the properties of the file while its steps run. */
  #watch: PropertyWatch;
  /** Commands up to the end of the last beat; undefined if unknown. */
  #playedCommands: number | undefined;
  /** Commands up to the last manual one before the last beat. */
  #own = 0;
  /** Beat up to which the story plays without a further request. */
  #aim: Aim | undefined;
  /** Time at which the last beat ended. */
  #ended: number | undefined;
  #drawn: StoryView | undefined;

  constructor(live: StoryWorld) {
    const { steps, pace = USUAL_PACE } = live.origin.scenario;
    this.#live = live;
    this.#watch = this.#watchFrom();
    this.beats = beatsOf(steps);
    this.speed = pace;
  }

  get state(): StoryState {
    return this.#state;
  }
  get running(): boolean {
    return this.#state === "running";
  }
  /** Position of the step that runs or ran last. */
  get current(): number {
    const ended = this.#results.length;
    return this.running ? ended : Math.max(ended - 1, 0);
  }
  /** Message of the failed step. */
  get message(): string {
    return this.#results.at(-1)?.message ?? "";
  }
  /** Index of the beat that is playing, or was played last; -1 before the first. */
  get beat(): number {
    return this.#starts.length - 1;
  }
  /** Blocks per second now: beats that are skipped run at full speed. */
  get tempo(): number {
    return this.#passes(this.beat) ? 0 : this.speed;
  }
  /** True if it continues without a request. */
  get continues(): boolean {
    return this.autoplay || (this.#aim !== undefined && this.beat <= this.#aim.index);
  }

  #passes(beat: number): boolean {
    const { index, done } = this.#aim ?? { index: -1, done: false };
    return beat < index || (beat === index && done);
  }

  begin(): void {
    this.#change(this.beats.length > 0 ? "running" : "passed", []);
  }

  /** Leaves the story; the effects of its steps stay. */
  leave(): void {
    this.#starts = [];
    this.#change("none", []);
  }

  /**
   * Milliseconds until the next beat starts; undefined if there is none. Not called while a beat is
   * playing.
   */
  wait(now: number): number | undefined {
    if (!this.running) return undefined;
    this.#ended = Math.min(this.#ended ?? now, now);
    if (this.#aim && this.beat < this.#aim.index) return 0;
    if (!this.autoplay) return Number.POSITIVE_INFINITY;
    if (this.beat < 0) return 0;
    return Math.max(this.#ended + this.#reading() - now, 0);
  }

  /** Reading time of the last beat. */
  #reading(): number {
    const { speed } = this;
    if (speed === 0 || speed >= TOO_FAST_TO_READ || this.#passes(this.beat)) return 0;
    const { pace = USUAL_PACE } = this.#live.origin.scenario;
    return readingMs(this.beats[this.beat]?.sentence ?? "") / Math.max(speed / pace, 1);
  }

  /** Starts the next beat. */
  playBeat(): void {
    const { rounds, journalLength: entries } = this.#live.sim;
    this.#own = this.own;
    this.#starts = [...this.#starts, { rounds, entries, ...this.#watched() }];
    this.#run(this.beats[this.beat]?.first ?? 0);
  }

  /** Runs the steps of the current beat from one on. */
  #run(from: number): void {
    const { end = from } = this.beats[this.beat] ?? {};
    const steps = this.#live.origin.scenario.steps.slice(from, end);
    this.#ended = this.#drawn = undefined;
    this.#live.tasks.add({
      ofStory: true,
      steps: steps.map((step, i) => {
        const index = from + i;
        return { text: "", step: this.#watch.watched(step, index), index };
      }),
      stepEnded: (result) => this.#stepEnded(result),
      ended: () => {},
    });
  }

  #stepEnded(result: StepResult): void {
    if (!this.running) return;
    this.#playedCommands = this.#live.sim.journalLength;
    const results = [...this.#results, result];
    const over = results.length === this.#live.origin.scenario.steps.length;
    const isWhole = over && this.#live.origin.until === undefined;
    const missed = isWhole && result.ok ? this.#watch.end(true) : undefined;
    if (missed)
      results[results.length - 1] = { ...result, ok: false, message: violationText(missed) };
    this.#change(result.ok && !missed ? (over ? "passed" : "running") : "failed", results);
  }

  #watchFrom(before?: readonly WatchedProperty[]): PropertyWatch {
    return new PropertyWatch(this.#live.context, this.#live.origin.scenario, before);
  }

  /** Progress of the properties, if there are any. */
  #watched(): Pick<BeatStart, "watched"> {
    const { saved } = this.#watch;
    return saved.length > 0 ? { watched: saved } : {};
  }

  /**
   * Continues to a beat that was not played yet; false if it was, so that the story must be
   * rewound.
   */
  continueTo(aim: Aim): boolean {
    const { index, done } = aim;
    const isPlayed = index < this.beat || (index === this.beat && !(done && this.running));
    if (isPlayed) return false;
    this.#aim = aim;
    this.#live.tasks.isPaused = false;
    return true;
  }

  /** Starts no further beat automatically; the one that is playing runs to its end. */
  rest(): void {
    this.autoplay = false;
    this.#aim = undefined;
  }

  /** Commands up to the last manual one; 0 if there is none. */
  get own(): number {
    const { sim, tasks } = this.#live;
    return (this.#playedCommands ?? Number.NaN) < sim.journalLength && !tasks.hasStorySteps
      ? sim.journalLength
      : this.#own;
  }

  /** Position and state of the story at the start of a beat; undefined if they are unknown. */
  before(beat: number): { readonly at: Position; readonly story: SavedStory } | undefined {
    const start = this.#starts[beat];
    if (start === undefined) return undefined;
    const { watched, ...at } = start;
    const current = this.beats[beat]?.first ?? 0;
    const starts = this.#starts.slice(0, beat);
    const { autoplay, speed } = this;
    const { until } = this.#live.origin;
    return {
      at,
      story: {
        ...{ state: "running", current, message: "", resting: true, autoplay, speed },
        starts: starts.map((start) => start ?? NOWHERE),
        told: at.entries,
        // The discarded part is saved separately with the actions before it.
        own: this.#own > at.entries ? 0 : this.#own,
        ...(watched && { watched }),
        ...(until !== undefined && { until }),
      },
    };
  }

  /** Names of the results of all steps from one on. */
  namesFrom(step: number): readonly string[] {
    return this.#live.origin.scenario.steps.slice(step).flatMap(({ as }) => as ?? []);
  }

  /** All state that is not in the scenario. */
  get saved(): SavedStory {
    const { state, current, message, autoplay, speed } = this;
    const starts = this.#starts.map((start) => start ?? NOWHERE);
    const resting = this.running && !this.#live.tasks.hasStorySteps;
    const played = this.#playedCommands !== undefined && {
      told: this.#playedCommands,
      own: this.#own,
    };
    const { until } = this.#live.origin;
    return {
      state,
      current,
      message,
      autoplay,
      speed,
      starts,
      ...this.#watched(),
      ...played,
      ...(resting && { resting }),
      ...(until !== undefined && { until }),
    };
  }

  /**
   * Restores the progress; the beat that was playing continues. Saves of earlier versions contain
   * less.
   */
  resume({
    state,
    current,
    message,
    resting,
    autoplay,
    speed,
    starts,
    watched,
    told,
    own,
  }: SavedStory): void {
    this.#watch = this.#watchFrom(watched);
    const { steps } = this.#live.origin.scenario;
    const ended = state === "running" ? current : state === "none" ? 0 : current + 1;
    const results = steps.slice(0, ended).map(({ verb }, index) => {
      const failed = state === "failed" && index === current;
      return { index, verb, ok: !failed, height: 0, message: failed ? message : "" };
    });
    const started = this.beats.filter(
      ({ first }) => state !== "none" && (first < current || (first === current && !resting)),
    ).length;
    this.#starts = Array.from({ length: started }, (_, i) => {
      const start = starts?.[i];
      return start && start.rounds >= 0 ? start : undefined;
    });
    this.autoplay = autoplay ?? true;
    this.speed = speed ?? this.speed;
    this.#playedCommands = told;
    this.#own = own ?? 0;
    this.#change(state, results);
    if (this.running && !resting) this.#run(current);
  }

  /** Copies the results of checks from an earlier run of the story. */
  recall(earlier: Story): void {
    this.#results = this.#results.map((result, i) => ({ ...earlier.#results[i], ...result }));
    this.#drawn = undefined;
  }

  #change(state: StoryState, results: readonly StepResult[]): void {
    this.#state = state;
    this.#results = results;
    this.#drawn = undefined;
  }

  /** The view of the story in a frame; the same object as long as nothing has changed. */
  draw(): StoryView {
    this.#drawn ??= this.#draw();
    const { autoplay } = this;
    const acted = this.own > 0;
    if (this.#drawn.autoplay !== autoplay || this.#drawn.acted !== acted)
      this.#drawn = { ...this.#drawn, autoplay, acted };
    return this.#drawn;
  }

  #draw(): StoryView {
    const { scenario, file } = this.#live.origin;
    const { name, title, about, steps } = scenario;
    const running = this.running && this.#live.tasks.hasStorySteps ? this.#results.length : -1;
    return {
      ...{ name, title, about, file, state: this.#state, current: this.current },
      autoplay: this.autoplay,
      acted: this.own > 0,
      beat: Math.max(this.beat, 0),
      beats: this.beats.map((beat, index) => this.#drawBeat(beat, index)),
      steps: steps.map(({ verb, text, note = "", expected = "" }, index) => {
        const { ok, message = "", found = "" } = this.#results[index] ?? {};
        const done = ok === undefined ? undefined : ok ? "ok" : "failed";
        const state = done ?? (index === running ? "running" : "pending");
        return { index, verb, note, state, message, expected, found, does: text };
      }),
    };
  }

  #drawBeat({ sentence, first, end, show }: Beat, index: number): BeatView {
    const failed = this.#results.slice(first, end).some(({ ok }) => !ok);
    const isPlayed = this.#results.length >= end;
    const isStarted = index <= this.beat;
    const state = failed ? "failed" : isPlayed ? "ok" : isStarted ? "running" : "pending";
    return { sentence, first, end, state, ...this.#drawShow(show) };
  }

  #drawShow({ view, drawer, highlight, select }: Show) {
    const [kind, id] =
      typeof select === "string" ? ["node", select] : (Object.entries(select ?? {})[0] ?? ["", ""]);
    const selectionId = this.#resolved(String(id));
    return {
      ...{ view: view ?? "", drawer: drawer ?? "", highlight: highlight ?? "" },
      ...{ selectionKind: selectionId && kind, selectionId },
    };
  }

  /** Resolves the references in a text; empty while that is impossible. */
  #resolved(text: string): string {
    try {
      return resolveText(this.#live.context, text);
    } catch {
      return "";
    }
  }
}

/** Placeholder for an unrecorded start. */
const NOWHERE: Position = { rounds: -1, entries: -1 };
