/** Takes the whole page to a past height, and back to the newest block. */
import type { StoreApi } from "zustand/vanilla";
import type { Client } from "../../client/client.ts";
import type { FrameState } from "./frame-store.ts";
import { goTo } from "./route.ts";

/** The part of a page that travels. */
interface Travelled {
  readonly client: Client;
  readonly frames: StoreApi<FrameState>;
}

/** The height that is shown, or gone to; 0 before the first frame. */
export const shownHeight = ({ travel, frame }: FrameState): number =>
  travel?.height ?? frame?.chain?.height ?? 0;

/** The height of the newest block, whatever is shown. */
export const liveHeight = ({ travel, frame }: FrameState): number =>
  (travel?.live.frame ?? frame)?.chain?.height ?? 0;

const firstHeight = ({ frame }: FrameState): number => frame?.chain?.initialHeight ?? 1;

/**
 * Shows the world as it was at the end of a height. Other queries follow once that height is shown.
 * @param moving whether it is on its way to another height, such as under a pointer
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

/** Shows the details of a block, and goes on to it where it came after the past that is shown. */
export function selectBlock(page: Travelled, height: number): void {
  const { travel, frame } = page.frames.getState();
  if (travel && height > (frame?.chain?.height ?? 0)) travelTo(page, height);
  goTo({ selection: { kind: "block", id: String(height) } });
}

/** Goes back or on by a number of blocks; beyond the newest it is back to live. */
export function travelBy(page: Travelled, blocks: number): void {
  const height = shownHeight(page.frames.getState());
  // Infinity less infinity is no height.
  travelTo(page, Math.max(0, height + blocks));
}

/**
 * Says that the newest block is gone to, and shows it a task later: what asks for it is answered before all that changes
 * with it is drawn.
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

/** Is back to live where that is gone to: what is done next is done to what was asked for. */
export function arrive(page: Travelled): void {
  if (page.frames.getState().travel?.toLive) backToLive(page);
}

/** Shows the newest block again, which is known. */
export function backToLive({ client, frames }: Travelled): void {
  const { travel } = frames.getState();
  if (!travel) return;
  client.height = 0;
  frames.setState({ ...travel.live, travel: undefined, at: 0 });
}
