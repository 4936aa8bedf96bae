import type { Context } from "../../framework/context.ts";
import { VALIDATOR_UPDATE_DELAY } from "../../framework/module.ts";
import { consAddress } from "../../primitives/bech32.ts";
import { toHex, u64be } from "../../primitives/bytes.ts";
import { decToString } from "../../primitives/dec.ts";
import { formatRfc3339 } from "../../primitives/time.ts";
import { applyMembership, clockOf, startClock, votesUpTo } from "./clock.ts";
import { emitDowntimeSlash, emitLiveness } from "./events.ts";
import type { SlashingKeeper } from "./keeper.ts";
import { SLASHING, TURN_KEY } from "./keys.ts";
import { clearMissedBlocks, hasMissed, setMissed, withMissedBlocks } from "./missed-blocks.ts";
import { getSigningInfo, mustGetSigningInfo } from "./signing-info.ts";
import { note } from "./steps.ts";
import { minSigned, type Params, type SigningInfo } from "./types.ts";

/**
 * BeginBlock: judges the votes of the last commit (staking facts §1.6). Only those votes are looked at that can
 * change anything: absent ones, and those of validators with a miss in the window. A property test holds
 * this against the rule applied to every vote of every block.
 */
export function beginBlock(k: SlashingKeeper, ctx: Context): void {
  applyMembership(k.consensusVersion, ctx, (address) => isJailed(k, ctx, address));
  const { lastCommit } = ctx.env.block;
  const votes = lastCommit.absent.map((position) => ({ position, missed: true }));
  const signed = signedVotesToJudge(k, ctx);
  if (signed.length > 0) {
    votes.push(...signed.map((position) => ({ position, missed: false })));
    votes.sort((a, b) => a.position - b.position);
  }
  for (const { position, missed } of votes) judgeVote(k, ctx, position, missed);
}

/**
 * Whether a voter's vote does not count because it is jailed. Of one that staking no longer knows it does not count
 * either, or it is an error that stops every node, as the profile says.
 */
function isJailed(k: SlashingKeeper, ctx: Context, address: Uint8Array): boolean {
  const known = k.staking.validatorByConsAddr(ctx, address);
  if (known !== undefined || ctx.profile.unknownVoter === "error") {
    return k.staking.isValidatorJailed(ctx, address);
  }
  note(ctx, "unknown_voter", { address }, "ignored");
  return true;
}

/** Places of signed votes that clear a miss or find the validator over the limit. */
function signedVotesToJudge(k: SlashingKeeper, ctx: Context): number[] {
  const params = k.getParams(ctx);
  const addresses = Array.from(withMissedBlocks(ctx)).filter((address) => {
    const info = getSigningInfo(ctx, address);
    if (info === undefined || clockOf(ctx, address) === undefined) return false;
    return (
      hasMissed(ctx, address, windowIndex(ctx, address, info, params)) ||
      isOverLimit(ctx, info, params)
    );
  });
  if (addresses.length === 0) return [];
  const { lastCommit } = ctx.env.block;
  const absent = new Set(lastCommit.absent);
  const wanted = new Set(addresses.map(toHex));
  return Array.from({ length: lastCommit.size }, (_, position) => position).filter(
    (position) => wanted.has(toHex(lastCommit.address(position))) && !absent.has(position),
  );
}

/** Where in the window this block's vote falls. */
const windowIndex = (
  ctx: Context,
  address: Uint8Array,
  info: SigningInfo,
  { signedBlocksWindow }: Params,
): number => votesUpTo(ctx, address, info, ctx.height - 1) % signedBlocksWindow;

const minHeightOf = (info: SigningInfo, { signedBlocksWindow }: Params): number =>
  info.startHeight + signedBlocksWindow;

const maxMissedOf = (params: Params): number => params.signedBlocksWindow - minSigned(params);

const isOverLimit = (ctx: Context, info: SigningInfo, params: Params): boolean =>
  ctx.height > minHeightOf(info, params) && info.missedBlocksCounter > maxMissedOf(params);

function judgeVote(k: SlashingKeeper, ctx: Context, position: number, missed: boolean): void {
  const address = ctx.env.block.lastCommit.address(position);
  if (isJailed(k, ctx, address)) return;
  const before = mustGetSigningInfo(ctx, address);
  if (clockOf(ctx, address) === undefined) startClock(ctx, address, ctx.height);
  const params = k.getParams(ctx);
  const index = windowIndex(ctx, address, before, params);
  let info = before;
  if (hasMissed(ctx, address, index) !== missed) {
    setMissed(ctx, address, index, missed);
    const missedBlocksCounter = before.missedBlocksCounter + (missed ? 1 : -1);
    info = { ...before, missedBlocksCounter };
    k.setSigningInfo(ctx, address, info);
  }
  if (missed) {
    emitLiveness(ctx, address, info.missedBlocksCounter);
    note(ctx, "liveness", {
      address,
      missed: info.missedBlocksCounter,
      window: params.signedBlocksWindow,
      allowed: maxMissedOf(params),
    });
  }
  if (isOverLimit(ctx, info, params)) punishDowntime(k, ctx, position, info, params);
}

/** Slashes for downtime, jails, and starts the count anew. The start height stays. */
function punishDowntime(
  k: SlashingKeeper,
  ctx: Context,
  position: number,
  info: SigningInfo,
  params: Params,
): void {
  const { lastCommit } = ctx.env.block;
  const address = lastCommit.address(position);
  const power = lastCommit.power(position);
  const store = ctx.store(SLASHING);
  const fraction = params.slashFractionDowntime;
  const jailedUntil = ctx.time + params.downtimeJailDuration;

  store.set(TURN_KEY, u64be(position));
  const distributionHeight = ctx.height - VALIDATOR_UPDATE_DELAY - 1;
  const burned = k.staking.slash(ctx, address, distributionHeight, power, fraction);
  emitDowntimeSlash(ctx, address, power, burned);
  k.staking.jail(ctx, address);
  store.delete(TURN_KEY);

  k.setSigningInfo(ctx, address, { ...info, jailedUntil, missedBlocksCounter: 0, indexOffset: 0 });
  clearMissedBlocks(ctx, address);
  const allowed = maxMissedOf(params);
  note(ctx, "downtime", { address, missed: info.missedBlocksCounter, allowed, jailedUntil }, "ok");
  ctx.log("info", "x/slashing", "slashing and jailing validator due to liveness fault", {
    height: ctx.height.toString(),
    validator: consAddress(address),
    min_height: minHeightOf(info, params).toString(),
    threshold: minSigned(params).toString(),
    slashed: decToString(fraction),
    jailed_until: formatRfc3339(jailedUntil),
  });
}
