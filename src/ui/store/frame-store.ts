/**
 * The page's model: the latest frame and the accumulated increments. All components render from this
 * one frame, so that no two of them show different heights.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Activity, BlockCell, Fork, Frame, Sample } from "./types.ts";

const BLOCKS_KEPT = 4096;
const ACTIVITY_KEPT = 300;

/** A note is the simulator's own word, e.g. that a saved world could not be read. */
export type ActivityKind = "step" | "event" | "log";
const KIND: Readonly<Record<string, ActivityKind>> = {
  step: "step",
  event: "event",
  log: "log",
  note: "log",
};
export type ActivityByKind = Readonly<Record<ActivityKind, readonly Activity[]>>;

/** The newest block's state while the past is shown. */
export type LiveState = Pick<FrameState, "frame" | "blocks" | "activity" | "samples" | "split">;

export interface FrameState {
  readonly frame: Frame | undefined;
  /** Cells of the newest blocks, by height. */
  readonly blocks: readonly BlockCell[];
  readonly activity: ActivityByKind;
  /** Filled only while charts are on screen. */
  readonly samples: readonly Sample[];
  /** The latest fork of this world, also after the network has healed. */
  readonly split: Fork | undefined;
  /** Position in the past; undefined while the newest block is shown. */
  readonly travel:
    | {
        /** The height that is gone to. */
        readonly height: number;
        /** It is dragged: there is another one soon. */
        readonly moving: boolean;
        /** The newest block is shown in the next task. */
        readonly toLive?: true;
        /** Another one each time that the newest block is left. */
        readonly journey: object;
        readonly live: LiveState;
      }
    | undefined;
  /** The height that is asked about beside the frame: 0 is the newest, and undefined on the way to another one. */
  readonly at: number | undefined;
  /** Commands sent by this page since it was loaded: world and number of each. */
  readonly mine: readonly string[];
  /** Number of charts on screen. */
  readonly charts: number;
  /** A frame has been painted. */
  readonly painted: boolean;
  /** A view is being rendered in slices: what changes meanwhile would have it rendered again, and whole. */
  readonly changing: boolean;
  /** Why the newest frame is late; undefined while frames come. */
  readonly problem: string | undefined;
  /** Why the engine is gone; undefined while it lives. */
  readonly lost: string | undefined;
}

export const NO_ACTIVITY: ActivityByKind = { step: [], event: [], log: [] };

export const createFrameStore = () =>
  createStore<FrameState>(() => ({
    frame: undefined,
    blocks: [],
    activity: NO_ACTIVITY,
    samples: [],
    split: undefined,
    travel: undefined,
    at: 0,
    mine: [],
    charts: 0,
    painted: false,
    changing: false,
    problem: undefined,
    lost: undefined,
  }));

/** Resolves as soon as what the page shows is so. */
export const until = (
  frames: StoreApi<FrameState>,
  isSo: (state: FrameState) => boolean,
): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (!isSo(frames.getState())) return;
      stop();
      resolve();
    };
    const stop = frames.subscribe(look);
    look();
  });

/** The state after a full frame: a new world's name drops all that was kept of the old one. */
export function afterFrame(world: FrameState, frame: Frame): Partial<FrameState> {
  const fresh = frame.world !== world.frame?.world;
  return {
    frame,
    blocks: kept(fresh ? [] : world.blocks, frame.blocks, BLOCKS_KEPT),
    activity: withActivity(fresh ? NO_ACTIVITY : world.activity, frame.activity),
    split: frame.forks[0] ?? (fresh ? undefined : world.split),
    ...((fresh || frame.samples.length > 0) && { samples: frame.samples }),
  };
}

/** Commands that are known to have been done from here, the newest: only what was done last is asked about. */
const MINE_KEPT = 300;

/** The state after a command was done from here. */
export const withMine = ({ frame, mine }: FrameState, command: number): Partial<FrameState> => ({
  mine: kept(mine, [`${frame?.world}/${command}`], MINE_KEPT),
});

export const byKind = (activity: readonly Activity[]): ActivityByKind =>
  withActivity(NO_ACTIVITY, activity);

function withActivity(old: ActivityByKind, news: readonly Activity[]): ActivityByKind {
  if (news.length === 0) return old;
  const of = (kind: ActivityKind) =>
    kept(
      old[kind],
      news.filter((item) => KIND[item.kind] === kind),
      ACTIVITY_KEPT,
    );
  return { step: of("step"), event: of("event"), log: of("log") };
}

function kept<T>(old: readonly T[], news: readonly T[], limit: number): readonly T[] {
  return news.length === 0 ? old : [...old, ...news].slice(-limit);
}
