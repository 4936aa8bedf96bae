import { create, fromBinary, type Message } from "@bufbuild/protobuf";
import { moduleAddress } from "../../../base/address.ts";
import { accAddress, valAddress } from "../../../base/bech32.ts";
import { compare } from "../../../base/bytes.ts";
import { decFromInt } from "../../../base/dec.ts";
import { toTimestamp } from "../../../base/time.ts";
import { GenesisStateSchema as BankGenesis } from "../../../gen/chain/bank/v1beta1/bank_pb.ts";
import { PubKeySchema } from "../../../gen/chain/crypto/ed25519/keys_pb.ts";
import { GenesisStateSchema as GovGenesis } from "../../../gen/chain/gov/v1/gov_pb.ts";
import { GenesisStateSchema as SlashingGenesis } from "../../../gen/chain/slashing/v1beta1/slashing_pb.ts";
import {
  BondStatus,
  GenesisStateSchema as StakingGenesis,
} from "../../../gen/chain/staking/v1beta1/staking_pb.ts";
import type { GenesisMessages } from "../../app/app.ts";
import { packInit } from "../../framework/codec.ts";
import type { Module } from "../../framework/module.ts";
import { accountOf, OPERATOR_BALANCE, type StartState, type WorldSpec } from "./world-spec.ts";

/** Returns the genesis state of all modules. `pubKeyOf` returns a validator's consensus key. */
export function genesisMessages(
  spec: WorldSpec,
  pubKeyOf: (validator: string) => Uint8Array,
): GenesisMessages {
  return new Map<string, Message>([
    ["bank", bankGenesis(spec)],
    ["staking", stakingGenesis(spec, pubKeyOf)],
    ["slashing", create(SlashingGenesis, { params: spec.slashing })],
    ["gov", create(GovGenesis, { startingProposalId: 1n, params: spec.gov })],
  ]);
}

/** Returns the genesis state of the modules in a spec's `start`. */
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

function bankGenesis(spec: WorldSpec): Message {
  const { bondDenom: denom } = spec.staking;
  const staked = spec.validators.reduce((sum, v) => sum + v.stake, 0n);
  const holdings: [Uint8Array, bigint][] = [
    ...spec.accounts.map((a): [Uint8Array, bigint] => [accountOf(a.name), a.amount]),
    ...spec.validators.map((v): [Uint8Array, bigint] => [accountOf(v.name), OPERATOR_BALANCE]),
    [moduleAddress("not_bonded_tokens_pool"), staked],
  ];
  const held = holdings.filter(([, amount]) => amount > 0n);
  held.sort(([a], [b]) => compare(a, b));
  const total = held.reduce((sum, [, amount]) => sum + amount, 0n);
  return create(BankGenesis, {
    balances: held.map(([address, amount]) => ({
      address: accAddress(address),
      coins: [{ denom, amount: amount.toString() }],
    })),
    supply: [{ denom, amount: total.toString() }],
  });
}

/**
 * Validators start unbonded, as after their first transaction; staking's genesis bonds the
 * strongest.
 */
function stakingGenesis(spec: WorldSpec, pubKeyOf: (validator: string) => Uint8Array): Message {
  const epoch = toTimestamp(0n);
  const least = spec.staking.minCommissionRate;
  return create(StakingGenesis, {
    params: spec.staking,
    lastTotalPower: "0",
    validators: spec.validators.map((v) => ({
      operatorAddress: valAddress(accountOf(v.name)),
      consensusPubkey: packInit(PubKeySchema, { key: pubKeyOf(v.name) }),
      jailed: false,
      status: BondStatus.UNBONDED,
      tokens: v.stake.toString(),
      delegatorShares: decFromInt(v.stake).toString(),
      description: { moniker: v.name },
      unbondingTime: epoch,
      commission: {
        commissionRates: { rate: least, maxRate: least, maxChangeRate: "0" },
        updateTime: toTimestamp(spec.genesisTime),
      },
      minSelfDelegation: "1",
    })),
    delegations: spec.validators.map((v) => ({
      delegatorAddress: accAddress(accountOf(v.name)),
      validatorAddress: valAddress(accountOf(v.name)),
      shares: decFromInt(v.stake).toString(),
    })),
    exported: false,
  });
}
