/**
 * The one owner of animation frames. It asks for a picture at most ten times a second, so that tables and
 * drawings cost the same at any engine speed, never while an answer is on its way and never in a
 * hidden tab. Where drawing takes long it asks less often, and what a person does is answered before it asks again.
 * An answer that fails is asked for again; only without an engine there is nothing to ask.
 */
import { type ClientError, CODE } from "../../client/client.ts";
import { afterFrame, type FrameState, NO_ACTIVITY } from "./frame-store.ts";
import type { Page } from "./page.ts";

const EVERY_MS = 100;
/** A page that draws for as long as it can does nothing else: so many times as long as it took last. */
const PAUSE = 3;
/** Never less often than this. */
const AT_LEAST_EVERY_MS = 500;
/** Maximum delay from a key or a press to its result on screen. */
const ANSWERED_MS = 100;
/** Under a pointer each height that is ready is shown. */
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
    // A chart that has just come is not kept waiting.
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
    if (known.travel) return (await import("./past-frames.ts")).askPast(page);
    const samples = known.charts > 0;
    const frame = await client.lab.getFrame({
      ...keptOf(known),
      revision: samples && !hadSamples ? 0 : revision,
      samples,
    });
    // Asked again when no view is being rendered, and when it is the newest block that is shown.
    const { changing, travel } = frames.getState();
    if (changing || travel) return;
    // Revisions of another world say nothing of this one's.
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

/** Up to where the page has the world's increments. */
function keptOf({ blocks, activity }: FrameState): { blocksAfter: number; activityAfter: number } {
  const newest = Object.values(activity).map((list) => list.at(-1)?.seq ?? 0);
  return { blocksAfter: blocks.at(-1)?.height ?? 0, activityAfter: Math.max(...newest) };
}
