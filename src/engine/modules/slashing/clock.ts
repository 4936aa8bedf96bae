import type { Context } from "../../framework/context.ts";
import { equal, readU64be, u64be } from "../../primitives/bytes.ts";
import {
  addressKey,
  MEMBERSHIP,
  membershipAddress,
  membershipKey,
  PREFIX,
  prefixKey,
  SLASHING,
  TURN_KEY,
} from "./keys.ts";
import { getSigningInfo, setSigningInfo } from "./signing-info.ts";
import type { SigningInfo } from "./types.ts";

/**
 * How many votes of a validator have counted, without a write per block.
 *
 * Upstream adds one to index_offset in every block whose last commit holds a validator that is not jailed.
 * Here a clock runs for such a validator: its record keeps the votes counted before, the clock the height of
 * the first block counted since, and the sum follows from the height. Clocks start and stop where upstream
 * starts and stops counting: two blocks and a commit after a change of the validator set, and at once when
 * the validator is jailed or unjailed meanwhile.
 */

/** A set changed at the end of block H is the one of block H+2, whose commit is the last commit of H+3. */
const COMMIT_DELAY = 3;

/** The first block that counts; undefined while the clock stands. */
export function clockOf(ctx: Context, consensusAddress: Uint8Array): number | undefined {
  const since = ctx.store(SLASHING).get(addressKey(PREFIX.clock, consensusAddress));
  return since && Number(readU64be(since));
}

export function startClock(ctx: Context, consensusAddress: Uint8Array, since: number): number {
  ctx.store(SLASHING).set(addressKey(PREFIX.clock, consensusAddress), u64be(since));
  return since;
}

/** Adds the votes up to and including block `last` to the record. */
function stopClock(
  consensusVersion: number,
  ctx: Context,
  consensusAddress: Uint8Array,
  last: number,
): void {
  const info = getSigningInfo(ctx, consensusAddress);
  if (info === undefined || clockOf(ctx, consensusAddress) === undefined) return;
  const indexOffset = votesUpTo(ctx, consensusAddress, info, last);
  if (indexOffset !== info.indexOffset) {
    setSigningInfo(consensusVersion, ctx, consensusAddress, { ...info, indexOffset });
  }
  ctx.store(SLASHING).delete(addressKey(PREFIX.clock, consensusAddress));
}

/** Upstream's index_offset after the block at a height. */
export function votesUpTo(
  ctx: Context,
  consensusAddress: Uint8Array,
  info: SigningInfo,
  height: number,
): number {
  const since = clockOf(ctx, consensusAddress);
  return info.indexOffset + (since === undefined ? 0 : Math.max(0, height - since + 1));
}

/** A validator joins or leaves the set at the end of this block. */
export function scheduleMembership(
  ctx: Context,
  consensusAddress: Uint8Array,
  change: typeof MEMBERSHIP.joins | typeof MEMBERSHIP.leaves,
): void {
  const key = membershipKey(ctx.height + COMMIT_DELAY, consensusAddress);
  ctx.store(SLASHING).set(key, Uint8Array.of(change));
}

/** A validator's record is gone; should the next last commit still hold it, that block must fail. */
export function scheduleRemovalCheck(ctx: Context, consensusAddress: Uint8Array): void {
  const key = membershipKey(ctx.height + 1, consensusAddress);
  ctx.store(SLASHING).set(key, Uint8Array.of(MEMBERSHIP.removed));
}

/**
 * Starts and stops the clocks of those who are new in this block's last commit or no longer in it.
 * @param isJailed throws for a validator that staking does not know
 */
export function applyMembership(
  consensusVersion: number,
  ctx: Context,
  isJailed: (consensusAddress: Uint8Array) => boolean,
): void {
  const store = ctx.store(SLASHING);
  for (const { key, value } of store.prefix(prefixKey(PREFIX.membership))) {
    if (readU64be(key, 1) > BigInt(ctx.height)) break;
    store.delete(key);
    const address = membershipAddress(key);
    if (value[0] === MEMBERSHIP.joins) {
      if (!isJailed(address) && clockOf(ctx, address) === undefined) {
        startClock(ctx, address, ctx.height);
      }
      continue;
    }
    if (value[0] === MEMBERSHIP.removed && votePosition(ctx, address) >= 0) isJailed(address);
    stopClock(consensusVersion, ctx, address, ctx.height - 1);
  }
}

/** Jailed: counted in this block unless its vote is still to come. */
export function stopWhenJailed(
  consensusVersion: number,
  ctx: Context,
  consensusAddress: Uint8Array,
): void {
  const since = clockOf(ctx, consensusAddress);
  if (since === undefined) return;
  // Of the first set and jailed before its first vote counts: should it be free by then, the vote does count.
  if (since > ctx.height && votePosition(ctx, consensusAddress) < 0) {
    ctx
      .store(SLASHING)
      .set(membershipKey(since, consensusAddress), Uint8Array.of(MEMBERSHIP.joins));
  }
  const turn = ctx.store(SLASHING).get(TURN_KEY);
  const stillToCome =
    turn !== undefined && votePosition(ctx, consensusAddress) > Number(readU64be(turn));
  const last = stillToCome ? ctx.height - 1 : ctx.height;
  stopClock(consensusVersion, ctx, consensusAddress, last);
}

/** Unjailed while still in the set: counts again from the next block on. */
export function startWhenUnjailed(ctx: Context, consensusAddress: Uint8Array): void {
  if (votePosition(ctx, consensusAddress) >= 0) startClock(ctx, consensusAddress, ctx.height + 1);
}

/** Place in the last commit's vote order; -1 if it is not in it. */
function votePosition(ctx: Context, consensusAddress: Uint8Array): number {
  const { lastCommit } = ctx.env.block;
  for (let i = 0; i < lastCommit.size; i++) {
    if (equal(lastCommit.address(i), consensusAddress)) return i;
  }
  return -1;
}
