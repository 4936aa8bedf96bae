/**
 * Queries of modules without state, which clients call before anything else (rules/clients 6.7).
 */

import { fromAccAddress, fromValAddress } from "../../base/bech32.ts";
import { utf8 } from "../../base/bytes.ts";
import { DAY } from "../../base/time.ts";
import { errorText, STATUS, StatusError } from "../../engine/framework/errors.ts";
import { durationMessage } from "../../engine/framework/time-messages.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import { consensusParamsOf } from "../../engine/simulation/world.ts";
import type { Query as Consensus } from "../../gen/chain/consensus/v1/query_pb.ts";
import type { Query as Distribution } from "../../gen/chain/distribution/v1beta1/query_pb.ts";
import type { Query as Mint } from "../../gen/chain/mint/v1beta1/query_pb.ts";
import { Query as Staking } from "../../gen/chain/staking/v1beta1/query_pb.ts";
import { query } from "../lab/query.ts";
import type { Methods } from "./methods.ts";

/** Digits of a zero Dec, as text and as bytes. */
const NONE = "0";
const NO_BYTES = utf8(NONE);

export const CONSENSUS: Methods<typeof Consensus> = {
  params: ({ spec }) => {
    const { block, evidence } = consensusParamsOf(spec);
    return {
      params: {
        block: { maxBytes: BigInt(block.maxBytes), maxGas: BigInt(block.maxGas) },
        evidence: {
          maxAgeNumBlocks: BigInt(evidence.maxAgeNumBlocks),
          maxAgeDuration: durationMessage(evidence.maxAgeDuration),
          maxBytes: BigInt(evidence.maxBytes),
        },
        validator: { pubKeyTypes: ["ed25519"] },
        version: {},
        abci: {},
      },
    };
  },
};

/** Nothing is distributed: every delegation is listed, with no rewards. */
export const DISTRIBUTION: Methods<typeof Distribution> = {
  params: () => ({
    params: { communityTax: NONE, baseProposerReward: NONE, bonusProposerReward: NONE },
  }),
  validatorOutstandingRewards: (sim, { validatorAddress }, height) => {
    checkValidator(sim, validatorAddress, height);
    return { rewards: {} };
  },
  validatorCommission: (sim, { validatorAddress }, height) => {
    checkValidator(sim, validatorAddress, height);
    return { commission: {} };
  },
  delegationRewards: (sim, { delegatorAddress, validatorAddress }, height) => {
    checkDelegator(delegatorAddress);
    checkValidator(sim, validatorAddress, height);
    if (!validatorsOf(sim, delegatorAddress, height).includes(validatorAddress)) {
      throw new StatusError(STATUS.unknown, "no delegation for (address, validator) tuple");
    }
    return {};
  },
  delegationTotalRewards: (sim, { delegatorAddress }, height) => ({
    rewards: validatorsOf(sim, delegatorAddress, height).map((validatorAddress) => ({
      validatorAddress,
    })),
  }),
  delegatorValidators: (sim, { delegatorAddress }, height) => ({
    validators: [...validatorsOf(sim, delegatorAddress, height)],
  }),
  delegatorWithdrawAddress: (_, { delegatorAddress }) => {
    checkDelegator(delegatorAddress);
    return { withdrawAddress: delegatorAddress };
  },
  communityPool: () => ({}),
};

/** Nothing is minted, at any bonded ratio. */
export const MINT: Methods<typeof Mint> = {
  params: ({ spec }) => ({
    params: {
      mintDenom: spec.staking.bondDenom,
      inflationRateChange: NONE,
      inflationMax: NONE,
      inflationMin: NONE,
      goalBonded: NONE,
      blocksPerYear: (365n * DAY) / spec.blockTime,
    },
  }),
  inflation: () => ({ inflation: NO_BYTES }),
  annualProvisions: () => ({ annualProvisions: NO_BYTES }),
};

/** Operators that an account has delegated to. Throws InvalidArgument for an invalid address. */
function validatorsOf(
  sim: Simulation,
  delegatorAddr: string,
  height: number | undefined,
): readonly string[] {
  checkDelegator(delegatorAddr);
  const pagination = { limit: 1000n };
  const request = { delegatorAddr, pagination };
  const { delegationResponses } = query(sim, Staking.method.delegatorDelegations, request, height);
  return delegationResponses.map(({ delegation }) => delegation?.validatorAddress ?? "");
}

function checkDelegator(text: string): void {
  if (text === "") throw invalid("empty delegator address");
  addressOr(() => fromAccAddress(text));
}

function checkValidator(sim: Simulation, text: string, height: number | undefined): void {
  if (text === "") throw invalid("empty validator address");
  addressOr(() => fromValAddress(text));
  query(sim, Staking.method.validator, { validatorAddr: text }, height);
}

function addressOr(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    throw invalid(errorText(error));
  }
}

const invalid = (text: string): StatusError => new StatusError(STATUS.invalidArgument, text);
