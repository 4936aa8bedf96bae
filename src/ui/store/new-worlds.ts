/** Replaces the world on screen: by a story, a chain from a file or a form, or the first world. */

import { errorText } from "../../base/error-text.ts";
import type { LabRequest } from "../../gen/lab/v1/lab_plain.ts";
import { count, UNNAMED } from "../widgets/format.ts";
import type { OpenDialog } from "./dialog.ts";
import { type FrameState, until } from "./frame-store.ts";
import { notify } from "./notices.ts";
import { type Page, usePage } from "./page.ts";
import { hrefTo, read } from "./route.ts";
import { backToLive } from "./travel.ts";
import type { ForkWorldResponse, OtherValue, Problem } from "./types.ts";

type Replaced = Pick<Page, "client" | "frames" | "notices" | "actions">;

/** Number of steps to run; all of them by default. */
type Part = Pick<LabRequest<"loadScenario">, "steps" | "withoutSteps">;

/**
 * Replaces the world by a scenario's and runs its steps, or queues them; it stays paused at their
 * end. Returns the problem of the file, in which case nothing has changed.
 */
export async function replaceByScenario(
  { client, frames, actions }: Replaced,
  text: string,
  file: string,
  paused: boolean,
  part: Part = {},
): Promise<readonly Problem[]> {
  try {
    const { player } = frames.getState().frame ?? {};
    // A world of another tab continues. Before its first frame a world counts as playing: every
    // first world does.
    const playing = player?.kept?.role !== "watching" && (player?.playing ?? true);
    if (playing) void client.lab.control({ action: { case: "pause", value: true } });
    const { problems } = await client.lab.loadScenario({ text, file, paused, ...part });
    if (problems.length > 0 && playing) void actions.play();
    return problems;
  } catch (error) {
    return [{ path: "", line: 0, column: 0, message: errorText(error) }];
  }
}

/** The same, with an undo that restores the world on screen. */
export async function loadScenario(
  page: Replaced,
  text: string,
  file: string,
  paused = false,
  part: Part = {},
): Promise<readonly Problem[]> {
  const offer = undoOf(page);
  const keepSelection = selectionOfWorld(page);
  const problems = await replaceByScenario(page, text, file, paused, part);
  if (problems.length === 0) offer();
  else keepSelection();
  return problems;
}

/** Loads a bundled scenario by its file name and runs its steps. */
async function runStory(page: Replaced, file: string): Promise<void> {
  const { notify } = page.actions;
  try {
    const answer = await fetch(`scenarios/${file}`);
    if (!answer.ok) throw new Error(`${file} could not be read (${answer.status})`);
    const [first] = await loadScenario(page, await answer.text(), file);
    if (first) notify(`${file}:${first.line} ${first.path} ${first.message}`, "error");
  } catch (error) {
    notify((error as Error).message, "error");
  }
}

/** Imports the world of a file and opens it, paused. Rejects with the problem of the file. */
async function openWorldFile(page: Replaced, name: string, content: Uint8Array): Promise<void> {
  const { lab } = page.client;
  const offer = undoOf(page);
  const { problem, world } = await lab.importWorld({ name, content });
  if (problem) throw new Error(problem);
  const keepSelection = selectionOfWorld(page);
  try {
    await lab.openWorld({ world });
  } catch (error) {
    keepSelection();
    throw error;
  }
  offer();
}

/**
 * Creates a branch at the end of a height: it is played here, paused, and the world on screen
 * waits. Resolves when the branch is on screen; rejects with the reason if there is none.
 * @param tamper manual edit in the branch
 */
export const fork = (
  page: Page,
  height: number,
  name: string,
  note: string,
  tamper?: OpenDialog["tamper"],
): Promise<ForkWorldResponse> => openFork(page, { height, name, note, ...(tamper && { tamper }) });

/** The same for a what-if branch, in which all commands up to a height are replayed. */
export const forkWhatIf = (
  page: Page,
  height: number,
  other: OtherValue,
): Promise<ForkWorldResponse> => openFork(page, { height, name: "", note: "", other });

async function openFork(
  page: Page,
  request: Parameters<Page["client"]["lab"]["forkWorld"]>[0],
): Promise<ForkWorldResponse> {
  const { client, frames } = page;
  const { travel } = frames.getState();
  const before = travel?.live.frame?.world ?? frames.getState().frame?.world;
  const offer = undoOf(page);
  const forked = await client.lab.forkWorld(request);
  backToLive(page);
  await until(frames, ({ frame }) => frame?.world !== before);
  offer();
  return forked;
}

/** Creates the default world. */
export async function startOver(page: Replaced): Promise<void> {
  const offer = undoOf(page, true);
  const keepSelection = selectionOfWorld(page);
  try {
    await page.client.lab.control({ action: { case: "startOver", value: true } });
    offer();
  } catch (error) {
    keepSelection();
    page.actions.notify((error as Error).message, "error");
  }
}

/**
 * The same at a single press, which may be accidental: not in place of a world that could not be
 * restored.
 */
export async function beginAnew(page: Replaced): Promise<void> {
  const { frame, travel } = page.frames.getState();
  const { kept } = (travel?.live.frame ?? frame)?.player ?? {};
  const isNode = globalThis.document?.documentElement.dataset.node !== undefined;
  const isSaved = isNode || kept?.id || (frame?.chain?.height ?? 0) === 0;
  if (isSaved) return startOver(page);
  const text = "This world is not saved, so it would be lost. “New world” under Worlds (W) begins";
  page.actions.notify(`${text} the first one anew.`, "error");
}

/**
 * Clears the selection as soon as another world is on screen, before its story selects something.
 * Returns a function that cancels this.
 */
function selectionOfWorld({ frames }: Replaced): () => void {
  const worldOf = ({ frame, travel }: FrameState) => (travel?.live.frame ?? frame)?.world;
  const before = worldOf(frames.getState());
  const stop = frames.subscribe((state) => {
    if (worldOf(state) === before) return;
    stop();
    if (read().selection) location.replace(hrefTo({ selection: undefined }));
  });
  return stop;
}

/**
 * Returns a function that, once another world is on screen, notifies where this one is and offers
 * to restore it as it was.
 */
function undoOf({ client, frames, notices, actions }: Replaced, byKey = false): () => void {
  const { frame, travel } = frames.getState();
  const { chain, player } = travel?.live.frame ?? frame ?? {};
  const { id = "", name = "", role = "" } = player?.kept ?? {};
  // An unsaved world cannot be restored; one of another tab is not gone.
  if (id === "" || role === "watching") return () => {};
  const take = async (): Promise<void> => {
    await client.lab.openWorld({ world: id });
    if (player?.playing) await actions.play();
  };
  const text = `“${name || UNNAMED}” is paused at block ${count(chain?.height ?? 0)}.`;
  return () => void notify(notices, text, "info", { world: id, take, byKey });
}

/** The same for a component. */
export function useNewWorlds() {
  const page = usePage();
  return {
    loadScenario: (text: string, file: string, paused = false) =>
      loadScenario(page, text, file, paused),
    openWorldFile: (file: string, content: Uint8Array) => openWorldFile(page, file, content),
    runStory: (file: string) => runStory(page, file),
    startOver: () => startOver(page),
  };
}
