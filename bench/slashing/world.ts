import { create, type Message } from "@bufbuild/protobuf";
import { hash20, moduleAddress } from "../../src/base/address.ts";
import { accAddress, consAddress, valAddress } from "../../src/base/bech32.ts";
import { utf8 } from "../../src/base/bytes.ts";
import { decFromInt } from "../../src/base/dec.ts";
import { sha256 } from "../../src/base/sha256.ts";
import { DAY, parseRfc3339, SECOND, toTimestamp } from "../../src/base/time.ts";
import { App, type AppliedOutcome, blockInfoAt, PLAIN_NODE } from "../../src/engine/app/app.ts";
import { V1 } from "../../src/engine/app/binary.ts";
import { profileOf } from "../../src/engine/app/profile.ts";
import { packInit } from "../../src/engine/framework/codec.ts";
import type { ChainRecord } from "../../src/engine/framework/context.ts";
import { haltText } from "../../src/engine/framework/halt.ts";
import type { CommittedState } from "../../src/engine/store/multi-store.ts";
import { GenesisStateSchema as BankGenesis } from "../../src/gen/chain/bank/v1beta1/bank_pb.ts";
import { PubKeySchema } from "../../src/gen/chain/crypto/ed25519/keys_pb.ts";
import { GenesisStateSchema as SlashingGenesis } from "../../src/gen/chain/slashing/v1beta1/slashing_pb.ts";
import {
  BondStatus,
  GenesisStateSchema as StakingGenesis,
} from "../../src/gen/chain/staking/v1beta1/staking_pb.ts";

export const VALIDATORS = 1000;
export const DELEGATIONS = 10_000;

const GENESIS = parseRfc3339("2026-01-01T00:00:00Z");
const BLOCK_TIME = 5n * SECOND;
const OFFENCE_HEIGHT = 2;
const HEIGHT = 10;
/** Amount of every delegation, and of every pending unbonding or redelegation entry. */
const STAKE = 1_000_000n;
const OWN_STAKE = 1_000_000_000n;
const POWER = 1_000_000n;

const pubKey = (validator: number): Uint8Array => sha256(utf8(`validator ${validator}`));
const operator = (validator: number): Uint8Array => hash20(utf8(`operator ${validator}`));
const delegator = (i: number): Uint8Array => hash20(utf8(`delegator ${i}`));

export interface Leaving {
  /** Number of unbondings from the offender since the offence; there are as many redelegations. */
  readonly offender: number;
  /** The same of all other validators together. */
  readonly others: number;
}

/**
 * A chain of 1 000 validators with 10 000 delegations to the first, which has signed twice, and 10 000
 * to the others. A delegator that leaves has one entry pending and as much still delegated.
 */
export class SlashingWorld {
  readonly #app = new App(V1, {
    profile: profileOf("documented"),
    params: { evidence: { maxAgeDuration: 2n * DAY, maxAgeNumBlocks: 100_000 } },
    evidenceRoutes: [],
    verifyVote: () => false,
  });
  readonly #state: CommittedState;
  readonly #power: number;

  constructor(leaving: Leaving) {
    this.#power = Number((OWN_STAKE + STAKE * BigInt(DELEGATIONS + 2 * leaving.offender)) / POWER);
    const genesis = new Map<string, Message>(Object.entries(genesisOf(leaving)));
    this.#state = this.#app.initChain(blockInfoAt("bench-1", 0, GENESIS), genesis, RECORD).state;
  }

  /** Executes the block that punishes the double sign, without committing it. Throws if it fails. */
  punish(): AppliedOutcome {
    const misbehavior = {
      type: 1,
      address: hash20(pubKey(0)),
      power: this.#power,
      height: OFFENCE_HEIGHT,
      time: timeAt(OFFENCE_HEIGHT),
      totalVotingPower: this.#power,
    };
    const place = blockInfoAt("bench-1", HEIGHT, timeAt(HEIGHT));
    const block = { ...place, misbehavior: [misbehavior], txs: [] };
    const outcome = this.#app.finalizeBlock(this.#state, block, PLAIN_NODE, RECORD);
    if (outcome.kind === "halted") throw new Error(haltText(outcome.cause));
    return outcome;
  }
}

function genesisOf(leaving: Leaving): { bank: Message; staking: Message; slashing: Message } {
  const held = new Map<string, { delegator: Uint8Array; validator: number; shares: bigint }>();
  const tokens = new Array<bigint>(VALIDATORS).fill(0n);
  const hold = (who: Uint8Array, validator: number, amount: bigint): void => {
    const key = `${accAddress(who)}/${validator}`;
    const shares = (held.get(key)?.shares ?? 0n) + amount;
    held.set(key, { delegator: who, validator, shares });
    tokens[validator] = (tokens[validator] ?? 0n) + amount;
  };
  for (let v = 0; v < VALIDATORS; v++) hold(operator(v), v, OWN_STAKE);
  for (let i = 0; i < DELEGATIONS; i++) {
    hold(delegator(i), 0, STAKE);
    hold(delegator(i), other(i), STAKE);
  }
  const unbonding = [
    ...range(leaving.offender).map((i) => unbondingOf(delegator(i), 0)),
    ...range(leaving.others).map((i) => unbondingOf(delegator(i), other(i))),
  ];
  const redelegate = (i: number, from: number, to: number) => {
    hold(delegator(i), to, STAKE);
    return redelegationOf(delegator(i), from, to);
  };
  const redelegations = [
    ...range(leaving.offender).map((n) => redelegate(last(n), 0, other(last(n) + 1))),
    ...range(leaving.others).map((n) => redelegate(last(n), other(last(n)), other(last(n) + 2))),
  ];
  const unbonded = STAKE * BigInt(unbonding.length);
  const bonded = tokens.reduce((sum, amount) => sum + amount, 0n);
  return {
    bank: create(BankGenesis, {
      balances: [
        balance("bonded_tokens_pool", bonded),
        balance("not_bonded_tokens_pool", unbonded),
      ],
    }),
    staking: create(StakingGenesis, {
      exported: true,
      params: {
        unbondingTime: { seconds: (21n * DAY) / SECOND, nanos: 0 },
        maxValidators: VALIDATORS,
        maxEntries: 7,
        bondDenom: "stake",
        minCommissionRate: "0",
      },
      validators: tokens.map((amount, v) => validatorOf(v, amount)),
      lastValidatorPowers: tokens.map((amount, v) => ({
        address: valAddress(operator(v)),
        power: amount / POWER,
      })),
      lastTotalPower: tokens.reduce((sum, amount) => sum + amount / POWER, 0n).toString(),
      delegations: Array.from(held.values(), ({ delegator: who, validator, shares }) => ({
        delegatorAddress: accAddress(who),
        validatorAddress: valAddress(operator(validator)),
        shares: decFromInt(shares).toString(),
      })),
      unbondingDelegations: unbonding,
      redelegations,
    }),
    slashing: create(SlashingGenesis, {
      params: {
        signedBlocksWindow: 100n,
        minSignedPerWindow: utf8((5n * 10n ** 17n).toString()),
        downtimeJailDuration: { seconds: 600n, nanos: 0 },
        slashFractionDoubleSign: utf8((5n * 10n ** 16n).toString()),
        slashFractionDowntime: utf8((10n ** 16n).toString()),
      },
      signingInfos: range(VALIDATORS).map((v) => {
        const address = consAddress(hash20(pubKey(v)));
        return { address, validatorSigningInfo: { address, jailedUntil: toTimestamp(0n) } };
      }),
    }),
  };
}

const RECORD: ChainRecord = {
  timeAt: (height) => timeAt(height),
  blockHashAt: () => undefined,
  validatorAt: () => undefined,
};

const timeAt = (height: number): bigint => GENESIS + BigInt(height - 1) * BLOCK_TIME;
const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
const other = (i: number): number => 1 + (i % (VALIDATORS - 1));
const last = (n: number): number => DELEGATIONS - 1 - n;

const COMPLETION = toTimestamp(GENESIS + 21n * DAY);

const unbondingOf = (who: Uint8Array, validator: number) => ({
  delegatorAddress: accAddress(who),
  validatorAddress: valAddress(operator(validator)),
  entries: [
    {
      creationHeight: BigInt(OFFENCE_HEIGHT + 1),
      completionTime: COMPLETION,
      initialBalance: STAKE.toString(),
      balance: STAKE.toString(),
    },
  ],
});

const redelegationOf = (who: Uint8Array, from: number, to: number) => ({
  delegatorAddress: accAddress(who),
  validatorSrcAddress: valAddress(operator(from)),
  validatorDstAddress: valAddress(operator(to)),
  entries: [
    {
      creationHeight: BigInt(OFFENCE_HEIGHT + 1),
      completionTime: COMPLETION,
      initialBalance: STAKE.toString(),
      sharesDst: decFromInt(STAKE).toString(),
    },
  ],
});

const validatorOf = (v: number, amount: bigint) => ({
  operatorAddress: valAddress(operator(v)),
  consensusPubkey: packInit(PubKeySchema, { key: pubKey(v) }),
  jailed: false,
  status: BondStatus.BONDED,
  tokens: amount.toString(),
  delegatorShares: decFromInt(amount).toString(),
  description: { moniker: `val-${v}` },
  unbondingTime: toTimestamp(0n),
  commission: {
    commissionRates: { rate: "0", maxRate: "0", maxChangeRate: "0" },
    updateTime: toTimestamp(GENESIS),
  },
  minSelfDelegation: "1",
});

const balance = (module: string, amount: bigint) => ({
  address: accAddress(moduleAddress(module)),
  coins: amount > 0n ? [{ denom: "stake", amount: amount.toString() }] : [],
});
