/** An exported state on its way into a world's spec and out of it again. */
import {
  create,
  type DescMessage,
  fromBinary,
  type Message,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { GenesisStateSchema as BankGenesis } from "../../../gen/chain/bank/v1beta1/bank_pb.ts";
import type { Coin } from "../../../gen/chain/base/v1beta1/coin_pb.ts";
import { PubKeySchema } from "../../../gen/chain/crypto/ed25519/keys_pb.ts";
import { GenesisStateSchema as GovGenesis } from "../../../gen/chain/gov/v1/gov_pb.ts";
import { GenesisStateSchema as SlashingGenesis } from "../../../gen/chain/slashing/v1beta1/slashing_pb.ts";
import { GenesisStateSchema as StakingGenesis } from "../../../gen/chain/staking/v1beta1/staking_pb.ts";
import type { GenesisMessages } from "../../app/app.ts";
import type { Module } from "../../framework/module.ts";
import { accAddress } from "../../primitives/bech32.ts";
import { fromUtf8 } from "../../primitives/bytes.ts";
import { type Dec, decFromString } from "../../primitives/dec.ts";
import { type Duration, fromTimestamp } from "../../primitives/time.ts";
import { accountOf } from "../identity.ts";
import type { StartState, WorldSpec } from "./world-spec.ts";

/** The genesis state that an earlier chain left, of those modules that are in it. */
export function startMessages(
  modules: readonly Module[],
  { appState }: StartState,
): GenesisMessages {
  const read = ({ name, genesis }: Module): [string, Message][] => {
    const bytes = appState[name];
    return bytes === undefined ? [] : [[name, fromBinary(genesis.schema, bytes)]];
  };
  return new Map(modules.flatMap(read));
}

/** The other way round. */
export function startBytes(
  modules: readonly Module[],
  messages: GenesisMessages,
): StartState["appState"] {
  const write = ({ name, genesis }: Module): [string, Uint8Array][] => {
    const message = messages.get(name);
    return message === undefined ? [] : [[name, toBinary(genesis.schema, message)]];
  };
  return Object.fromEntries(modules.flatMap(write));
}

/** What a spec says of the chain, as the genesis state of its modules says it. */
export type StatedSpec = Pick<WorldSpec, "denom" | "staking" | "slashing"> & {
  readonly gov: Omit<WorldSpec["gov"], "safetyDelta">;
  /** Every validator's moniker, key and stake, in the file's order. */
  readonly validators: readonly {
    readonly moniker: string;
    readonly publicKey: Uint8Array;
    readonly stake: bigint;
  }[];
  /** What the account of a name holds of the denom. */
  balanceOf(name: string): bigint;
};

/** Reads sound genesis state; a module that is not in it has its defaults. */
export function statedSpec(modules: readonly Module[], messages: GenesisMessages): StatedSpec {
  const stateOf = (name: string): Message | undefined =>
    messages.get(name) ?? modules.find((module) => module.name === name)?.genesis.defaults();
  const staking = of(StakingGenesis, stateOf("staking"));
  const denom = staking.params?.bondDenom ?? "";
  const balances = new Map(
    of(BankGenesis, stateOf("bank")).balances.map(({ address, coins }) => [address, coins]),
  );
  return {
    denom,
    staking: {
      unbondingTime: duration(staking.params?.unbondingTime),
      maxValidators: staking.params?.maxValidators ?? 0,
      maxEntries: staking.params?.maxEntries ?? 0,
    },
    slashing: slashingOf(of(SlashingGenesis, stateOf("slashing")).params),
    gov: govOf(of(GovGenesis, stateOf("gov")).params, denom),
    validators: staking.validators.map(({ description, consensusPubkey, tokens }) => ({
      moniker: description?.moniker ?? "",
      publicKey: fromBinary(PubKeySchema, consensusPubkey?.value ?? new Uint8Array()).key,
      stake: BigInt(tokens),
    })),
    balanceOf: (name) => amountIn(balances.get(accAddress(accountOf(name))) ?? [], denom),
  };
}

function slashingOf(params: SlashingState["params"]): StatedSpec["slashing"] {
  return {
    slashFractionDoubleSign: scaled(params?.slashFractionDoubleSign),
    slashFractionDowntime: scaled(params?.slashFractionDowntime),
    signedBlocksWindow: Number(params?.signedBlocksWindow ?? 0n),
    minSignedPerWindow: scaled(params?.minSignedPerWindow),
    downtimeJailDuration: duration(params?.downtimeJailDuration),
  };
}

function govOf(params: GovState["params"], denom: string): StatedSpec["gov"] {
  return {
    minDeposit: amountIn(params?.minDeposit, denom),
    maxDepositPeriod: duration(params?.maxDepositPeriod),
    votingPeriod: duration(params?.votingPeriod),
    quorum: decimal(params?.quorum),
    threshold: decimal(params?.threshold),
    vetoThreshold: decimal(params?.vetoThreshold),
    expeditedVotingPeriod: duration(params?.expeditedVotingPeriod),
    expeditedThreshold: decimal(params?.expeditedThreshold),
    expeditedMinDeposit: amountIn(params?.expeditedMinDeposit, denom),
    burnVoteQuorum: params?.burnVoteQuorum ?? false,
    burnVoteVeto: params?.burnVoteVeto ?? false,
    burnProposalDepositPrevote: params?.burnProposalDepositPrevote ?? false,
    minInitialDepositRatio: decimal(params?.minInitialDepositRatio),
    minDepositRatio: decimal(params?.minDepositRatio),
    proposalCancelRatio: decimal(params?.proposalCancelRatio),
    proposalCancelDest: params?.proposalCancelDest ?? "",
  };
}

type SlashingState = MessageShape<typeof SlashingGenesis>;
type GovState = MessageShape<typeof GovGenesis>;

/** The message as what its module is known to have. */
const of = <D extends DescMessage>(schema: D, message: Message | undefined): MessageShape<D> =>
  message === undefined ? create(schema) : (message as MessageShape<D>);

const duration = (written: { seconds: bigint; nanos: number } | undefined): Duration =>
  written === undefined ? 0n : fromTimestamp(written);

const decimal = (written = "0"): Dec => decFromString(written || "0");

/** A Dec in binary form: its digits times 10^18. */
const scaled = (written: Uint8Array | undefined): Dec =>
  written === undefined || written.length === 0 ? 0n : BigInt(fromUtf8(written));

const amountIn = (coins: readonly Coin[] | undefined, denom: string): bigint =>
  BigInt(coins?.find((coin) => coin.denom === denom)?.amount ?? 0);
