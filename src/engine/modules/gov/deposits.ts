import { fromAccAddress } from "../../../base/bech32.ts";
import {
  type Dec,
  decFromInt,
  decFromString,
  decMul,
  roundInt,
  truncateInt,
} from "../../../base/dec.ts";
import {
  addCoins,
  amountOf,
  type Coin,
  coinsFromMessages,
  formatCoin,
  formatCoins,
  isAllGte,
} from "../../framework/coins.ts";
import type { Context } from "../../framework/context.ts";
import { ErrInactiveProposal, ErrInvalidDepositDenom, ErrMinDepositTooSmall } from "./errors.ts";
import { emitDeposit } from "./events.ts";
import type { GovKeeper } from "./keeper.ts";
import { minDepositOf, votingPeriodOf } from "./params.ts";
import { note } from "./steps.ts";
import {
  type Coins,
  coinMessages,
  encodingError,
  MODULE_NAME,
  type Params,
  type Proposal,
  ProposalStatus,
  timeAfter,
  timestamp,
} from "./types.ts";

/** Throws unless the initial deposit reaches the minimum, if params have one (rules/gov 2.1). */
export function checkInitialDeposit(params: Params, deposit: Coins, expedited: boolean): void {
  const ratio = decFromString(params.minInitialDepositRatio);
  if (ratio === 0n) return;
  const need = minDepositOf(params, expedited).map((coin) => part(coin, ratio, roundInt));
  if (isAllGte(deposit, need)) return;
  throw ErrMinDepositTooSmall.wrap(`was (${formatCoins(deposit)}), need (${formatCoins(need)})`);
}

/** Throws for a denom that is not in the minimum deposit. */
export function checkDenoms(params: Params, deposit: Coins): void {
  const accepted = params.minDeposit.map(({ denom }) => denom);
  if (deposit.every(({ denom }) => accepted.includes(denom))) return;
  throw ErrInvalidDepositDenom.wrap(
    `deposited ${formatCoins(deposit)}, but gov accepts only the following denom(s): [${accepted.join(" ")}]`,
  );
}

/**
 * Adds a deposit and starts the voting period once the minimum is reached (rules/gov 3.1).
 * @returns whether it started the voting period
 */
export function addDeposit(
  ctx: Context,
  k: GovKeeper,
  id: bigint,
  depositor: Uint8Array,
  depositorText: string,
  amount: Coins,
): boolean {
  const proposal = k.getProposal(ctx, id);
  const { status } = proposal;
  if (status !== ProposalStatus.DEPOSIT_PERIOD && status !== ProposalStatus.VOTING_PERIOD) {
    throw ErrInactiveProposal.wrap(String(id));
  }
  const params = k.getParams(ctx);
  checkDenoms(params, amount);
  const minimum = minDepositOf(params, proposal.expedited);
  checkThreshold(params, minimum, amount);
  k.needs.bank.sendCoinsFromAccountToModule(ctx, depositor, MODULE_NAME, amount);
  const total = addCoins(coinsFromMessages(proposal.totalDeposit), amount);
  const updated = { ...proposal, totalDeposit: coinMessages(total) };
  const enough = status === ProposalStatus.DEPOSIT_PERIOD && isAllGte(total, minimum);
  note(ctx, "deposit", { proposalId: id, total, minimum }, enough ? "ok" : "info");
  if (enough) activateVotingPeriod(ctx, k, updated, params);
  else k.setProposal(ctx, updated);

  const before = k.getDeposit(ctx, id, depositor);
  k.setDeposit(ctx, id, depositor, addCoins(coinsFromMessages(before?.amount ?? []), amount));
  emitDeposit(ctx, depositorText, formatCoins(amount), id);
  return enough;
}

/**
 * Refunds and deletes all deposits. An empty deposit is refunded too, since upstream emits the
 * events of such a send.
 */
export function refundAndDeleteDeposits(ctx: Context, k: GovKeeper, id: bigint): void {
  for (const deposit of k.deposits(ctx, id)) {
    refund(ctx, k, deposit.depositor, coinsFromMessages(deposit.amount));
    k.removeDeposit(ctx, deposit);
  }
  note(ctx, "deposits_refunded", { proposalId: id }, "ok");
}

export function deleteAndBurnDeposits(ctx: Context, k: GovKeeper, id: bigint): void {
  let burnt: Coins = [];
  for (const deposit of k.deposits(ctx, id)) {
    burnt = addCoins(burnt, coinsFromMessages(deposit.amount));
    k.removeDeposit(ctx, deposit);
  }
  k.needs.bank.burnCoins(ctx, MODULE_NAME, burnt);
  note(ctx, "deposits_burned", { proposalId: id, coins: burnt }, "ok");
}

/**
 * Charges the cancel ratio of every deposit and refunds the rest; the charge is burned or sent to
 * an account (rules/gov 5.1).
 */
export function chargeDeposits(ctx: Context, k: GovKeeper, id: bigint, params: Params): void {
  const ratio = decFromString(params.proposalCancelRatio);
  let charges: Coins = [];
  for (const deposit of k.deposits(ctx, id)) {
    let rest: Coins = [];
    for (const coin of coinsFromMessages(deposit.amount)) {
      const charge = cancelCharge(coin, ratio);
      charges = addCoins(charges, [charge]);
      rest = addCoins(rest, [{ denom: coin.denom, amount: coin.amount - charge.amount }]);
    }
    if (rest.length > 0) refund(ctx, k, deposit.depositor, rest);
    k.removeDeposit(ctx, deposit);
  }
  if (charges.length === 0) return;
  note(ctx, "cancel_cost", { proposalId: id, coins: charges }, "ok");
  const destination = params.proposalCancelDest;
  if (destination === "") k.needs.bank.burnCoins(ctx, MODULE_NAME, charges);
  else refund(ctx, k, destination, charges);
}

/** Returns the part of a depositor's coin that is lost when the proposal is cancelled. */
export const cancelCharge = (coin: Coin, ratio: Dec): Coin => part(coin, ratio, truncateInt);

function activateVotingPeriod(
  ctx: Context,
  k: GovKeeper,
  proposal: Proposal,
  params: Params,
): void {
  const end = timeAfter(ctx.time, votingPeriodOf(params, proposal.expedited), encodingError);
  const active: Proposal = {
    ...proposal,
    status: ProposalStatus.VOTING_PERIOD,
    votingStartTime: timestamp(ctx.time),
    votingEndTime: timestamp(end),
  };
  k.setProposal(ctx, active);
  k.dequeueInactive(ctx, active);
  k.enqueueActive(ctx, active);
  note(ctx, "voting", { proposalId: proposal.id, until: end }, "ok");
}

/** Throws unless one denom reaches the minimum deposit ratio, which excludes dust. */
function checkThreshold(params: Params, minimum: Coins, amount: Coins): void {
  const ratio = decFromString(params.minDepositRatio);
  if (ratio === 0n) return;
  const thresholds = minimum.map((coin) => part(coin, ratio, truncateInt));
  if (
    thresholds.some((t) => {
      const input = amountOf(amount, t.denom);
      return input > 0n && input >= t.amount;
    })
  ) {
    return;
  }
  throw ErrMinDepositTooSmall.wrap(
    `received ${formatCoins(amount)} but need at least one of the following: ${thresholds.map(formatCoin).join(",")}`,
  );
}

const part = (coin: Coin, ratio: Dec, whole: (value: Dec) => bigint): Coin => ({
  denom: coin.denom,
  amount: whole(decMul(decFromInt(coin.amount), ratio)),
});

function refund(ctx: Context, k: GovKeeper, to: string, coins: Coins): void {
  k.needs.bank.sendCoinsFromModuleToAccount(ctx, MODULE_NAME, fromAccAddress(to), coins);
}
