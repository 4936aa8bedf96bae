import type { Reading } from "../api/lab/reading.ts";
import type { WorldQueries } from "../api/lab/world-queries.ts";
import { STATUS, StatusError } from "../engine/framework/errors.ts";
import { unreachable } from "../engine/primitives/unreachable.ts";
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
import type { AskedSession } from "./ask.ts";
import type { Asker } from "./asker.ts";
import type { Compares } from "./comparing/compares.ts";
import { FIRST_ORIGIN } from "./first-world.ts";
import type { Host } from "./history/storage.ts";
import { MAX_SPEED } from "./pace.ts";
import { Player } from "./player.ts";
import { RunningWorld } from "./running-world.ts";
import type { Earlier } from "./saved.ts";
import type { Searching } from "./searching/searching.ts";

const MAX_STEP_BLOCKS = 100_000;

/** Loaded once: to import it again takes time as well. */
let ask: typeof import("./ask.ts").ask | undefined;

const interpreter = () => import("./interpreter.ts");

const firstWorld = (): RunningWorld => new RunningWorld(FIRST_ORIGIN);

/** A world and its player: the session-wide part of the service lab.v1.Lab. */
export class Session {
  readonly player = new Player(firstWorld());
  /** A warning about this session, e.g. that it is not saved; empty if there is none. */
  note = "";

  /** Called before another world takes the place of this one, and after. */
  leaving: () => Promise<void> = async () => {};
  entered: () => void = () => {};
  /** Services of the platform for work in slices; without them all work is synchronous. */
  host: Pick<Host, "clock" | "delay"> | undefined;
  /** Loads what is opened of a world's past; without it all is replayed at once. */
  past: AskedSession["past"];
  /** Asks the played world as it was at the end of a height; without it only what stands there is asked. */
  askAt: AskedSession["askAt"];
  /** Brings the world back to where it was, to be played so; only a world that is saved can go back. */
  goBack: ((to: Earlier, keeps: boolean) => Promise<void>) | undefined;
  /** All commands of the played world, from the first on; absent where they are only in memory. */
  commands: (() => AsyncIterable<JournalEntry>) | undefined;
  /** The played world as a scenario; only one whose commands are all kept can be recorded. */
  record: (() => Promise<LabAnswer<"recordScenario">>) | undefined;
  /**
   * Gives the commands up to a height again in a world that begins otherwise; only where worlds are kept. Rejects once
   * the one who asked has gone.
   */
  otherwise:
    | ((request: LabRequest<"forkWorld">, gone?: () => boolean) => Promise<LabAnswer<"forkWorld">>)
    | undefined;
  /** Number of cancellations of branches under construction; each one rejects. */
  branchStops = 0;
  /** Holds worlds against each other; only where worlds are kept. */
  comparing: (() => Promise<Compares>) | undefined;
  /** Searches families of scenarios; only where there are workers for it. */
  searching: (() => Promise<Searching>) | undefined;
  /** Some heights of the chain as a file, part by part; only one whose commands are all kept can be followed again. */
  export: ((request: LabRequest<"exportChain">) => Promise<LabAnswer<"exportChain">>) | undefined;
  /** Settled when the world is where it was: what is asked of it meanwhile waits. */
  restored: Promise<unknown> = Promise.resolve();

  get sim(): Simulation {
    return this.player.sim;
  }
  /** Asks the current world, or the one that it was at another height; queries are loaded with the first one. */
  async ask<T>(question: (queries: WorldQueries) => T | Reading<T>, asker?: Asker): Promise<T> {
    ask ??= (await import("./ask.ts")).ask;
    return ask(this, question, asker);
  }

  /** Unique id of the world. */
  get world(): string {
    return this.player.live.id;
  }

  /**
   * Builds a frame; its cost does not grow with the chain.
   * @param live the world as it was at a height, to be shown instead
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
    const told = live.story?.running ? live.story : undefined;
    const playing = told?.autoplay ?? this.player.playing;
    const { rate, speed: own } = pace;
    const speed = told?.speed ?? own;
    const busy = live.tasks.busy && !live.tasks.held;
    const { formOpen } = this.player;
    return { playing, speed, rate, busy, restoring, formOpen, note: this.note, notices: [] };
  }

  /** Controls playback. Throws a StatusError for an invalid value; resolves when a story has gone back. */
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

  /** Replaces the world by a scenario file's; a file with problems changes nothing. */
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
