/**
 * Checks for parameters that contradict one another. Loaded separately, since only files can
 * contain such parameters.
 */
import type { DescField } from "@bufbuild/protobuf";
import { fromAccAddress } from "../../../base/bech32.ts";
import { decFromString } from "../../../base/dec.ts";
import type { Coin } from "../../../gen/chain/base/v1beta1/coin_pb.ts";
import { durationOf } from "../../framework/time-messages.ts";
import { type ModuleParams, type ParamsModule, parametersOf } from "./params.ts";

/** For each field, the expectation that it violates, if it contradicts the others. */
type Checks<P> = { readonly [K in keyof P]?: (params: P) => string | undefined };

const CHECKS: { readonly [M in ParamsModule]: Checks<ModuleParams[M]> } = {
  slashing: {},
  staking: {},
  gov: {
    votingPeriod: ({ votingPeriod }) =>
      unless(durationOf(votingPeriod) >= 2n, "at least 2ns, so that an expedited one is shorter"),
    expeditedVotingPeriod: ({ votingPeriod, expeditedVotingPeriod }) =>
      unless(
        durationOf(expeditedVotingPeriod) < durationOf(votingPeriod),
        "an expedited voting period shorter than the voting period",
      ),
    threshold: ({ threshold }) => unless(decFromString(threshold) > 0n, "more than 0"),
    vetoThreshold: ({ vetoThreshold }) => unless(decFromString(vetoThreshold) > 0n, "more than 0"),
    expeditedThreshold: ({ threshold, expeditedThreshold }) =>
      unless(
        decFromString(expeditedThreshold) > decFromString(threshold),
        "more than the threshold",
      ),
    proposalCancelDest: ({ proposalCancelDest: dest }) =>
      unless(dest === "" || isAccAddress(dest), "an account's address"),
    minDeposit: ({ minDeposit }) => unless(sum(minDeposit) > 0n, "more than 0"),
    expeditedMinDeposit: ({ minDeposit, expeditedMinDeposit }) =>
      unless(sum(expeditedMinDeposit) > sum(minDeposit), "more than min_deposit"),
  },
};

/** Returns the parameters of a module that contradict others, and the expectation for each. */
export function misfits<M extends ParamsModule>(
  module: M,
  params: ModuleParams[M],
): readonly { readonly field: DescField; readonly expected: string }[] {
  const checks: Checks<ModuleParams[M]> = CHECKS[module];
  return parametersOf(module).flatMap(({ field }) => {
    const expected = checks[field.localName as keyof ModuleParams[M]]?.(params);
    return expected === undefined ? [] : [{ field, expected }];
  });
}

const unless = (fits: boolean, expected: string): string | undefined =>
  fits ? undefined : expected;

const sum = (coins: readonly Coin[]): bigint =>
  coins.reduce((total, { amount }) => total + BigInt(amount), 0n);

function isAccAddress(text: string): boolean {
  try {
    fromAccAddress(text);
    return true;
  } catch {
    return false;
  }
}
