/** Frames of a past height in place of the newest, while the page shows the past. */

import { afterFrame, byKind, type FrameState } from "./frame-store.ts";
import { isLabelled } from "./marks.ts";
import type { Page } from "./page.ts";
import { backToLive } from "./travel.ts";
import type { BlockCell, Frame } from "./types.ts";

/** Polling interval of the newest block while the past is shown. */
const LIVE_EVERY_MS = 500;
/** Maximum cells of the past that are stored in addition to the newest blocks'. */
const MAX_CELLS = 4096;
/** Cells below a height that fill a wide screen. */
const IN_SIGHT = 300;

let liveFetchedMs = 0;
/** The journey for which the marks of the complete history were queried. */
let marked: object | undefined;

/** Requests updates: the requested height until it is available, and the live chain's progress. */
export async function pollHistory(page: Page): Promise<void> {
  const { travel, at } = page.frames.getState();
  if (!travel || travel.toLive) return;
  if (at === undefined || travel.moving) await fetchHeight(page, travel.height);
  if (marked !== travel.journey) {
    marked = travel.journey;
    await fetchMarks(page);
  }
  if (performance.now() - liveFetchedMs < LIVE_EVERY_MS) return;
  liveFetchedMs = performance.now();
  await fetchLive(page);
}

async function fetchHeight({ client, frames, actions }: Page, height: number): Promise<void> {
  const { blocks, frame: last } = frames.getState();
  const first = last?.chain?.initialHeight ?? 1;
  const frame = await client.lab.getFrame({
    height,
    // If its cells are loaded, none are requested.
    blocksAfter: isLoaded(blocks, height, first) ? height : 0,
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
    // Keeps world id and player from the live frame.
    frame: { ...frame, world, player, story: undefined },
    blocks: withCells(state, frame),
    activity: byKind(frame.activity),
    split: frame.forks[0],
    ...(isThere && { at: past.shown }),
    ...(past.problem && { at: past.shown, travel: { ...travel, height: past.shown } }),
  });
}

/** Queries all blocks of the history with marks. */
async function fetchMarks({ client, frames }: Page): Promise<void> {
  const { blocks: news } = await client.lab.getMarks({ later: true });
  const { travel, blocks } = frames.getState();
  if (travel) frames.setState({ blocks: withNews(blocks, news) });
}

/** Updates the state of the newest block; another world ends the journey. */
async function fetchLive(page: Page): Promise<void> {
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
function isLoaded(blocks: readonly BlockCell[], height: number, first: number): boolean {
  const below = Math.min(IN_SIGHT, height - first);
  const i = blocks.findIndex((cell) => cell.height === height);
  return i >= 0 && blocks[i - below]?.height === height - below;
}

/** Adds a frame's cells to the stored ones, by height. */
function withCells({ blocks, travel }: FrameState, { blocks: news }: Frame): readonly BlockCell[] {
  const all = withNews(blocks, news);
  const { blocks: newest = [] } = travel?.live ?? {};
  if (all.length <= newest.length + MAX_CELLS) return all;
  return withNews(withNews(all.filter(isLabelled), newest), news);
}

/**
 * Merges cells, replacing those of the same heights; both lists and the result are ordered by
 * height.
 */
function withNews(cells: readonly BlockCell[], news: readonly BlockCell[]): readonly BlockCell[] {
  const [first] = news;
  if (first === undefined) return cells;
  // Usually the newest blocks: appended without searching thousands of cells.
  if (first.height > (cells.at(-1)?.height ?? 0)) return [...cells, ...news];
  const all = new Map([...cells, ...news].map((cell) => [cell.height, cell]));
  return [...all.values()].sort((a, b) => a.height - b.height);
}
