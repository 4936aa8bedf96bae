/** Measured loads: worlds, and the work that is repeated in them. */
import type { Any } from "@bufbuild/protobuf/wkt";
import { accAddress, valAddress } from "../../src/base/bech32.ts";
import { MINUTE } from "../../src/base/time.ts";
import { packInit } from "../../src/engine/framework/codec.ts";
import { durationMessage } from "../../src/engine/framework/time-messages.ts";
import type { WorldSpec } from "../../src/engine/simulation/genesis/world-spec.ts";
import { accountOf } from "../../src/engine/simulation/genesis/world-spec.ts";
import { Simulation } from "../../src/engine/simulation/simulation.ts";
import { MsgSubmitProposalSchema, MsgVoteSchema } from "../../src/gen/chain/gov/v1/tx_pb.ts";
import {
  MsgDelegateSchema,
  MsgUndelegateSchema,
} from "../../src/gen/chain/staking/v1beta1/tx_pb.ts";
import { SlashingWorld } from "../slashing/world.ts";
import {
  ACCOUNTS,
  account,
  assertBusy,
  createWorld,
  quietBlock,
  sendOf,
  TXS_PER_BLOCK,
  worldSpec,
} from "./world.ts";

const VALIDATORS = 100;
const GENESIS_VALIDATORS = 10_000;
const SLASHED_ENTRIES = 5000;
/** Entries mature while the load runs, so that a block costs the same however long it runs. */
const UNBONDING_TIME = MINUTE;
const MANY_ENTRIES = 1_000_000;

/** One load in its world. */
export interface Work {
  /** Makes one block, or does once what else is measured. */
  once(): void;
  /** Throws unless what was done is what was meant. */
  check(): void;
}

interface Load {
  readonly title: string;
  /** Of one round. */
  readonly transactions: number;
  /** Does it take so long that a window holds it once? */
  readonly slow?: true;
  prepare(): Work;
}

type NthMessage = (i: number) => Any;

const stake = (amount: string) => ({ denom: "stake", amount });
const addressOf = (i: number): string => accAddress(accountOf(account(i)));
const validatorOf = (i: number): string => valAddress(accountOf(`val-${i % VALIDATORS}`));

const delegation: NthMessage = (i) =>
  packInit(MsgDelegateSchema, {
    delegatorAddress: addressOf(i),
    validatorAddress: validatorOf(i),
    amount: stake("1000"),
  });

const undelegation: NthMessage = (i) =>
  packInit(MsgUndelegateSchema, {
    delegatorAddress: addressOf(i),
    validatorAddress: validatorOf(i),
    amount: stake("1"),
  });

const vote: NthMessage = (i) =>
  packInit(MsgVoteSchema, { proposalId: 1n, voter: addressOf(i), option: 1 });

const proposal = (): Any =>
  packInit(MsgSubmitProposalSchema, {
    initialDeposit: [stake("10000000")],
    proposer: addressOf(0),
    title: "title",
    metadata: "metadata",
    messages: [],
    summary: "summary",
  });

const txOf = (i: number, message: Any) => ({
  type: "tx" as const,
  signer: account(i),
  messages: [message],
});

/** A transaction that delegates, of the account of a number to a validator of it. */
export const delegationOf = (i: number) => txOf(i, delegation(i));

export const LOADS = {
  quiet: {
    title: "quiet block",
    transactions: 0,
    prepare: () => quiet(createWorld(VALIDATORS)),
  },
  send: {
    title: "20 sends",
    transactions: TXS_PER_BLOCK,
    prepare: () => busy(createWorld(VALIDATORS), sendOf),
  },
  delegate: {
    title: "20 delegations",
    transactions: TXS_PER_BLOCK,
    prepare: () => busy(createWorld(VALIDATORS), delegationOf),
  },
  undelegate: {
    title: "20 undelegations",
    transactions: TXS_PER_BLOCK,
    prepare() {
      const staking = { unbondingTime: UNBONDING_TIME, maxEntries: MANY_ENTRIES };
      const sim = Simulation.create(changed({ staking }));
      for (let i = 0; i < ACCOUNTS; i++) sim.apply(delegationOf(i));
      quietBlock(sim);
      return busy(sim, (i) => txOf(i, undelegation(i)));
    },
  },
  vote: {
    title: "20 votes",
    transactions: TXS_PER_BLOCK,
    prepare() {
      const sim = createWorld(VALIDATORS);
      sim.apply(txOf(0, proposal()));
      quietBlock(sim);
      return busy(sim, (i) => txOf(i, vote(i)));
    },
  },
  full: {
    title: "quiet block, full commits",
    transactions: 0,
    prepare: () => quiet(createWorld(VALIDATORS, "full")),
  },
  slash: {
    title: "slash with 10 000 entries",
    transactions: 0,
    slow: true,
    prepare: slash,
  },
  genesis: {
    title: "genesis with 10 000 validators",
    transactions: 0,
    slow: true,
    prepare: () => ({ once: () => void createWorld(GENESIS_VALIDATORS), check: () => {} }),
  },
} as const satisfies Record<string, Load>;

export type LoadName = keyof typeof LOADS;

export const LOAD_NAMES = Object.keys(LOADS) as LoadName[];

export const loadOf = (name: LoadName): Load => LOADS[name];

function changed({
  staking,
}: {
  staking: { unbondingTime: bigint; maxEntries: number };
}): WorldSpec {
  const spec = worldSpec(VALIDATORS);
  const unbondingTime = durationMessage(staking.unbondingTime);
  return { ...spec, staking: { ...spec.staking, ...staking, unbondingTime } };
}

const quiet = (sim: Simulation): Work => ({ once: () => quietBlock(sim), check: () => {} });

/** Blocks with transactions, each by another account; submitting them is part of it. */
function busy(sim: Simulation, commandOf: (i: number) => ReturnType<typeof txOf>): Work {
  const commands = Array.from({ length: ACCOUNTS }, (_, i) => commandOf(i));
  let next = 0;
  return {
    once() {
      for (let i = 0; i < TXS_PER_BLOCK; i++) {
        const command = commands[next++ % ACCOUNTS];
        if (command !== undefined) sim.apply(command);
      }
      quietBlock(sim);
    },
    check: () => assertBusy(sim),
  };
}

/** The block that punishes a double sign; one burn for each entry, and one for the rest. */
function slash(): Work {
  const world = new SlashingWorld({ offender: SLASHED_ENTRIES, others: 0 });
  return {
    once: () => void world.punish(),
    check() {
      const burns = world.punish().events.filter(({ type }) => type === "burn").length;
      if (burns !== 2 * SLASHED_ENTRIES + 1) throw new Error(`${burns} burns`);
    },
  };
}
