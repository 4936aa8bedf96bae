/**
 * The only user of animation frames. It requests a frame at most ten times a second, so that the
 * cost of drawing is independent of the engine's speed, never while a request is pending and never
 * in a hidden tab. If drawing is slow it requests less often, and user input comes first. A failed
 * request is repeated; only without an engine it stops.
 */
import { type ClientError, CODE } from "../../client/client.ts";
import { afterFrame, type FrameState, NO_ACTIVITY } from "./frame-store.ts";
import type { Page } from "./page.ts";

const EVERY_MS = 100;
/** A page that only draws does nothing else: the pause is this many times the last drawing time. */
const PAUSE = 3;
/** Maximum interval. */
const AT_LEAST_EVERY_MS = 500;
/** Maximum delay from a key or a press to its result on screen. */
const ANSWERED_MS = 100;
/** While dragging, each available height is shown. */
const EVERY_MS_IN_THE_PAST = 30;
const AFTER_A_FAILURE_MS = 1000;

/** Timing of animation frames, and the page's visibility. */
export interface Screen {
  requestFrame(tick: (time: number) => void): void;
  isHidden(): boolean;
  onInput(listen: (time: number) => void): void;
}

const WINDOW: Screen = {
  requestFrame: (tick) => requestAnimationFrame(tick),
  isHidden: () => document.hidden,
  onInput: (listen) =>
    ["keydown", "pointerdown"].map((type) =>
      addEventListener(type, ({ timeStamp }) => listen(timeStamp), true),
    ),
};

export function startFrameLoop(page: Page, screen = WINDOW): void {
  const { client, frames } = page;
  let asking = false;
  let nextAsk = 0;
  let latest = 0;
  let answered = 0;
  let last = Number.POSITIVE_INFINITY;
  let slowest = 0;
  let revision = 0;
  let hadSamples = false;
  let drawn = false;

  const tick = (time: number): void => {
    const { frame, painted, lost, charts, changing, travel } = frames.getState();
    if (lost !== undefined) return;
    screen.requestFrame(tick);
    if (drawn && !painted) frames.setState({ painted: true });
    // It is painted before the next tick.
    drawn = frame !== undefined;
    slowest = Math.max(slowest, time - last);
    last = time;
    // A new chart does not wait.
    const due =
      (time >= nextAsk && (travel || time >= Math.min(answered, latest))) ||
      (charts > 0 && !hadSamples);
    if (asking || changing || screen.isHidden() || !due) return;
    asking = true;
    latest = time + AT_LEAST_EVERY_MS;
    const pause = Math.min(Math.max(EVERY_MS, PAUSE * slowest), AT_LEAST_EVERY_MS);
    nextAsk = time + (travel ? EVERY_MS_IN_THE_PAST : pause);
    slowest = 0;
    ask()
      .then(
        () => frames.getState().problem && frames.setState({ problem: undefined }),
        ({ code, message }: ClientError) => {
          nextAsk = time + AFTER_A_FAILURE_MS;
          hadSamples = charts > 0;
          frames.setState(code === CODE.unavailable ? { lost: message } : { problem: message });
        },
      )
      .finally(() => {
        asking = false;
      });
  };

  const ask = async (): Promise<void> => {
    const known = frames.getState();
    if (known.travel) return (await import("./history-frames.ts")).pollHistory(page);
    const samples = known.charts > 0;
    const frame = await client.lab.getFrame({
      ...newestOf(known),
      revision: samples && !hadSamples ? 0 : revision,
      samples,
    });
    // Requested again when no view is being rendered, and the newest block is shown.
    const { changing, travel } = frames.getState();
    if (changing || travel) return;
    // Revisions of different worlds are unrelated.
    revision = frame.world === known.frame?.world || frame.chain ? frame.revision : 0;
    hadSamples = samples;
    if (frame.chain === undefined) return;
    if (frame.world !== known.frame?.world && known.blocks.length > 0) {
      // The stored increments belong to another world: request all of them again.
      frames.setState({ blocks: [], activity: NO_ACTIVITY, samples: [] });
      revision = nextAsk = 0;
      return;
    }
    frames.setState((old) => afterFrame(old, frame));
  };

  screen.onInput((time) => {
    answered = time + ANSWERED_MS;
  });
  screen.requestFrame(tick);
}

/** The position up to which the page has the world's increments. */
function newestOf({ blocks, activity }: FrameState): {
  blocksAfter: number;
  activityAfter: number;
} {
  const newest = Object.values(activity).map((list) => list.at(-1)?.seq ?? 0);
  return { blocksAfter: blocks.at(-1)?.height ?? 0, activityAfter: Math.max(...newest) };
}
