import { equal, readU64be, toHex, u64be } from "../../../base/bytes.ts";
import type { CommitInfo, Context, StateStores } from "../../framework/context.ts";
import { addressKey, addressOf, prefixKey, SLASHING } from "./keys.ts";
import { getSigningInfo, setSigningInfo } from "./signing-info.ts";
import type { SigningInfo } from "./types.ts";

/**
 * Number of counted votes of each validator, without a write per block (rules/slashing 4.3).
 *
 * Upstream increments index_offset in every block whose last commit contains the validator, unless
 * it is jailed. Here the memory store contains the first block of the current run of counted votes,
 * and the sum follows from the height; a run that ends is added to the stored record. The set of
 * counted votes can change only with the last commit's validators or with a jailing, an unjailing
 * or a removal, so the votes are judged one by one only after such a change.
 */

/** Keys of the memory store. */
const JUDGED_SET = Uint8Array.of(0x00);
const RUN = 0x01;

/** Returns true if the same votes count as in the previous block. */
export function countsAsBefore(state: StateStores, lastCommit: CommitInfo): boolean {
  const judged = state.memory(SLASHING).get(JUDGED_SET);
  return judged !== undefined && equal(judged, lastCommit.validatorsHash());
}

/** Makes the next block judge every vote, since the set of counted votes may have changed. */
export function lookAtEveryVote(ctx: Context): void {
  ctx.memory(SLASHING).delete(JUDGED_SET);
}

/**
 * Ends the runs of validators that are no longer in the last commit. Called when this block judges
 * every vote.
 */
export function everyVoteLookedAt(consensusVersion: number, ctx: Context): void {
  const { lastCommit } = ctx.env.block;
  const memory = ctx.memory(SLASHING);
  const voters = new Set<string>();
  for (let i = 0; i < lastCommit.size; i++) voters.add(toHex(lastCommit.address(i)));
  for (const { key } of memory.prefix(prefixKey(RUN))) {
    const address = addressOf(key);
    if (!voters.has(toHex(address))) endRun(consensusVersion, ctx, address);
  }
  memory.set(JUDGED_SET, lastCommit.validatorsHash().slice());
}

/** Counts the vote of this block. */
export function countVote(ctx: Context, consensusAddress: Uint8Array): void {
  const key = addressKey(RUN, consensusAddress);
  if (!ctx.memory(SLASHING).has(key)) ctx.memory(SLASHING).set(key, u64be(ctx.height));
}

/**
 * Ends a run, since the vote of this block does not count: adds the earlier votes to the record.
 */
export function endRun(consensusVersion: number, ctx: Context, consensusAddress: Uint8Array): void {
  const info = getSigningInfo(ctx, consensusAddress);
  if (info === undefined || runSince(ctx, consensusAddress) === undefined) return;
  const indexOffset = votesUpTo(ctx, consensusAddress, info, ctx.height - 1);
  setSigningInfo(consensusVersion, ctx, consensusAddress, { ...info, indexOffset });
  forgetRun(ctx, consensusAddress);
}

/** Restarts the count: the run is not added to the record. */
export function forgetRun(ctx: Context, consensusAddress: Uint8Array): void {
  ctx.memory(SLASHING).delete(addressKey(RUN, consensusAddress));
}

/** Returns upstream's index_offset after the block at a height. */
export function votesUpTo(
  ctx: Context,
  consensusAddress: Uint8Array,
  info: SigningInfo,
  height: number,
): number {
  const since = runSince(ctx, consensusAddress);
  return info.indexOffset + (since === undefined ? 0 : height - since + 1);
}

/** Returns true if the votes of a validator currently count. */
export const isCounted = (ctx: Context, consensusAddress: Uint8Array): boolean =>
  runSince(ctx, consensusAddress) !== undefined;

function runSince(ctx: Context, consensusAddress: Uint8Array): number | undefined {
  const since = ctx.memory(SLASHING).get(addressKey(RUN, consensusAddress));
  return since && Number(readU64be(since));
}
