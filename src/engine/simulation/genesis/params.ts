/**
 * The modules' parameters at genesis. Name, type and meaning come from the proto, the default from
 * the module; this table contains the rules that the proto cannot express.
 */
import { create, type DescField, type DescMessage } from "@bufbuild/protobuf";
import { MINUTE } from "../../../base/time.ts";
import type { Coin } from "../../../gen/chain/base/v1beta1/coin_pb.ts";
import { ParamsSchema as Gov, type Params as GovParams } from "../../../gen/chain/gov/v1/gov_pb.ts";
import {
  ParamsSchema as Slashing,
  type Params as SlashingParams,
} from "../../../gen/chain/slashing/v1beta1/slashing_pb.ts";
import {
  ParamsSchema as Staking,
  type Params as StakingParams,
} from "../../../gen/chain/staking/v1beta1/staking_pb.ts";
import { durationMessage, durationOf } from "../../framework/time-messages.ts";
import { defaultParams as govDefaults } from "../../modules/gov/params.ts";
import {
  DEFAULT_PARAMS as SLASHING_DEFAULTS,
  paramsToMessage as slashingMessage,
} from "../../modules/slashing/types.ts";
import { paramsToMessage as stakingMessage } from "../../modules/staking/codec.ts";
import { DEFAULT_PARAMS as STAKING_DEFAULTS } from "../../modules/staking/types.ts";

/** A world's parameters at genesis, as its modules represent them. */
export interface ModuleParams {
  readonly slashing: SlashingParams;
  readonly staking: StakingParams;
  readonly gov: GovParams;
}

export type ParamsModule = keyof ModuleParams;

/** Constraints on one parameter of the message `P` that the proto cannot express. */
export interface ParamRule<P, V> {
  /** Smallest and largest value of an integer. */
  readonly range?: readonly [least: number, greatest: number];
  /** Default, if it differs from the module's; may use the preceding fields, which are set. */
  readonly initial?: (params: P, denom: string) => V;
  /** The default as text, if it depends on other parameters. */
  readonly defaultText?: string;
  /** Scenario field that sets it instead, or the reason why it cannot be set. */
  readonly statedAt?: string;
}

/** Largest values accepted; larger worlds cannot be run. */
export const LIMITS = { validators: 10_000, blocks: 10_000_000, height: 1_000_000_000 } as const;

/** Upstream's ratio of expedited to ordinary deposits, 50 to 10 million. */
const EXPEDITED_DEPOSIT_FACTOR = 5n;

interface Entry<P> {
  readonly schema: DescMessage;
  readonly defaults: () => P;
  readonly rules: { readonly [K in keyof P]?: ParamRule<P, P[K]> };
}

/** For each module: the message, the module's defaults, and where a world differs from them. */
const TABLE: { readonly [M in ParamsModule]: Entry<ModuleParams[M]> } = {
  slashing: {
    schema: Slashing,
    defaults: () => slashingMessage(SLASHING_DEFAULTS),
    rules: {
      signedBlocksWindow: { range: [1, LIMITS.height] },
    },
  },
  staking: {
    schema: Staking,
    defaults: () => create(Staking, stakingMessage(STAKING_DEFAULTS)),
    rules: {
      maxValidators: { range: [1, LIMITS.validators] },
      maxEntries: { range: [1, 1_000_000] },
      historicalEntries: {
        initial: () => 0,
        statedAt: "no header is kept in the state: nothing here reads one from it",
      },
      bondDenom: { initial: (_, denom) => denom, statedAt: "it is genesis.denom" },
    },
  },
  gov: {
    schema: Gov,
    defaults: govDefaults,
    rules: {
      votingPeriod: {
        initial: () => durationMessage(MINUTE),
      },
      // Upstream's ratio of expedited to ordinary voting, 24 h to 48 h.
      expeditedVotingPeriod: {
        initial: ({ votingPeriod }) => durationMessage(durationOf(votingPeriod) / 2n),
        defaultText: "half of the ordinary one",
      },
      expeditedMinDeposit: {
        initial: ({ minDeposit }) =>
          minDeposit.map((coin) => ({
            ...coin,
            amount: `${BigInt(coin.amount) * EXPEDITED_DEPOSIT_FACTOR}`,
          })),
        defaultText: "five times the ordinary one",
      },
    },
  },
};

/** One parameter: its field in the module's Params, and its rule. */
export interface Parameter {
  readonly field: DescField;
  readonly rule: Omit<ParamRule<never, unknown>, "initial">;
}

/** Modules whose parameters a world sets. */
export const PARAMS_MODULES = Object.keys(TABLE) as readonly ParamsModule[];

/** All parameters of a module, in the order of its proto. */
export function parametersOf(module: ParamsModule): readonly Parameter[] {
  const { schema, rules }: { schema: DescMessage; rules: Rules } = TABLE[module];
  return schema.fields.map((field) => ({ field, rule: rules[field.localName] ?? {} }));
}

type Rules = Readonly<Record<string, ParamRule<never, unknown> | undefined>>;

/** Parameters set per module, by the field names of the message. */
export type ParamOverrides = { readonly [M in ParamsModule]?: Partial<ModuleParams[M]> };

/**
 * Returns a world's parameters for this staking token: those passed, else the rules' or the
 * modules' defaults.
 */
export const worldParams = (denom: string, overrides: ParamOverrides = {}): ModuleParams => ({
  slashing: complete(TABLE.slashing, denom, overrides.slashing),
  staking: complete(TABLE.staking, denom, overrides.staking),
  gov: complete(TABLE.gov, denom, overrides.gov),
});

function complete<P extends object>(
  { defaults, rules }: Entry<P>,
  denom: string,
  input: Partial<P> = {},
): P {
  const params: P = { ...inDenom(defaults(), denom), ...input };
  for (const key of Object.keys(rules) as (keyof P)[]) {
    const { initial } = rules[key] ?? {};
    if (initial && input[key] === undefined) params[key] = initial(params, denom);
  }
  return params;
}

/** Returns the parameters with amounts in another token. */
function inDenom<P extends object>(params: P, denom: string): P {
  const changed = Object.entries(params).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.map((coin: Coin) => ({ ...coin, denom })) : value,
  ]);
  return Object.fromEntries(changed) as P;
}
