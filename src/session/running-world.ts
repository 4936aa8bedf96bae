import { type HistorySource, Simulation } from "../engine/simulation/simulation.ts";
import { runStep, type StepResult } from "../scenario/runner.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { StepContext, StepValue } from "../scenario/step-context.ts";
import { FrameBuilder } from "../view/lab/frame/frame.ts";
import { Observer, type ObserverState } from "../view/lab/frame/observer.ts";
import type { Texts } from "../view/lab/texts.ts";
import type { Namespace } from "../view/namespaces.ts";
import type { History } from "./history/history.ts";
import type { Story } from "./story.ts";
import { type QueuedStep, TaskQueue } from "./tasks.ts";

/** The origin of a world: a scenario and the file it was read from. */
export interface Origin {
  readonly scenario: Scenario;
  readonly file: string;
  readonly text: string;
  /** Number of the file's steps in the scenario; absent if it has all of them. */
  readonly until?: number;
}

/** A running simulation, and the recordings of its observer. */
export interface Observed {
  readonly sim: Simulation;
  readonly historySource: HistorySource;
  /** Absent for a new simulation. */
  readonly state?: ObserverState | undefined;
  /** The world in whose history this one is. */
  readonly of?: RunningWorld;
}

let worlds = 0;

/** A world being played, with its observer, tasks and story. */
export class RunningWorld {
  /**
   * Builds the sentences of frames. Loaded with the module that opens worlds: nothing can be done
   * to the first world before that, and all of its nodes vote.
   */
  static texts: Texts = {
    explainStatus: () => ({ remedies: [], because: "Every node votes." }),
    stepText: ({ kind }) => ({ what: kind, found: "" }),
  };
  readonly id: string;
  /** If only some steps of a file were to run, it gets more when the run continues. */
  origin: Origin;
  readonly context: StepContext;
  readonly sim: Simulation;
  /** Source from which the simulation reloads evicted history; its journal by default. */
  readonly historySource: HistorySource;
  /** The world in whose history this one is; undefined for a played world. */
  of: RunningWorld | undefined;
  /** The history that it is restored from: it can be read before the world is saved again. */
  restoredFrom: History | undefined;
  readonly observer: Observer;
  readonly frames: FrameBuilder;
  /** Set if the origin has a story; its player is loaded with the first one. */
  story: Story | undefined;
  readonly tasks: TaskQueue;
  /** Namespace under which its chain is served: clients can read the transactions of its steps. */
  namespace: Namespace = "chain";

  /**
   * Throws an Error for an invalid genesis.
   * @param results named results of a saved session
   * @param observed a running simulation of this origin, and the recordings of its observer
   */
  constructor(
    origin: Origin,
    results: ReadonlyMap<string, StepValue> = new Map(),
    observed?: Observed,
  ) {
    this.historySource = observed?.historySource ?? {};
    this.of = observed?.of;
    this.sim = observed?.sim ?? Simulation.create(origin.scenario.spec, this.historySource);
    worlds += 1;
    this.id = `world-${worlds}`;
    this.origin = origin;
    const words: Texts = {
      explainStatus: (...status) => RunningWorld.texts.explainStatus(...status),
      stepText: (step) => RunningWorld.texts.stepText(step),
    };
    this.observer = new Observer(this.sim, words, observed?.state);
    this.frames = new FrameBuilder(this.sim, this.observer, words);
    const tasks = new TaskQueue(
      (step, index) => runStep(this.context, step, index),
      () => ({
        rounds: this.sim.rounds,
        entries: this.sim.journalLength,
        namespace: this.namespace,
      }),
    );
    this.tasks = tasks;
    this.context = {
      sim: this.sim,
      follow: () => this,
      results,
      get namespace() {
        return tasks.namespace;
      },
    };
  }

  /** Runs the given steps; `ended` is called with the result of the last one that ran. */
  runSteps(
    steps: readonly QueuedStep[],
    ended: (result: StepResult) => void,
    tempo?: number,
  ): void {
    this.tasks.add({ ofStory: false, steps, tempo, stepEnded() {}, ended });
  }
}
