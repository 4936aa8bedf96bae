import type { Any } from "@bufbuild/protobuf/wkt";
import { accAddress } from "../../src/base/bech32.ts";
import { HOUR } from "../../src/base/time.ts";
import { packInit } from "../../src/engine/framework/codec.ts";
import { durationMessage } from "../../src/engine/framework/time-messages.ts";
import { equalValidators, newWorldSpec } from "../../src/engine/simulation/genesis/new-world.ts";
import type { WorldSpec } from "../../src/engine/simulation/genesis/world-spec.ts";
import { accountOf } from "../../src/engine/simulation/genesis/world-spec.ts";
import { Simulation } from "../../src/engine/simulation/simulation.ts";
import { MsgSendSchema } from "../../src/gen/chain/bank/v1beta1/tx_pb.ts";
import { lazyObserver } from "../../src/view/lab/frame/observed.ts";

/** Accounts that send in turn, so that a busy block touches many leaves of the bank's tree. */
export const ACCOUNTS = 1000;
export const TXS_PER_BLOCK = 20;

/** More than evidence of a double sign takes into a block. */
const BLOCKS_UNTIL_TOMBSTONED = 10;

export const account = (i: number): string => `account-${i % ACCOUNTS}`;

/** A chain in its default form; no two validators have the same power. */
export const createWorld = (
  validators: number,
  commits: WorldSpec["commits"] = "compact",
): Simulation => Simulation.create({ ...worldSpec(validators), commits });

/** Makes one block in which nothing happens. Throws if the chain stands. */
export function quietBlock(sim: Simulation): void {
  if (sim.advance().decided === undefined) throw new Error(`no block came after ${sim.height}`);
}

/** Has the chain's first validator tombstoned for a double sign; its node runs on. */
export function tombstone(sim: Simulation): void {
  quietBlock(sim);
  sim.apply({ type: "double_sign", node: "val-0" });
  for (let blocks = 0; blocks < BLOCKS_UNTIL_TOMBSTONED; blocks++) quietBlock(sim);
  const validators = lazyObserver(sim)().frames.validators();
  if (!validators.some(({ tombstoned }) => tombstoned)) throw new Error("nothing is tombstoned");
}

/** A transaction of the account of a number. */
export const sendOf = (i: number) => ({
  type: "tx" as const,
  signer: account(i),
  messages: [send(account(i), account(i + TXS_PER_BLOCK))],
});

/** Returns what makes one block of 20 bank sends, each by another account; submitting them is part of it. */
export function busyBlocks(sim: Simulation): () => void {
  const sends = Array.from({ length: ACCOUNTS }, (_, i) => sendOf(i));
  let next = 0;
  return () => {
    for (let i = 0; i < TXS_PER_BLOCK; i++) {
      const command = sends[next++ % ACCOUNTS];
      if (command !== undefined) sim.apply(command);
    }
    quietBlock(sim);
  };
}

/** A refused transaction is cheap: fast blocks full of them would be no result. */
export function assertBusy(sim: Simulation): void {
  const txs = sim.block(sim.height)?.txs ?? [];
  const refused = txs.find((tx) => tx.code !== 0);
  if (refused !== undefined) throw new Error(`a transaction was refused: ${refused.log}`);
  if (txs.length !== TXS_PER_BLOCK) throw new Error(`the block has ${txs.length} transactions`);
}

const send = (from: string, to: string): Any =>
  packInit(MsgSendSchema, {
    fromAddress: accAddress(accountOf(from)),
    toAddress: accAddress(accountOf(to)),
    amount: [{ denom: "stake", amount: "1" }],
  });

export const worldSpec = (validators: number): WorldSpec =>
  newWorldSpec({
    chainId: "bench-1",
    evidenceRoutes: ["equivocation"],
    staking: { maxValidators: validators },
    gov: { votingPeriod: durationMessage(48n * HOUR) },
    safetyDelta: 24n * HOUR,
    accounts: Array.from({ length: ACCOUNTS }, (_, i) => ({
      name: account(i),
      amount: 1_000_000_000n,
    })),
    validators: equalValidators(validators).map((validator, i) => ({
      ...validator,
      stake: 1_000_000n * BigInt(10_000 + i),
    })),
  });
