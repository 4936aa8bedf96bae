import { unreachable } from "../base/unreachable.ts";
import { STATUS, StatusError } from "../engine/framework/errors.ts";
import type { JournalEntry } from "../engine/simulation/command.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";
import type {
  ControlRequest,
  Frame,
  LabAnswer,
  LabRequest,
  Player as PlayerView,
  StepPreview,
  StepResult,
} from "../gen/lab/v1/lab_plain.ts";
import type { Reading } from "../view/lab/reading.ts";
import type { WorldQueries } from "../view/lab/world-queries.ts";
import type { Caller } from "./caller.ts";
import type { Compares } from "./comparing/compares.ts";
import { FIRST_ORIGIN } from "./first-world.ts";
import type { Host } from "./history/storage.ts";
import { MAX_SPEED } from "./pace.ts";
import { Player } from "./player.ts";
import type { QueriedSession } from "./query.ts";
import { RunningWorld } from "./running-world.ts";
import type { RewindTarget } from "./saved.ts";
import type { Searching } from "./searching/searching.ts";

const MAX_STEP_BLOCKS = 100_000;

/** Loaded once: a repeated import takes time too. */
let ask: typeof import("./query.ts").query | undefined;

const interpreter = () => import("./interpreter.ts");

const firstWorld = (): RunningWorld => new RunningWorld(FIRST_ORIGIN);

/** A world and its player: the session-wide part of the service lab.v1.Lab. */
export class Session {
  readonly player = new Player(firstWorld());
  /** A warning about this session, e.g. that it is not saved; empty if there is none. */
  note = "";

  /** Called before another world replaces this one, and after. */
  leaving: () => Promise<void> = async () => {};
  entered: () => void = () => {};
  /** Services of the platform for work in slices; without them all work is synchronous. */
  host: Pick<Host, "clock" | "delay"> | undefined;
  /**
   * Loads the parts of a world's history that a reader opens; if absent, everything is replayed at
   * once.
   */
  loadPart: QueriedSession["loadPart"];
  /**
   * Queries the played world as of the end of a height; if absent, only the current world is
   * queried.
   */
  queryAt: QueriedSession["queryAt"];
  /**
   * Rewinds the world to an earlier moment and playing state; only a saved world can be rewound.
   */
  rewind: ((to: RewindTarget, keeps: boolean) => Promise<void>) | undefined;
  /** All commands of the played world, from the first on; absent if they are only in memory. */
  commands: (() => AsyncIterable<JournalEntry>) | undefined;
  /** Records the played world as a scenario; requires that all of its commands are stored. */
  record: (() => Promise<LabAnswer<"recordScenario">>) | undefined;
  /**
   * Replays the commands up to a height in a world with a changed value; only where worlds are
   * stored. Rejects once the caller has gone.
   */
  branchWhatIf:
    | ((request: LabRequest<"forkWorld">, gone?: () => boolean) => Promise<LabAnswer<"forkWorld">>)
    | undefined;
  /** Number of cancellations of branches under construction; each one rejects. */
  branchStops = 0;
  /** Compares worlds; only where worlds are stored. */
  comparing: (() => Promise<Compares>) | undefined;
  /** Searches families of scenarios; only if there are workers for it. */
  searching: (() => Promise<Searching>) | undefined;
  /**
   * Exports heights of the chain as a file, part by part; requires that all of its commands are
   * stored.
   */
  export: ((request: LabRequest<"exportChain">) => Promise<LabAnswer<"exportChain">>) | undefined;
  /** Settled when the world is restored: queries wait for it. */
  restored: Promise<unknown> = Promise.resolve();

  get sim(): Simulation {
    return this.player.sim;
  }
  /**
   * Queries the current world, or the world at another height; the query module is loaded on first
   * use.
   */
  async query<T>(question: (queries: WorldQueries) => T | Reading<T>, caller?: Caller): Promise<T> {
    ask ??= (await import("./query.ts")).query;
    return ask(this, question, caller);
  }

  /** Unique id of the world. */
  get world(): string {
    return this.player.live.id;
  }

  /**
   * Builds a frame; its cost does not grow with the chain.
   * @param live the world as of a height, to be shown instead
   */
  getFrame(
    request: LabRequest<"getFrame">,
    { id, frames }: RunningWorld = this.player.live,
  ): Frame {
    const { revision } = this.player;
    const about = { revision, world: id };
    if (request.revision === revision) return { ...NOTHING_NEW, ...about };
    return {
      ...frames.build(request),
      ...about,
      player: this.#player(),
      story: this.player.live.story?.draw(),
    };
  }

  #player(): PlayerView {
    const { pace, live, recalling = 0, restoring = recalling } = this.player;
    const story = live.story?.running ? live.story : undefined;
    const playing = story?.autoplay ?? this.player.playing;
    const { rate, speed: own } = pace;
    const speed = story?.speed ?? own;
    const busy = live.tasks.busy && !live.tasks.isPaused;
    const { formOpen } = this.player;
    return { playing, speed, rate, busy, restoring, formOpen, note: this.note, notices: [] };
  }

  /**
   * Controls playback. Throws a StatusError for an invalid value; resolves when a story was
   * rewound.
   */
  control(action: ControlRequest["action"] | undefined): Promise<void> | undefined {
    const { player } = this;
    const { story } = player.live;
    switch (action?.case) {
      case "play":
        player.play();
        break;
      case "pause":
        player.pause();
        break;
      case "autoplay":
        if (action.value) player.play();
        else story?.rest();
        break;
      case "speed":
        (story?.running ? story : player.pace).speed = within(
          action.value,
          0,
          MAX_SPEED,
          "a speed",
        );
        break;
      case "stepBlocks":
        player.stepBlocks(
          Math.floor(within(action.value, 1, MAX_STEP_BLOCKS, "a number of blocks")),
        );
        break;
      case "stop":
        player.stop();
        break;
      case "beat":
        return interpreter().then(({ goToBeat }) => goToBeat(this, action.value));
      case "formOpen":
        player.formOpen = action.value;
        break;
      case "runOn":
        return interpreter().then(({ runOn }) => runOn(this, action.value));
      case "stopBranch":
        this.branchStops += 1;
        break;
      case "startOver":
        player.begin(firstWorld());
        this.entered();
        player.play();
        break;
      case undefined:
        throw new StatusError(STATUS.invalidArgument, "nothing to do was asked for");
      default:
        unreachable(action);
    }
    player.changed();
    return undefined;
  }

  /** Queues one step, or a JSON list of steps. */
  async runStep(text: string, how?: Omit<LabRequest<"runStep">, "step">): Promise<StepResult> {
    return (await interpreter()).runSteps(this, text, how);
  }

  async preview(text: string): Promise<StepPreview> {
    return (await interpreter()).previewOf(this, text);
  }

  /** Replaces the world by that of a scenario file; a file with problems changes nothing. */
  async loadScenario(request: LabRequest<"loadScenario">): Promise<LabAnswer<"loadScenario">> {
    return (await interpreter()).replaceWorld(this, request);
  }
}

const NOTHING_NEW: Omit<Frame, "revision" | "world"> = {
  chain: undefined,
  player: undefined,
  validators: [],
  nodes: [],
  chainStatus: undefined,
  plan: undefined,
  binaries: [],
  moduleVersions: [],
  proposals: [],
  blocks: [],
  activity: [],
  story: undefined,
  evidence: [],
  endedPlans: [],
  evidenceDecided: 0,
  evidenceWaiting: 0,
  samples: [],
  forks: [],
  metForks: [],
  faults: undefined,
  accounts: [],
  applied: [],
  tampered: [],
};

function within(value: number, least: number, greatest: number, what: string): number {
  if (value >= least && value <= greatest) return value;
  throw new StatusError(
    STATUS.invalidArgument,
    `expected ${what} from ${least} to ${greatest}, found ${value}`,
  );
}
