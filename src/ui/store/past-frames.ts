/** Frames of a past height in place of the newest, for as long as the page shows the past. */

import { afterFrame, byKind, type FrameState } from "./frame-store.ts";
import { isLabelled } from "./marks.ts";
import type { Page } from "./page.ts";
import { backToLive } from "./travel.ts";
import type { BlockCell, Frame } from "./types.ts";

/** The newest block is asked for so often beside the past. */
const LIVE_EVERY_MS = 500;
/** Cells of the past that are kept beside those of the newest blocks. */
const CELLS_KEPT = 4096;
/** Cells below a height that are enough for a window on a wide screen. */
const IN_SIGHT = 300;

let liveAsked = 0;
/** The journey for which the marks of the whole history were asked for. */
let marked: object | undefined;

/** Asks for what has come since: the height that is gone to until it is there, and how far the chain is meanwhile. */
export async function askPast(page: Page): Promise<void> {
  const { travel, at } = page.frames.getState();
  if (!travel || travel.toLive) return;
  if (at === undefined || travel.moving) await askHeight(page, travel.height);
  if (marked !== travel.journey) {
    marked = travel.journey;
    await askMarks(page);
  }
  if (performance.now() - liveAsked < LIVE_EVERY_MS) return;
  liveAsked = performance.now();
  await askLive(page);
}

async function askHeight({ client, frames, actions }: Page, height: number): Promise<void> {
  const { blocks, frame: last } = frames.getState();
  const first = last?.chain?.initialHeight ?? 1;
  const frame = await client.lab.getFrame({
    height,
    // Where its cells are known none are sent.
    blocksAfter: isKnown(blocks, height, first) ? height : 0,
    activityAfter: 0,
    revision: 0,
    samples: false,
  });
  const state = frames.getState();
  const { travel } = state;
  if (!travel || travel.toLive || state.changing || frame.chain === undefined) return;
  const { past } = frame;
  if (past === undefined) {
    backToLive({ client, frames });
    actions.notify("The past of this chain cannot be shown.", "error");
    return;
  }
  const isThere = past.shown === travel.height && !travel.moving;
  if (isThere) client.height = past.shown;
  const { world = "", player } = travel.live.frame ?? {};
  frames.setState({
    // It is the same world, and played as it is now.
    frame: { ...frame, world, player, story: undefined },
    blocks: withCells(state, frame),
    activity: byKind(frame.activity),
    split: frame.forks[0],
    ...(isThere && { at: past.shown }),
    ...(past.problem && { at: past.shown, travel: { ...travel, height: past.shown } }),
  });
}

/** Every block of the history that something is known for. */
async function askMarks({ client, frames }: Page): Promise<void> {
  const { blocks: news } = await client.lab.getMarks({ later: true });
  const { travel, blocks } = frames.getState();
  if (travel) frames.setState({ blocks: withNews(blocks, news) });
}

/** Keeps what is known of the newest block up to date; another world ends the journey. */
async function askLive(page: Page): Promise<void> {
  const { client, frames } = page;
  const { travel, charts } = frames.getState();
  if (!travel) return;
  const { frame: known, blocks, activity } = travel.live;
  const newest = Object.values(activity).map((list) => list.at(-1)?.seq ?? 0);
  const frame = await client.lab.getFrame({
    height: 0,
    blocksAfter: blocks.at(-1)?.height ?? 0,
    activityAfter: Math.max(...newest),
    revision: charts > 0 ? 0 : (known?.revision ?? 0),
    samples: charts > 0,
  });
  const state = frames.getState();
  if (!state.travel || frame.world === "" || state.changing) return;
  if (frame.chain === undefined) return;
  const live = { ...state.travel.live, ...afterFrame({ ...state, ...state.travel.live }, frame) };
  if (frame.world !== known?.world) {
    frames.setState({ travel: { ...state.travel, live } });
    backToLive(page);
    return;
  }
  const { past } = state.frame ?? {};
  frames.setState({
    travel: { ...state.travel, live },
    samples: live.samples,
    blocks: withNews(state.blocks, frame.blocks),
    ...(state.frame &&
      past && {
        frame: {
          ...state.frame,
          player: frame.player,
          past: { ...past, liveHeight: frame.chain.height },
        },
      }),
  });
}

/** True if the cells below a height are loaded, as many as fit in sight. */
function isKnown(blocks: readonly BlockCell[], height: number, first: number): boolean {
  const below = Math.min(IN_SIGHT, height - first);
  const i = blocks.findIndex((cell) => cell.height === height);
  return i >= 0 && blocks[i - below]?.height === height - below;
}

/** With the cells of a frame among those that are known, by height. */
function withCells({ blocks, travel }: FrameState, { blocks: news }: Frame): readonly BlockCell[] {
  const all = withNews(blocks, news);
  const { blocks: newest = [] } = travel?.live ?? {};
  if (all.length <= newest.length + CELLS_KEPT) return all;
  return withNews(withNews(all.filter(isLabelled), newest), news);
}

/** Cells with others that take the place of those of the same heights; both, and what comes of them, by height. */
function withNews(cells: readonly BlockCell[], news: readonly BlockCell[]): readonly BlockCell[] {
  const [first] = news;
  if (first === undefined) return cells;
  // Mostly the newest blocks: nothing of thousands of cells has to be looked through for them.
  if (first.height > (cells.at(-1)?.height ?? 0)) return [...cells, ...news];
  const all = new Map([...cells, ...news].map((cell) => [cell.height, cell]));
  return [...all.values()].sort((a, b) => a.height - b.height);
}
