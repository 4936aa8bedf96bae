import { consAddress, valAddress } from "../../../base/bech32.ts";
import { type Dec, decMul, decMulInt, decToString, truncateInt } from "../../../base/dec.ts";
import type { Context } from "../../framework/context.ts";
import { plainError } from "../../framework/errors.ts";
import { getDelegation, unbond } from "./delegation.ts";
import type { Staking } from "./needs.ts";
import { burnPool, poolOf } from "./pools.ts";
import { redelegationsFrom } from "./redelegation.ts";
import { SlashNotes } from "./slash-notes.ts";
import { note } from "./steps.ts";
import {
  BONDED_POOL,
  isMature,
  NOT_BONDED_POOL,
  POWER_REDUCTION,
  type Redelegation,
  type UnbondingDelegation,
  type Validator,
} from "./types.ts";
import {
  getUnbondingDelegation,
  setUnbondingDelegation,
  validatorUnbondingDelegations,
} from "./unbonding.ts";
import { mustGetValidator, updateValidator, validatorByConsAddr } from "./validators.ts";

/** One slash in progress. */
interface Infraction {
  readonly height: number;
  readonly factor: Dec;
  readonly notes: SlashNotes;
}

/**
 * Burns `factor` of the stake of `power` at the infraction: first from stake that has started to
 * unbond or redelegate since, then from the validator's tokens (rules/staking 4.1, 4.2, 4.3). Cost:
 * only the validator's own unbonding entries and redelegations.
 * @param power voting power at the infraction, not the validator's current power
 * @returns tokens burned from the validator itself
 */
export function slash(
  k: Staking,
  ctx: Context,
  consensusAddress: Uint8Array,
  infractionHeight: number,
  power: number,
  factor: Dec,
): bigint {
  if (factor < 0n) {
    throw plainError(`attempted to slash with a negative slash factor: ${decToString(factor)}`);
  }
  const stake = BigInt(power) * POWER_REDUCTION;
  const amount = truncateInt(decMulInt(factor, stake));
  note(ctx, "slash_amount", { power, factor, amount });

  const validator = validatorByConsAddr(ctx, consensusAddress);
  if (validator === undefined) {
    ctx.log(
      "error",
      "x/staking",
      "WARNING: ignored attempt to slash a nonexistent validator; we recommend you investigate immediately",
      { validator: consAddress(consensusAddress) },
    );
    note(ctx, "no_validator", { address: consensusAddress }, "ignored");
    return 0n;
  }
  const operator = valAddress(validator.operator);
  if (validator.status === "unbonded") {
    throw plainError(`should not be slashing unbonded validator: ${operator}`);
  }
  const answered = slashDeparted(k, ctx, validator, infractionHeight, factor);
  const { tokens } = validator;
  const burn = answered < amount ? lesser(amount - answered, tokens) : 0n;
  note(
    ctx,
    "slash_validator",
    { operator: validator.operator, amount, answered, burned: burn, tokens },
    burn > 0n ? "ok" : "info",
  );
  const fields = {
    validator: operator,
    slash_factor: decToString(factor),
    burned: burn.toString(),
  };
  if (burn === 0n) {
    const text = "no validator slashing because slash amount is zero";
    ctx.log("info", "x/staking", text, { ...fields, validatorTokens: tokens.toString() });
    return 0n;
  }
  updateValidator(ctx, validator, { ...validator, tokens: tokens - burn });
  burnPool(k, ctx, poolOf(validator.status), burn);
  ctx.log("info", "x/staking", "validator slashed by slash factor", fields);
  return burn;
}

const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/**
 * Slashes stake that has left the validator since the infraction; returns the amount covered by it.
 */
function slashDeparted(
  k: Staking,
  ctx: Context,
  validator: Validator,
  height: number,
  factor: Dec,
): bigint {
  if (height > ctx.height) {
    throw plainError(
      `impossible attempt to slash future infraction at height ${height} but we are at height ${ctx.height}`,
    );
  }
  if (height === ctx.height) {
    const text = "slashing at current height; not scanning unbonding delegations & redelegations";
    ctx.log("info", "x/staking", text, { height: height.toString() });
    return 0n;
  }
  const infraction = { height, factor, notes: new SlashNotes() };
  let answered = 0n;
  for (const ubd of validatorUnbondingDelegations(ctx, validator.operator)) {
    answered += slashUnbondingDelegation(k, ctx, ubd, infraction);
  }
  for (const red of redelegationsFrom(ctx, validator.operator)) {
    answered += slashRedelegation(k, ctx, red, infraction);
  }
  infraction.notes.noteAll(ctx);
  return answered;
}

/**
 * Returns true if an entry is slashed for an infraction: it was created then or later and is not
 * yet paid out.
 */
const isLiable = (
  ctx: Context,
  entry: { readonly creationHeight: number; readonly completionTime: bigint },
  infraction: Infraction,
): boolean => entry.creationHeight >= infraction.height && !isMature(entry, ctx.time);

/** @returns amount for which the entries are liable, even if less was left to burn */
function slashUnbondingDelegation(
  k: Staking,
  ctx: Context,
  ubd: UnbondingDelegation,
  infraction: Infraction,
): bigint {
  let answered = 0n;
  let burned = 0n;
  const entries = ubd.entries.map((entry) => {
    if (!isLiable(ctx, entry, infraction)) return entry;
    const due = truncateInt(decMulInt(infraction.factor, entry.initialBalance));
    const taken = lesser(due, entry.balance);
    answered += due;
    burned += taken;
    const { creationHeight, initialBalance: initial } = entry;
    infraction.notes.add("unbonding", {
      delegator: ubd.delegator,
      creationHeight,
      initial,
      due,
      burned: taken,
    });
    return { ...entry, balance: entry.balance - taken };
  });
  if (burned > 0n) setUnbondingDelegation(ctx, { ...ubd, entries });
  burnPool(k, ctx, NOT_BONDED_POOL, burned);
  return answered;
}

/**
 * Slashes only the redelegator: first tokens unbonding at the destination, then its shares there.
 */
function slashRedelegation(
  k: Staking,
  ctx: Context,
  red: Redelegation,
  infraction: Infraction,
): bigint {
  let answered = 0n;
  const burned = { bonded: 0n, notBonded: 0n };
  for (const entry of red.entries) {
    if (!isLiable(ctx, entry, infraction)) continue;
    const due = truncateInt(decMulInt(infraction.factor, entry.initialBalance));
    answered += due;
    const unbonding = takeFromUnbonding(ctx, red, due, infraction);
    burned.notBonded += unbonding;
    // Upstream slashes the full fraction of the shares even if part was already taken from
    // unbonding tokens.
    const shares = due === unbonding ? 0n : decMul(infraction.factor, entry.sharesDst);
    const { tokens, pool } = takeFromShares(k, ctx, red, shares);
    burned[pool === BONDED_POOL ? "bonded" : "notBonded"] += tokens;
    const { creationHeight, initialBalance: initial } = entry;
    infraction.notes.add("redelegation", {
      delegator: red.delegator,
      to: red.validatorDst,
      creationHeight,
      initial,
      due,
      burned: unbonding + tokens,
    });
  }
  burnPool(k, ctx, BONDED_POOL, burned.bonded);
  burnPool(k, ctx, NOT_BONDED_POOL, burned.notBonded);
  return answered;
}

/**
 * Takes up to `due` from the redelegator's unbonding tokens at the destination.
 * GHSA-86h5-xcpx-cfqc.
 */
function takeFromUnbonding(
  ctx: Context,
  red: Redelegation,
  due: bigint,
  infraction: Infraction,
): bigint {
  const ubd = getUnbondingDelegation(ctx, red.delegator, red.validatorDst);
  if (ubd === undefined) return 0n;
  let left = due;
  const entries = ubd.entries.map((entry) => {
    if (!isLiable(ctx, entry, infraction)) return entry;
    const taken = lesser(left, entry.balance);
    left -= taken;
    return { ...entry, balance: entry.balance - taken };
  });
  if (left < due) setUnbondingDelegation(ctx, { ...ubd, entries });
  return due - left;
}

/** Unbonds shares at the destination, at most all of them, to burn their tokens. */
function takeFromShares(
  k: Staking,
  ctx: Context,
  red: Redelegation,
  shares: Dec,
): { readonly tokens: bigint; readonly pool: string } {
  const delegation = getDelegation(ctx, red.delegator, red.validatorDst);
  if (shares === 0n || delegation === undefined) return { tokens: 0n, pool: NOT_BONDED_POOL };
  const taken = lesser(shares, delegation.shares);
  const tokens = unbond(k, ctx, red.delegator, red.validatorDst, taken);
  // Looked up afterwards, as upstream: an error if the destination was emptied and removed by this.
  return { tokens, pool: poolOf(mustGetValidator(ctx, red.validatorDst).status) };
}
