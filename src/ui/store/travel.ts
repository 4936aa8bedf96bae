/** Moves the complete page to a past height, and back to the newest block. */
import type { StoreApi } from "zustand/vanilla";
import type { Client } from "../../client/client.ts";
import type { FrameState } from "./frame-store.ts";
import { goTo } from "./route.ts";

/** The part of a page that this needs. */
interface Travelled {
  readonly client: Client;
  readonly frames: StoreApi<FrameState>;
}

/** The shown or requested height; 0 before the first frame. */
export const shownHeight = ({ travel, frame }: FrameState): number =>
  travel?.height ?? frame?.chain?.height ?? 0;

/** The height of the newest block, regardless of the shown one. */
export const liveHeight = ({ travel, frame }: FrameState): number =>
  (travel?.live.frame ?? frame)?.chain?.height ?? 0;

const firstHeight = ({ frame }: FrameState): number => frame?.chain?.initialHeight ?? 1;

/**
 * Shows the world at the end of a height. Other queries follow once that height is shown.
 * @param moving true on the way to another height, such as during a drag
 */
export function travelTo(page: Travelled, height: number, moving = false): void {
  const { frames } = page;
  const state = frames.getState();
  const newest = liveHeight(state);
  if (newest === 0) return;
  if (height >= newest && !moving) {
    goLive(page);
    return;
  }
  const { frame, blocks, activity, samples, split } = state;
  const to = Math.min(Math.max(height, firstHeight(state)), newest);
  const { live = { frame, blocks, activity, samples, split }, journey = {} } = state.travel ?? {};
  frames.setState({ travel: { height: to, moving, journey, live }, at: undefined });
}

/** Shows the details of a block, and moves to it if it is later than the shown past. */
export function selectBlock(page: Travelled, height: number): void {
  const { travel, frame } = page.frames.getState();
  if (travel && height > (frame?.chain?.height ?? 0)) travelTo(page, height);
  goTo({ selection: { kind: "block", id: String(height) } });
}

/** Moves back or forward by a number of blocks; past the newest it returns to live. */
export function travelBy(page: Travelled, blocks: number): void {
  const height = shownHeight(page.frames.getState());
  // Infinity minus infinity is not a height.
  travelTo(page, Math.max(0, height + blocks));
}

/**
 * Requests the newest block, and shows it a task later: the input is answered before all changes
 * are drawn.
 */
export function goLive(page: Travelled): void {
  const { frames } = page;
  const state = frames.getState();
  const { travel } = state;
  if (!travel) return;
  const height = liveHeight(state);
  frames.setState({ travel: { ...travel, height, moving: true, toLive: true }, at: undefined });
  requestAnimationFrame(() => setTimeout(arrive, 0, page));
}

/** Completes a pending return to live: the next action applies to what was requested. */
export function arrive(page: Travelled): void {
  if (page.frames.getState().travel?.toLive) backToLive(page);
}

/** Shows the newest block again, from stored data. */
export function backToLive({ client, frames }: Travelled): void {
  const { travel } = frames.getState();
  if (!travel) return;
  client.height = 0;
  frames.setState({ ...travel.live, travel: undefined, at: 0 });
}
