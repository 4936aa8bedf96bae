/**
 * Converts an exported state to a world's spec. Worlds that start from defaults have no exported
 * state.
 */
import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { accAddress } from "../../../base/bech32.ts";
import { GenesisStateSchema as BankGenesis } from "../../../gen/chain/bank/v1beta1/bank_pb.ts";
import { PubKeySchema } from "../../../gen/chain/crypto/ed25519/keys_pb.ts";
import { GenesisStateSchema as GovGenesis } from "../../../gen/chain/gov/v1/gov_pb.ts";
import { GenesisStateSchema as SlashingGenesis } from "../../../gen/chain/slashing/v1beta1/slashing_pb.ts";
import { GenesisStateSchema as StakingGenesis } from "../../../gen/chain/staking/v1beta1/staking_pb.ts";
import type { GenesisMessages } from "../../app/app.ts";
import { Panic } from "../../framework/errors.ts";
import type { Module } from "../../framework/module.ts";
import type { ModuleParams } from "./params.ts";
import type { StartState } from "./world-spec.ts";
import { accountOf } from "./world-spec.ts";

/** Inverse of `startMessages`: encodes the modules' genesis state as stored in a spec. */
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

/** Fields of the spec that the modules' genesis state contains. */
export interface StatedSpec extends ModuleParams {
  /** Every validator's moniker, key and stake, in the file's order. */
  readonly validators: readonly {
    readonly moniker: string;
    readonly publicKey: Uint8Array;
    readonly stake: bigint;
  }[];
  /** An account's balance of the staking token, by name. */
  balanceOf(name: string): bigint;
}

/** Reads valid genesis state; absent modules get their defaults. */
export function statedSpec(modules: readonly Module[], messages: GenesisMessages): StatedSpec {
  const stateOf = <D extends DescMessage>(name: string, schema: D): MessageShape<D> => {
    const defaults = modules.find((module) => module.name === name)?.genesis.defaults();
    return create(schema, (messages.get(name) ?? defaults) as MessageInitShape<D> | undefined);
  };
  const staking = stateOf("staking", StakingGenesis);
  const { bondDenom: denom } = paramsIn(staking);
  const balances = new Map(
    stateOf("bank", BankGenesis).balances.map(({ address, coins }) => [address, coins]),
  );
  return {
    staking: paramsIn(staking),
    slashing: paramsIn(stateOf("slashing", SlashingGenesis)),
    gov: paramsIn(stateOf("gov", GovGenesis)),
    validators: staking.validators.map(({ description, consensusPubkey, tokens }) => ({
      moniker: description?.moniker ?? "",
      publicKey: fromBinary(PubKeySchema, consensusPubkey?.value ?? new Uint8Array()).key,
      stake: BigInt(tokens),
    })),
    balanceOf(name) {
      const coins = balances.get(accAddress(accountOf(name)));
      return BigInt(coins?.find((coin) => coin.denom === denom)?.amount ?? 0);
    },
  };
}

/** A module's genesis is never valid without its parameters. */
function paramsIn<P extends object>({ params }: { readonly params?: P | undefined }): P {
  if (params === undefined) throw new Panic("genesis state without params");
  return params;
}
