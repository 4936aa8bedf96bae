import type { StepResult } from "../scenario/runner.ts";
import type { ScenarioStep } from "../scenario/scenario.ts";
import type { Namespace } from "../view/namespaces.ts";
import type { StepStart } from "./saved.ts";

/** A step, as source and parsed. */
export interface QueuedStep {
  /** JSON; empty for a step of the story, whose file is stored. */
  readonly text: string;
  readonly step: ScenarioStep;
  /** Position in its list. */
  readonly index: number;
}

/** Steps that run in order up to the first that fails. */
export interface Task {
  readonly ofStory: boolean;
  readonly steps: readonly QueuedStep[];
  /**
   * Rounds per second, 0 as fast as possible; absent for the speed at which the chain is played.
   */
  readonly tempo?: number | undefined;
  /** Called for every step that ended. */
  stepEnded(result: StepResult): void;
  /** Called once with the result of the last step, or of the one that failed. */
  ended(result: StepResult): void;
}

type Run = (step: ScenarioStep, index: number) => Generator<void, StepResult>;

/** A queue of tasks; one step runs at a time. */
export class TaskQueue {
  /** Suspends the running step until the player resumes. */
  isPaused = false;
  readonly #run: Run;
  readonly #where: () => StepStart;
  readonly #waiting: Task[] = [];
  #task: Task | undefined;
  #rest: readonly QueuedStep[] = [];
  #running: Generator<void, StepResult> | undefined;
  #stepStart: StepStart | undefined;
  /** Namespace under which the step that is to run again started. */
  #again: Namespace | undefined;
  /** Number of the last command of the running task; 0 before its first. */
  #command = 0;

  constructor(run: Run, where: () => StepStart) {
    this.#run = run;
    this.#where = where;
  }

  get busy(): boolean {
    return this.#task !== undefined || this.#waiting.length > 0;
  }

  /** True if the next unit of work only starts a step, which needs no round of its own. */
  get starting(): boolean {
    return this.#running === undefined && !(this.#task?.ofStory ?? false);
  }

  /** The step that the next unit of work starts; undefined in the middle of one. */
  get begins(): ScenarioStep | undefined {
    const rest = this.#task === undefined ? this.#waiting[0]?.steps : this.#rest;
    return this.#running === undefined ? rest?.[0]?.step : undefined;
  }

  /** True while steps of the story are running or waiting. */
  get hasStorySteps(): boolean {
    return [this.#task, ...this.#waiting].some((task) => task?.ofStory);
  }

  /** Tempo of the running task, or of the next one. */
  get tempo(): number | undefined {
    return (this.#task ?? this.#waiting[0])?.tempo;
  }

  /** Journal position and round at which the running step started, and its namespace. */
  get stepStart(): StepStart | undefined {
    return this.#stepStart;
  }

  /** Sources of the steps that are running or waiting, without the story's. */
  get texts(): readonly string[] {
    const rest = this.#task?.ofStory ? [] : this.#rest;
    return [...rest, ...this.#waiting.flatMap(({ steps }) => steps)].flatMap(
      ({ text }) => text || [],
    );
  }

  /**
   * Namespace under which the running step queues transactions: the same to its end, also if it
   * runs again.
   */
  get namespace(): Namespace {
    return this.#again ?? this.#stepStart?.namespace ?? this.#where().namespace ?? "chain";
  }

  /** Makes the next step run again as it started. */
  runAgain({ namespace }: StepStart): void {
    this.#again = namespace;
  }

  add(task: Task): void {
    if (task.steps.length > 0) this.#waiting.push(task);
  }

  /** Runs up to the end of one consensus round or of one step. */
  work(): void {
    if (this.#task === undefined) {
      this.#task = this.#waiting.shift();
      this.#command = 0;
      this.#rest = this.#task?.steps ?? [];
    }
    const [next] = this.#rest;
    if (this.#task === undefined || next === undefined) return;
    const start = this.#where();
    const { entries } = start;
    const started = this.#stepStart ?? { ...start, ...(this.#again && { namespace: this.#again }) };
    this.#stepStart = started;
    this.#running ??= this.#run(next.step, next.index);
    const { done, value } = this.#running.next();
    const { entries: input } = this.#where();
    if (input > entries) this.#command = input;
    if (done) this.#stepEnded(this.#task, value);
  }

  #stepEnded(task: Task, result: StepResult): void {
    this.#running = this.#stepStart = this.#again = undefined;
    // Steps after a failed one must neither run nor be saved as pending.
    this.#rest = result.ok ? this.#rest.slice(1) : [];
    const over = this.#rest.length === 0;
    if (over) this.#task = undefined;
    if (!this.busy) this.isPaused = false;
    task.stepEnded(result);
    if (over) task.ended({ ...result, command: this.#command });
  }

  /** Aborts all running and queued tasks, with `message` as the reason. */
  abandon(message: string, height: number): void {
    const tasks = [...(this.#task ? [this.#task] : []), ...this.#waiting];
    const current = this.#rest[0];
    this.#waiting.length = 0;
    this.#task = this.#running = this.#stepStart = this.#again = undefined;
    this.#rest = [];
    this.isPaused = false;
    for (const task of tasks) {
      const { step, index } = (task === tasks[0] && current) || (task.steps[0] as QueuedStep);
      const result = { index, verb: step.verb, ok: false, height, message };
      task.stepEnded(result);
      task.ended(result);
    }
  }
}
