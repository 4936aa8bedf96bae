import { utf8 } from "../../../base/bytes.ts";
import { type Dec, decToString, ONE } from "../../../base/dec.ts";
import { DAY } from "../../../base/time.ts";
import type { CommissionRates as RatesMessage } from "../../../gen/chain/staking/v1beta1/staking_pb.ts";
import { type Coin, type CoinMessage, coinFromMessage, isDenom } from "../../framework/coins.ts";
import type { Context } from "../../framework/context.ts";
import { errorText, sdkErrors } from "../../framework/errors.ts";
import * as errors from "./errors.ts";
import type { CommissionRates, Description, Validator } from "./types.ts";
import { getParams } from "./validators.ts";

/** Checks of messages, with upstream's texts. */

/** Parses an address of a message; throws sdk 7 `invalid <which> address: <why>`. */
export function readAddress(
  which: string,
  read: (text: string) => Uint8Array,
  text: string,
): Uint8Array {
  try {
    return read(text);
  } catch (error) {
    throw sdkErrors.invalidAddress.wrap(`invalid ${which} address: ${errorText(error)}`);
  }
}

/** Reads a valid, positive coin; throws sdk 18 with the given text. */
export function readAmount(message: CoinMessage | undefined, expected: string): Coin {
  const coin = coinFromMessage(message);
  if (coin === undefined || coin.amount <= 0n || !isDenom(coin.denom)) {
    throw sdkErrors.invalidRequest.wrap(expected);
  }
  return coin;
}

export function mustBeBondDenom(ctx: Context, { denom }: Coin): void {
  const { bondDenom } = getParams(ctx);
  if (denom === bondDenom) return;
  throw sdkErrors.invalidRequest.wrap(
    `invalid coin denomination: got ${denom}, expected ${bondDenom}`,
  );
}

const MAX_LENGTHS = [
  ["moniker", "moniker", 70],
  ["identity", "identity", 3000],
  ["website", "website", 140],
  ["securityContact", "security contact", 140],
  ["details", "details", 280],
] as const;

export function checkLengths(description: Description): void {
  for (const [field, name, max] of MAX_LENGTHS) {
    const { length } = utf8(description[field].toWellFormed());
    if (length > max) {
      throw sdkErrors.invalidRequest.wrap(`invalid ${name} length; got: ${length}, max: ${max}`);
    }
  }
}

export const isEmptyDescription = (description: Description): boolean =>
  Object.values(description).every((text) => text === "");

/** Value of fields that a message does not change. */
const DO_NOT_MODIFY = "[do-not-modify]";

export function updateDescription(old: Description, input: Description): Description {
  const pick = (field: keyof Description): string =>
    input[field] === DO_NOT_MODIFY ? old[field] : input[field];
  const description = {
    moniker: pick("moniker"),
    identity: pick("identity"),
    website: pick("website"),
    securityContact: pick("securityContact"),
    details: pick("details"),
  };
  checkLengths(description);
  return description;
}

export const isEmptyCommission = (rates: RatesMessage | undefined): boolean =>
  rates === undefined || (rates.rate === "" && rates.maxRate === "" && rates.maxChangeRate === "");

export function checkRates({ rate, maxRate, maxChangeRate }: CommissionRates): void {
  if (maxRate < 0n) throw errors.errCommissionNegative.bare();
  if (maxRate > ONE) throw errors.errCommissionHuge.bare();
  if (rate < 0n) throw errors.errCommissionNegative.bare();
  if (rate > maxRate) throw errors.errCommissionGTMaxRate.bare();
  if (maxChangeRate < 0n) throw errors.errCommissionChangeRateNegative.bare();
  if (maxChangeRate > maxRate) throw errors.errCommissionChangeRateGTMaxRate.bare();
}

/** Checks a new commission rate: at most once a day, within the validator's own bounds. */
export function checkNewRate(ctx: Context, { commission }: Validator, rate: Dec): void {
  if (ctx.time - commission.updateTime < DAY) throw errors.errCommissionUpdateTime.bare();
  if (rate < 0n) throw errors.errCommissionNegative.bare();
  if (rate > commission.maxRate) throw errors.errCommissionGTMaxRate.bare();
  if (rate - commission.rate > commission.maxChangeRate) {
    throw errors.errCommissionGTMaxChangeRate.bare();
  }
}

export function mustReachMinRate(ctx: Context, rate: Dec): void {
  const { minCommissionRate } = getParams(ctx);
  if (rate >= minCommissionRate) return;
  throw errors.errCommissionLTMinRate.wrap(
    `cannot set validator commission to less than minimum rate of ${decToString(minCommissionRate)}`,
  );
}
