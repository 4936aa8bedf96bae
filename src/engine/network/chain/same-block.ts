/**
 * Reuses known block hashes when a second world replays the history of a first one: hashing the
 * header is a third of the cost of a quiet block.
 */
import { equal } from "../../../base/bytes.ts";
import type { Network } from "../network.ts";
import { EMPTY_BODY } from "./block.ts";
import type { HashLookup } from "./block-maker.ts";
import type { BlockPage } from "./block-page.ts";
import type { BlockStore } from "./block-store.ts";
import type { HeaderParts, VotedCommit } from "./headers.ts";

/** Looks up the hashes of the blocks that a chain has in memory at the time of the call. */
export const hashesOf =
  (chain: Network): HashLookup =>
  (parts, last) =>
    hashOfSame(chain.ledger.blocks, parts, last);

/**
 * Returns the hash of a block in a store of the same chain if it equals the block with these parts;
 * undefined if that is uncertain, for example with transactions in it. The hash of the previous
 * block proves that everything before it is equal, so only newer data is compared; both validator
 * sets follow from that.
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

/** Returns the page of a height, if there is a block and the page is in memory. */
function pageIn({ open, sealed }: BlockStore, height: number): BlockPage | undefined {
  if (open !== undefined && height >= open.first && height <= open.last) return open;
  const index = sealed.indexOf(height);
  return index === undefined ? undefined : sealed.slots[index]?.page;
}
