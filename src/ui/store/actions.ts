/** Everything a person can do, as calls of the client: a control, or one scenario step. */
import type { Client, ClientError } from "../../client/client.ts";
import { useWorld } from "./frame-store.ts";
import { notify } from "./notices.ts";
import type { Fault } from "./types.ts";

let client: Client;

/** Called once, before anything is drawn. */
export function connectActions(given: Client): void {
  client = given;
}

export const engine = (): Client => client;

type Control = Parameters<Client["lab"]["control"]>[0]["action"];

function control(action: NonNullable<Control>): void {
  client.lab.control({ action }).catch(tell);
}

const play = (): void => control({ case: "play", value: true });
const pause = (): void => control({ case: "pause", value: true });
export const stepBlocks = (count: number): void => control({ case: "stepBlocks", value: count });
/** Gives up the steps that are running. */
export const stopSteps = (): void => control({ case: "stop", value: true });
/** Back to the world that a newcomer sees. */
export const startOver = (): void => control({ case: "startOver", value: true });
/** Blocks per second; 0 is as fast as possible. */
export const setSpeed = (speed: number): void => control({ case: "speed", value: speed });

export function togglePlay(): void {
  const player = useWorld.getState().frame?.player;
  if (player?.playing || player?.busy) pause();
  else play();
}

/** A scenario step, e.g. `{ nodes: { which: "all", binary: "v2" } }`. */
export type Step = Readonly<Record<string, unknown>>;

/** What became of a step: accepted with its message, or refused with the place of the fault. */
export interface Outcome {
  readonly ok: boolean;
  readonly message: string;
  /** E.g. `misbehavior.height`; empty if nowhere in particular. */
  readonly path: string;
  readonly height: number;
}

/** Runs one step; a refusal is an answer, not an exception. */
export async function runStep(step: Step | string): Promise<Outcome> {
  try {
    return await client.lab.runStep({
      step: typeof step === "string" ? step : JSON.stringify(step),
    });
  } catch (error) {
    const { message, path } = error as ClientError;
    return { ok: false, message, path: path ?? "", height: 0 };
  }
}

/** What a step would do if it were run now. */
export interface StepPreview {
  readonly sentence: string;
  /** For misbehavior: the time and the power that are true at its height. */
  readonly time: string;
  readonly power: string;
  /** Why it would be refused; undefined if it would not. */
  readonly fault: Outcome | undefined;
}

/** Asks without doing; undefined if the engine cannot be asked. */
export async function previewStep(step: string): Promise<StepPreview | undefined> {
  try {
    const { sentence, time, power, path, message } = await client.lab.preview({ step });
    const fault = message ? { ok: false, message, path, height: 0 } : undefined;
    return { sentence, time, power, fault };
  } catch {
    return undefined;
  }
}

/** Runs a step for a button that has no field to show an error beside. */
export async function act(step: Step | string, done: string): Promise<void> {
  const { ok, message } = await runStep(step);
  if (ok) notify(done);
  else notify(message, "error");
}

/** Loads a bundled scenario by its file name and runs its steps. */
export async function runStory(file: string): Promise<void> {
  try {
    const answer = await fetch(`scenarios/${file}`);
    if (!answer.ok) throw new Error(`${file} could not be read (${answer.status})`);
    const faults = await loadScenario(await answer.text(), file);
    const [first] = faults;
    if (first) notify(`${file}:${first.line} ${first.path} ${first.message}`, "error");
  } catch (error) {
    tell(error as Error);
  }
}

/**
 * Replaces the world by a scenario's and runs its steps; it stays paused where they end. Returns
 * what is wrong with the file, and then nothing has changed.
 */
export async function loadScenario(text: string, file: string): Promise<readonly Fault[]> {
  try {
    const playing = useWorld.getState().frame?.player?.playing ?? false;
    pause();
    const { faults } = await client.lab.loadScenario({ text, file });
    if (faults.length > 0 && playing) play();
    return faults;
  } catch (error) {
    return [{ path: "", line: 0, message: (error as Error).message }];
  }
}

function tell(error: Error): void {
  notify(error.message, "error");
}
