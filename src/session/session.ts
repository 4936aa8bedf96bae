import type { WorldQueries } from "../api/lab/world-queries.ts";
import { errorText, STATUS, StatusError } from "../engine/framework/errors.ts";
import { unreachable } from "../engine/primitives/unreachable.ts";
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
import { NO_PREVIEW, previewStep } from "../scenario/runner.ts";
import { FIRST_ORIGIN } from "./first-world.ts";
import { MAX_SPEED } from "./pace.ts";
import { Player } from "./player.ts";
import { RunningWorld } from "./running-world.ts";

const MAX_STEP_BLOCKS = 100_000;

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
  /** Reads what is not in memory of the blocks of some heights. */
  ready: (from: number, to: number) => Promise<void> = async () => {};
  /** Settled when the world is where it was: what is asked of it meanwhile waits. */
  restored: Promise<unknown> = Promise.resolve();

  get sim(): Simulation {
    return this.player.sim;
  }
  /** The queries of the current world; loaded with the first one. */
  async queries(): Promise<WorldQueries> {
    const { WorldQueries } = await import("../api/lab/world-queries.ts");
    const { sim, context } = this.player.live;
    return new WorldQueries(sim, context.follow);
  }
  /** Unique id of the world. */
  get world(): string {
    return this.player.live.id;
  }

  /** Builds a frame; its cost does not grow with the chain. */
  getFrame(request: LabRequest<"getFrame">): Frame {
    const { revision, live } = this.player;
    const { id, frames, story } = live;
    const about = { revision, world: id };
    if (request.revision === revision) return { ...NOTHING_NEW, ...about };
    return {
      ...frames.build(request),
      ...about,
      player: this.#player(),
      story: story.draw(),
    };
  }

  #player(): PlayerView {
    const { playing, pace, live, restoring = 0 } = this.player;
    const { speed, rate } = pace;
    const busy = live.tasks.busy && !live.tasks.held;
    return { playing, speed, rate, busy, restoring, note: this.note, notices: [] };
  }

  /** Controls playback. Throws a StatusError for an invalid value. */
  control(action: ControlRequest["action"] | undefined): void {
    const { player } = this;
    switch (action?.case) {
      case "play":
        player.play();
        break;
      case "pause":
        player.pause();
        break;
      case "speed":
        player.pace.speed = within(action.value, 0, MAX_SPEED, "a speed");
        break;
      case "stepBlocks":
        player.stepBlocks(
          Math.floor(within(action.value, 1, MAX_STEP_BLOCKS, "a number of blocks")),
        );
        break;
      case "stop":
        player.stop();
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
  }

  /** Queues one step, or a JSON list of steps. */
  async runStep(text: string): Promise<StepResult> {
    const { readSteps } = await interpreter();
    await this.restored;
    const { live } = this.player;
    const read = live.tasks.held
      ? { problem: { message: "another step is held in its middle: play on or stop it", path: "" } }
      : readSteps(text, live.context);
    if ("problem" in read) {
      return { index: 0, verb: "", ok: false, height: this.sim.height, ...read.problem };
    }
    return new Promise((resolve) => {
      live.runSteps(read.steps, (result) => resolve({ path: "", ...result }));
      this.player.changed();
    });
  }

  async preview(text: string): Promise<StepPreview> {
    const { readSteps } = await interpreter();
    const { context } = this.player.live;
    const read = readSteps(text, context);
    if ("problem" in read) return { ...NO_PREVIEW, ...read.problem };
    return read.steps.length === 1 && read.steps[0]
      ? previewStep(context, read.steps[0].step)
      : NO_PREVIEW;
  }

  /** Replaces the world by a scenario file's; a file with problems changes nothing. */
  async loadScenario({
    text = "",
    file = "",
    withoutSteps,
  }: LabRequest<"loadScenario">): Promise<LabAnswer<"loadScenario">> {
    const { parseScenario } = await interpreter();
    const read = parseScenario(text, file);
    if ("problems" in read) {
      return {
        ok: false,
        problems: read.problems.map(({ path, line, column = 0, message }) => ({
          path,
          line,
          column,
          message,
        })),
      };
    }
    try {
      const live = new RunningWorld({ scenario: read.scenario, file, text });
      if (!withoutSteps) live.runStory(0);
      await this.leaving();
      this.player.begin(live);
      this.entered();
      return { ok: true, problems: [] };
    } catch (error) {
      return {
        ok: false,
        problems: [{ path: "genesis", line: 0, column: 0, message: errorText(error) }],
      };
    }
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
  samples: [],
  forks: [],
  faults: undefined,
  accounts: [],
  applied: [],
};

function within(value: number, least: number, greatest: number, what: string): number {
  if (value >= least && value <= greatest) return value;
  throw new StatusError(
    STATUS.invalidArgument,
    `expected ${what} from ${least} to ${greatest}, found ${value}`,
  );
}
