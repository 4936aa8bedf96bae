import { consAddress } from "../../../base/bech32.ts";
import { toHex } from "../../../base/bytes.ts";
import { decToString } from "../../../base/dec.ts";
import { formatRfc3339 } from "../../../base/time.ts";
import type { BlockInfo, Context, StateStores } from "../../framework/context.ts";
import { VALIDATOR_UPDATE_DELAY } from "../../framework/module.ts";
import { encodingError, timeAfter } from "../../framework/time-messages.ts";
import { emitDowntimeSlash, emitLiveness } from "./events.ts";
import type { SlashingKeeper } from "./keeper.ts";
import {
  clearMissedBlocks,
  hasMissed,
  isAnyBlockMissed,
  setMissed,
  withMissedBlocks,
} from "./missed-blocks.ts";
import { getSigningInfo, mustGetSigningInfo } from "./signing-info.ts";
import { note } from "./steps.ts";
import { minSigned, type Params, type SigningInfo } from "./types.ts";
import {
  countsAsBefore,
  countVote,
  endRun,
  everyVoteLookedAt,
  forgetRun,
  isCounted,
  votesUpTo,
} from "./vote-count.ts";

/**
 * BeginBlock: judges the votes of the last commit (rules/slashing 4.1, 4.3). If the same votes
 * count as in the previous block, only votes that can change anything are judged: absent ones, and
 * those of validators with a miss in the window. A property test compares this with the rule
 * applied to every vote of every block.
 */
export function beginBlock(k: SlashingKeeper, ctx: Context): void {
  const { lastCommit } = ctx.env.block;
  if (countsAsBefore(ctx, lastCommit)) {
    const signed = signedVotesToJudge(k, ctx);
    const { absent } = lastCommit;
    judgeVotes(k, ctx, signed.length === 0 ? absent : [...absent, ...signed].sort((a, b) => a - b));
  } else {
    // Called first, since a slash may jail a validator whose vote was already judged: then the next
    // block judges every vote again.
    everyVoteLookedAt(k.consensusVersion, ctx);
    judgeVotes(k, ctx, placesFrom(0, lastCommit.size));
  }
}

/** Returns true if BeginBlock has a vote to judge. */
export const isAnyVoteToJudge = (state: StateStores, { lastCommit }: BlockInfo): boolean =>
  lastCommit.absent.length > 0 || isAnyBlockMissed(state) || !countsAsBefore(state, lastCommit);

const placesFrom = (start: number, size: number): number[] =>
  Array.from({ length: Math.max(0, size - start) }, (_, i) => start + i);

/** Judges the votes at these indexes of the last commit, ascending. */
function judgeVotes(k: SlashingKeeper, ctx: Context, places: readonly number[]): void {
  if (places.length === 0) return;
  const { absent, size } = ctx.env.block.lastCommit;
  const missed = new Set(absent);
  for (const index of places) {
    if (!judgeVote(k, ctx, index, missed.has(index))) continue;
    // The slash may have jailed validators whose votes come later.
    judgeVotes(k, ctx, placesFrom(index + 1, size));
    return;
  }
}

/**
 * Returns true if a vote does not count because its voter is jailed. The vote of a validator that
 * staking has removed does not count either, or is an error that halts every node, by the profile
 * (rules/slashing 4.2).
 */
function isJailed(k: SlashingKeeper, ctx: Context, address: Uint8Array): boolean {
  const known = k.staking.validatorByConsAddr(ctx, address);
  if (known !== undefined || ctx.profile.unknownVoter === "error") {
    return k.staking.isValidatorJailed(ctx, address);
  }
  note(ctx, "unknown_voter", { address }, "ignored");
  return true;
}

/** Indexes of signed votes that clear a miss, or whose validator is over the limit. */
function signedVotesToJudge(k: SlashingKeeper, ctx: Context): number[] {
  if (!isAnyBlockMissed(ctx)) return [];
  const params = k.getParams(ctx);
  const addresses = Array.from(withMissedBlocks(ctx)).filter((address) => {
    const info = getSigningInfo(ctx, address);
    if (info === undefined || !isCounted(ctx, address)) return false;
    return (
      hasMissed(ctx, address, windowIndex(ctx, address, info, params)) ||
      isOverLimit(ctx, info, params)
    );
  });
  if (addresses.length === 0) return [];
  const { lastCommit } = ctx.env.block;
  const absent = new Set(lastCommit.absent);
  const wanted = new Set(addresses.map(toHex));
  return Array.from({ length: lastCommit.size }, (_, index) => index).filter(
    (index) => wanted.has(toHex(lastCommit.address(index))) && !absent.has(index),
  );
}

/** Returns the index of this block's vote in the window. */
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

/** Judges the vote of one validator. Returns true if the validator was punished for it. */
function judgeVote(k: SlashingKeeper, ctx: Context, place: number, missed: boolean): boolean {
  const address = ctx.env.block.lastCommit.address(place);
  if (isJailed(k, ctx, address)) {
    endRun(k.consensusVersion, ctx, address);
    return false;
  }
  const before = mustGetSigningInfo(ctx, address);
  countVote(ctx, address);
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
  const punished = isOverLimit(ctx, info, params);
  if (punished) punishDowntime(k, ctx, place, info, params);
  return punished;
}

/** Slashes for downtime, jails, and resets the count. The start height is unchanged. */
function punishDowntime(
  k: SlashingKeeper,
  ctx: Context,
  index: number,
  info: SigningInfo,
  params: Params,
): void {
  const { lastCommit } = ctx.env.block;
  const address = lastCommit.address(index);
  const power = lastCommit.power(index);
  const fraction = params.slashFractionDowntime;
  const jailedUntil = timeAfter(ctx.time, params.downtimeJailDuration, encodingError);

  const distributionHeight = ctx.height - VALIDATOR_UPDATE_DELAY - 1;
  const burned = k.staking.slash(ctx, address, distributionHeight, power, fraction);
  emitDowntimeSlash(ctx, address, power, burned);
  k.staking.jail(ctx, address);

  forgetRun(ctx, address);
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
