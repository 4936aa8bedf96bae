/**
 * The page's model: the latest frame and the accumulated increments. All components render from
 * this one frame, so that no two of them show different heights.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Activity, BlockCell, Fork, Frame, Sample } from "./types.ts";

const MAX_BLOCKS = 4096;
const MAX_ACTIVITY = 300;

/** A note is the simulator's own message, e.g. that a saved world could not be read. */
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
        /** The requested height. */
        readonly height: number;
        /** True during a drag: another one follows soon. */
        readonly moving: boolean;
        /** True if the newest block will be shown in the next task. */
        readonly toLive?: true;
        /** A new object each time that the newest block is left. */
        readonly journey: object;
        readonly live: LiveState;
      }
    | undefined;
  /**
   * Height of queries other than the frame: 0 is the newest, and undefined on the way to another
   * one.
   */
  readonly at: number | undefined;
  /** Commands sent by this page since it was loaded: world and number of each. */
  readonly mine: readonly string[];
  /** Number of charts on screen. */
  readonly charts: number;
  /** True once a frame has been painted. */
  readonly painted: boolean;
  /** True while a view is rendered in slices: changes would restart the rendering as a whole. */
  readonly changing: boolean;
  /** Reason why the newest frame is late; undefined while frames arrive. */
  readonly problem: string | undefined;
  /** Reason why the engine is gone; undefined while it runs. */
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

/** Resolves as soon as the page's state satisfies a condition. */
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

/** The state after a full frame: a new world discards all data of the old one. */
export function afterFrame(world: FrameState, frame: Frame): Partial<FrameState> {
  const fresh = frame.world !== world.frame?.world;
  return {
    frame,
    blocks: appended(fresh ? [] : world.blocks, frame.blocks, MAX_BLOCKS),
    activity: withActivity(fresh ? NO_ACTIVITY : world.activity, frame.activity),
    split: frame.forks[0] ?? (fresh ? undefined : world.split),
    ...((fresh || frame.samples.length > 0) && { samples: frame.samples }),
  };
}

/** Maximum stored commands of this page, the newest: only the last action matters. */
const MAX_OWN = 300;

/** The state after a command of this page. */
export const withMine = ({ frame, mine }: FrameState, command: number): Partial<FrameState> => ({
  mine: appended(mine, [`${frame?.world}/${command}`], MAX_OWN),
});

export const byKind = (activity: readonly Activity[]): ActivityByKind =>
  withActivity(NO_ACTIVITY, activity);

function withActivity(old: ActivityByKind, news: readonly Activity[]): ActivityByKind {
  if (news.length === 0) return old;
  const of = (kind: ActivityKind) =>
    appended(
      old[kind],
      news.filter((item) => KIND[item.kind] === kind),
      MAX_ACTIVITY,
    );
  return { step: of("step"), event: of("event"), log: of("log") };
}

function appended<T>(old: readonly T[], news: readonly T[], limit: number): readonly T[] {
  return news.length === 0 ? old : [...old, ...news].slice(-limit);
}
