/**
 * Hashes of blocks that a world has made before, for one that is led through its past and makes the same ones again: a
 * third of what a quiet block costs is the hash of its header.
 */
import { equal } from "../../primitives/bytes.ts";
import type { Network } from "../network.ts";
import { EMPTY_BODY } from "./block.ts";
import type { KnownHash } from "./block-maker.ts";
import type { BlockPage } from "./block-page.ts";
import type { BlockStore } from "./block-store.ts";
import type { HeaderParts, VotedCommit } from "./headers.ts";

/** Knows the hashes of the blocks that a chain has in memory, as it is at that time. */
export const hashesOf =
  (chain: Network): KnownHash =>
  (parts, last) =>
    hashOfSame(chain.ledger.blocks, parts, last);

/**
 * The hash of a block in a store of the same chain, if it is the block that these parts make; undefined where that is
 * not sure, as with transactions in it. The hash of the block below says that all before is the same, so that only what
 * has come since is compared; both validator sets follow from that.
 */
function hashOfSame(
  store: BlockStore,
  { height, time, proposer, agreed, body }: HeaderParts,
  last: VotedCommit | undefined,
): Uint8Array | undefined {
  const page = pageIn(store, height);
  const below = pageIn(store, height - 1);
  if (page === undefined || below === undefined || last === undefined) return undefined;
  const { round, blockId, signers, times } = last.commit;
  const carriesNothing = body === EMPTY_BODY && page.bodyAt(height) === EMPTY_BODY;
  if (!carriesNothing || page.timeAt(height) !== time) return undefined;
  if (page.proposerAt(height) !== proposer || below.roundAt(height - 1) !== round) return undefined;
  const differ = (times?.others.size ?? 0) > 0 || below.voteTimesAt(height - 1) !== undefined;
  const absent = below.absentAt(height - 1);
  const signed = signers.size - absent.length;
  if (differ || absent.some((index) => signers.get(index)) || signers.count() !== signed) {
    return undefined;
  }
  const isSame =
    equal(below.hashAt(height - 1), blockId.hash) &&
    equal(below.appHashAt(height - 1), agreed.appHash) &&
    equal(below.resultsHashAt(height - 1), agreed.resultsHash);
  return isSame ? page.hashAt(height).slice() : undefined;
}

/** The page of a height, if there is a block and it is in memory. */
function pageIn({ open, sealed }: BlockStore, height: number): BlockPage | undefined {
  if (open !== undefined && height >= open.first && height <= open.last) return open;
  const index = sealed.indexOf(height);
  return index === undefined ? undefined : sealed.slots[index]?.page;
}
