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
import type { StepContext } from "../scenario/step-context.ts";
import { FIRST_ORIGIN } from "./first-world.ts";
import { MAX_SPEED } from "./pace.ts";
import { Player } from "./player.ts";
import { RunningWorld } from "./running-world.ts";
import { restoredResults, savedResults, savedStory } from "./save.ts";
import type { SavedSession } from "./saved.ts";
import type { WrittenStep } from "./tasks.ts";

const MAX_STEP_BLOCKS = 100_000;

const interpreter = () => import("./interpreter.ts");

const firstWorld = (): RunningWorld => new RunningWorld(FIRST_ORIGIN);

/** A world and its player: the session-wide part of the service lab.v1.Lab. */
export class Session {
  readonly player = new Player(firstWorld);
  /** A warning about this session, e.g. that it is not saved; empty if there is none. */
  note = "";

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
        problems: read.problems.map(({ path, line, message }) => ({ path, line, message })),
      };
    }
    try {
      const live = new RunningWorld({ scenario: read.scenario, file, text });
      if (!withoutSteps) live.runStory(0);
      this.player.begin(live);
      return { ok: true, problems: [] };
    } catch (error) {
      return { ok: false, problems: [{ path: "genesis", line: 0, message: errorText(error) }] };
    }
  }

  /** The session to save; undefined during a replay. */
  saved(): SavedSession | undefined {
    const { live, playing, pace, rounds, restoring } = this.player;
    if (restoring !== undefined) return undefined;
    const { context, tasks, sim } = live;
    const story = savedStory(live);
    return {
      spec: sim.spec,
      journal: sim.journal,
      rounds,
      playing,
      speed: pace.speed,
      held: tasks.held,
      results: savedResults(context.results),
      steps: tasks.texts,
      ...(tasks.began ? { began: tasks.began } : {}),
      ...(story ? { story } : {}),
    };
  }

  /** Restores a saved session by replay, in slices. Rejects, nothing changed, if it is invalid. */
  async restore(saved: SavedSession): Promise<void> {
    const { spec, story, steps } = saved;
    const tools = story || steps.length > 0 ? await interpreter() : undefined;
    const read = story && tools?.parseScenario(story.text, story.file);
    // A file that no longer parses is dropped; the world does not need it.
    const known = read && "scenario" in read ? { ...story, scenario: read.scenario } : undefined;
    const { scenario, file, text } = known ?? { scenario: NAMELESS, file: "", text: "" };
    const origin = { scenario: { ...scenario, spec }, file, text };
    const live = new RunningWorld(origin, restoredResults(saved.results));
    if (known) live.story.resume(known.state, known.current, known.message);
    const { player } = this;
    player.replay(live, saved, () => {
      if (known?.state === "running") live.runStory(known.current);
      live.runSteps(tools ? soundSteps(tools, steps, live.context) : [], () => {});
      live.tasks.held = saved.held && live.tasks.busy;
    });
    player.playing = saved.playing;
    player.pace.speed = saved.speed;
    player.changed();
  }
}

type Tools = Awaited<ReturnType<typeof interpreter>>;

const soundSteps = (tools: Tools, texts: readonly string[], context: StepContext): WrittenStep[] =>
  texts.flatMap((text) => {
    const read = tools.readSteps(text, context);
    return "steps" in read ? read.steps : [];
  });

const NAMELESS = { name: "", title: "", about: "", steps: [] };

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
