import { decToString, ONE } from "../../../base/dec.ts";
import { isDenom } from "../../framework/coins.ts";
import { plainError } from "../../framework/errors.ts";
import type { Params } from "./types.ts";

/** Throws upstream's text for the first parameter that is out of bounds. */
export function validateParams(params: Params): void {
  const rate = decToString(params.minCommissionRate);
  if (params.unbondingTime <= 0n) {
    throw plainError(`unbonding time must be positive: ${params.unbondingTime}`);
  }
  if (params.maxValidators === 0) throw plainError("max validators must be positive: 0");
  if (params.maxEntries === 0) throw plainError("max entries must be positive: 0");
  if (params.bondDenom.trim() === "") throw plainError("bond denom cannot be blank");
  if (!isDenom(params.bondDenom)) throw plainError(`invalid denom: ${params.bondDenom}`);
  if (params.minCommissionRate < 0n) {
    throw plainError(`minimum commission rate cannot be negative: ${rate}`);
  }
  if (params.minCommissionRate > ONE) {
    throw plainError(`minimum commission rate cannot be greater than 100%: ${rate}`);
  }
}
