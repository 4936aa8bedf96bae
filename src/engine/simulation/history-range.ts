import { CommandError } from "../framework/errors.ts";

/**
 * Range of the main chain's history that an operation reads: blocks with their headers and commits,
 * results of blocks, the state or the validator sets after a height, or the height of a block with
 * a hash. Heights that the chain does not have are skipped.
 */
export type HistoryRange =
  | { readonly kind: "blocks" | "results"; readonly from: number; readonly to: number }
  | { readonly kind: "state" | "sets"; readonly height: number }
  | { readonly kind: "hash"; readonly hash: Uint8Array };

/** Consecutive ranges that an operation reads: each is opened before the next is requested. */
export type HistoryRanges<T = void> = Generator<HistoryRange, T, unknown>;

/** Parts opened for one reader, by key; they stay in memory as long as the reader holds them. */
export type OpenedHistory = ReadonlyMap<string, object>;

/** A world can no longer change: history that a change needed could not be loaded. */
export class HistoryLostError extends CommandError {
  constructor() {
    super(
      "the world cannot continue, because old blocks cannot be read; open it again to continue from its last save",
    );
  }
}
