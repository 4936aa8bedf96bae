import { CommandError } from "../framework/errors.ts";

/**
 * Range of the main chain's history that an operation reads: blocks with their headers and commits,
 * results of blocks, the state or the validator sets after a height, the height of a block with a
 * hash. Heights that the chain does not have are passed over.
 */
export type HistoryRange =
  | { readonly kind: "blocks" | "results"; readonly from: number; readonly to: number }
  | { readonly kind: "state" | "sets"; readonly height: number }
  | { readonly kind: "hash"; readonly hash: Uint8Array };

/** The ranges that something reads, one after the other: each is opened before the next one is asked for. */
export type HistoryRanges<T = void> = Generator<HistoryRange, T, unknown>;

/** Parts that were opened for one reader, by their keys: they stay as long as it has them. */
export type OpenedHistory = ReadonlyMap<string, object>;

/** A world stands still for good: it needed a past that did not come back while it changed. */
export class PastLost extends CommandError {
  constructor() {
    super(
      "the world stands still, since old blocks cannot be read: open it again to go on from before",
    );
  }
}
