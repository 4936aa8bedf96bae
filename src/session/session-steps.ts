/** Runs steps and scenarios in a session: loaded with their grammar. */
import type { LabAnswer, LabRequest, StepPreview, StepResult } from "../gen/lab/v1/lab_plain.ts";
import { NO_PREVIEW, previewStep } from "../scenario/preview.ts";
import type { StepResult as StepEnd } from "../scenario/runner.ts";
import type { Player } from "./player.ts";
import type { QueriedSession } from "./query.ts";
import { readSteps } from "./read-steps.ts";
import { RunningWorld } from "./running-world.ts";
import { scenarioWorld } from "./scenario-world.ts";

/** The part of a session that steps need. */
interface Stage extends QueriedSession {
  readonly player: Player;
  readonly restored: Promise<unknown>;
  readonly leaving: () => Promise<void>;
  readonly entered: () => void;
}

/** Queues one step, or a JSON list of steps; `pause` also applies to a chain that is playing. */
export async function runSteps(
  session: Stage,
  text: string,
  { pause = false, fullSpeed = false }: Omit<LabRequest<"runStep">, "step"> = {},
): Promise<StepResult> {
  await session.restored;
  const { live } = session.player;
  const read = live.tasks.isPaused
    ? { problem: { message: "another step is held in its middle: play on or stop it", path: "" } }
    : readSteps(text, live.context);
  if ("problem" in read) {
    const nothing = { ...NO_MORE, index: 0, verb: "", ok: false };
    return { ...nothing, height: session.player.sim.height, ...read.problem };
  }
  return new Promise((resolve) => {
    const { player } = session;
    const rest = (): void => {
      if (pause && player.live === live) player.playing = false;
    };
    // After a reload in the meantime the chain is paused.
    rest();
    const ended = (result: StepEnd): void => {
      rest();
      resolve({ ...NO_MORE, ...result });
    };
    live.runSteps(read.steps, ended, fullSpeed ? 0 : undefined);
    player.changed();
  });
}

const NO_MORE = { path: "", value: "", found: "", command: 0 };

export async function previewOf(session: Stage, text: string): Promise<StepPreview> {
  const { live } = session.player;
  const read = readSteps(text, live.context);
  if ("problem" in read) return { ...NO_PREVIEW, ...read.problem };
  const [only] = read.steps;
  if (read.steps.length !== 1 || only === undefined) return NO_PREVIEW;
  const { openHistory } = await import("./open-history.ts");
  return openHistory(session, live).read(function* () {
    yield* only.step.action.reads(live.context);
    return previewStep(live.context, only.step);
  });
}

export async function replaceWorld(
  session: Stage,
  request: LabRequest<"loadScenario">,
): Promise<LabAnswer<"loadScenario">> {
  const live = scenarioWorld(request);
  if (!(live instanceof RunningWorld)) return live;
  await session.leaving();
  session.player.begin(live);
  if (request.paused) session.player.pause();
  session.entered();
  return { ok: true, problems: [] };
}
