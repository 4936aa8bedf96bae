/** Undo shows the height before the last action in the world on screen; redo returns. */
import type { StoreApi } from "zustand/vanilla";
import type { Client } from "../../client/client.ts";
import { count } from "../widgets/format.ts";
import { type FrameState, until } from "./frame-store.ts";
import { dismiss, type Notice, type Notices, notify } from "./notices.ts";
import { goLive, liveHeight, shownHeight, travelTo } from "./travel.ts";
import type { LastCommand } from "./types.ts";

interface Undone {
  readonly client: Client;
  readonly frames: StoreApi<FrameState>;
  readonly notices: StoreApi<Notices>;
}

/** Effect of an undo at the shown height. */
export interface WouldUndo {
  /** Description of the undone action, or the reason why there is none. */
  readonly text: string;
  /** The target height; undefined if nothing can be undone. */
  readonly to: number | undefined;
  /** Notice that restores the world replaced by this one, if the undo does that. */
  readonly replaced?: Notice | undefined;
}

/** Heights left by undoing, per stay in the past: redo returns to the last one. */
const left = new WeakMap<object, number[]>();
/** In sequence: the second starts where the first has ended. */
let last: Promise<unknown> = Promise.resolve();

/** Returns the last action up to the shown height, by this page or another client. */
export async function wouldUndo({ client, frames, notices }: Undone): Promise<WouldUndo> {
  const state = frames.getState();
  const shown = state.travel === undefined ? 0 : shownHeight(state);
  const command = await client.query<LastCommand>("lab.v1.Lab/GetLastCommand", {}, shown);
  if (command.number === 0) {
    const replaced = shown === 0 ? replacedWorld(notices) : undefined;
    if (replaced) return { text: `Undo: ${replaced.text}`, to: undefined, replaced };
    const where = shown === 0 ? "in this world" : `up to block ${count(shown)}`;
    return { text: `Nothing was done ${where} that could be undone.`, to: undefined };
  }
  const text = textOf(command, state);
  const first = state.frame?.chain?.initialHeight ?? 1;
  if (command.height > first) return { text: `Undo: ${text}`, to: command.height - 1 };
  return { text: `No block lies before what was done first: ${text}.`, to: undefined };
}

/** The notice of the world that this one replaced, while it is shown. */
const replacedWorld = (notices: StoreApi<Notices>): Notice | undefined =>
  notices.getState().shown.findLast(({ undo }) => undo?.byKey);

function textOf(
  { number, height, title, signer, together }: LastCommand,
  state: FrameState,
): string {
  const { frame, mine } = state;
  const isShared =
    globalThis.document?.documentElement.dataset.node !== undefined ||
    frame?.player?.kept?.role === "watching";
  return [
    `${title}${signer === "" ? "" : ` by ${signer}`}`,
    `block ${count(height)}`,
    ...(together > 1 ? [`with ${count(together - 1)} more there`] : []),
    ...(isShared && !mine.includes(`${frame?.world}/${number}`) ? ["not done in this page"] : []),
  ].join(", ");
}

/** Shows the height before the last action, for a branch from there, and describes the action. */
export function undo(page: Undone): Promise<void> {
  const done = last.then(() => undoLast(page));
  last = done.catch(() => {});
  return done;
}

async function undoLast(page: Undone): Promise<void> {
  const { frames, notices } = page;
  const before = frames.getState();
  if (before.frame === undefined) return;
  const { text, to, replaced } = await wouldUndo(page);
  // The chain may be ahead of the drawn frame.
  const isElsewhere = ({ frame, travel }: FrameState): boolean =>
    frame?.world !== before.frame?.world || travel?.height !== before.travel?.height;
  await until(frames, (now) => isElsewhere(now) || to === undefined || liveHeight(now) > to);
  const state = frames.getState();
  // The user has moved meanwhile.
  if (isElsewhere(state)) return;
  if (replaced) {
    await replaced.undo?.take();
    dismiss(notices, replaced.id);
    return;
  }
  if (to !== undefined) {
    const from = state.travel === undefined ? Number.POSITIVE_INFINITY : shownHeight(state);
    travelTo(page, to);
    const { journey } = frames.getState().travel ?? {};
    if (journey !== undefined) left.set(journey, [...(left.get(journey) ?? []), from]);
  }
  notify(notices, to === undefined ? text : `${text}. A branch from here continues without it.`);
}

/** Moves forward to where undo came from, after a pending undo. */
export function redo(page: Undone): Promise<void> {
  const done = last.then(() => redoLast(page));
  last = done.catch(() => {});
  return done;
}

function redoLast(page: Undone): void {
  const { travel } = page.frames.getState();
  const heights = (travel && left.get(travel.journey)) ?? [];
  const further = heights.filter((height) => height > (travel?.height ?? 0));
  const to = further.pop();
  if (travel) left.set(travel.journey, further);
  if (to === undefined) notify(page.notices, "Nothing was undone here: there is nothing to redo.");
  else if (to === Number.POSITIVE_INFINITY) goLive(page);
  else travelTo(page, to);
}
