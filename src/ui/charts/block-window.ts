/**
 * The range of blocks shown by the charts of single blocks: the newest, which follow the chain, or
 * a past range.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Participation } from "../store/types.ts";

export const COUNTS = [50, 100, 200, 500] as const;

export interface BlockWindow {
  /** Height of the last block; undefined to follow the newest. */
  readonly last: number | undefined;
  readonly count: number;
  /** Data of these blocks, or of the previous window until they are loaded. */
  readonly answer: Participation | undefined;
  /** Reason why there is no newer answer; otherwise empty. */
  readonly problem: string;
}

export type BlockWindowStore = StoreApi<BlockWindow>;

export const createBlockWindow = (): BlockWindowStore =>
  createStore(() => ({ last: undefined, count: 100, answer: undefined, problem: "" }));

/** The window moved by its own length; one that would include the newest block follows it. */
export function moved({ last, count, answer }: BlockWindow, by: -1 | 1): Pick<BlockWindow, "last"> {
  const { first = 1, newest = 0 } = answer ?? {};
  const target = (last ?? newest) + by * count;
  if (target >= newest) return { last: undefined };
  return { last: Math.max(target, Math.min(first + count - 1, newest)) };
}

/** True if there are blocks older than those shown. */
export const hasOlder = ({ answer }: BlockWindow): boolean =>
  (answer?.blocks[0]?.height ?? 0) > (answer?.first ?? 0);

/** `blocks 301 to 400`. */
export function rangeText(blocks: Participation["blocks"], show: (n: number) => string): string {
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (!first || !last) return "no blocks";
  if (first === last) return `block ${show(first.height)}`;
  return `blocks ${show(first.height)} to ${show(last.height)}`;
}
