import type { Any } from "@bufbuild/protobuf/wkt";
import { accAddress } from "../../base/bech32.ts";
import { VoteOption } from "../../gen/chain/gov/v1/gov_pb.ts";
import { MsgSubmitProposalSchema, MsgVoteSchema } from "../../gen/chain/gov/v1/tx_pb.ts";
import {
  MsgCancelUpgradeSchema,
  MsgSoftwareUpgradeSchema,
} from "../../gen/chain/upgrade/v1beta1/tx_pb.ts";
import { type BinarySpec, V1 } from "../app/binary.ts";
import { packInit } from "../framework/codec.ts";
import { durationOf } from "../framework/time-messages.ts";
import { equalValidators, type NewWorld, newWorldSpec } from "./genesis/new-world.ts";
import type { WorldSpec } from "./genesis/world-spec.ts";
import { accountOf } from "./genesis/world-spec.ts";
import type { Simulation } from "./simulation.ts";

/** A second binary: has the handler for plan v2 and raises bank to version 5. */
export const V2: BinarySpec = {
  ...V1,
  name: "v2",
  modules: { ...V1.modules, bank: 5 },
  handlers: ["v2"],
};

/** A second binary that also adds a new module with its store. */
export const V2_WITH_STORE: BinarySpec = {
  ...V2,
  modules: { ...V2.modules, oracle: 1 },
  stores: { v2: { added: ["oracle"], renamed: [], deleted: [] } },
};

/**
 * Spec of a world with validators of equal stake (default: four); every field can be overridden.
 */
export const worldSpec = (input: NewWorld = {}, validators = 4): WorldSpec =>
  newWorldSpec({
    seed: 7,
    ...(validators > 100 ? { staking: { maxValidators: validators } } : {}),
    accounts: [{ name: "alice", amount: 1_000_000_000n }],
    validators: equalValidators(validators),
    binaries: [V2],
    ...input,
  });

/** Runs rounds until a height is committed; throws if it is not reached. */
export function runTo(sim: Simulation, height: number, within = 2000): void {
  for (let i = 0; sim.height < height; i++) {
    if (i >= within)
      throw new Error(`height ${height} did not come; the chain is at ${sim.height}`);
    sim.advance();
  }
}

export const runRounds = (sim: Simulation, rounds: number): void => {
  for (let i = 0; i < rounds; i++) sim.advance();
};

/** Submits a proposal, votes yes with every validator, and runs until the voting has ended. */
export function pass(sim: Simulation, ...messages: readonly Any[]): void {
  const before = sim.height;
  sim.apply({
    type: "tx",
    signer: "val-0",
    messages: [
      packInit(MsgSubmitProposalSchema, {
        messages: [...messages],
        initialDeposit: [{ denom: "stake", amount: "10000000" }],
        proposer: accAddress(accountOf("val-0")),
        title: "a proposal",
        summary: "a proposal",
      }),
    ],
  });
  runTo(sim, before + 1);
  const proposalId = sim.tx(newestTx(sim))?.code === 0 ? nextProposal(sim) : 0n;
  for (const { name } of sim.spec.validators) {
    const voter = accAddress(accountOf(name));
    sim.apply({
      type: "tx",
      signer: name,
      messages: [packInit(MsgVoteSchema, { proposalId, voter, option: VoteOption.YES })],
    });
  }
  const blocks = Number(durationOf(sim.spec.gov.votingPeriod) / sim.spec.blockTime) + 2;
  runTo(sim, before + 1 + blocks);
}

/** Queues a proposal with its deposit, and all yes votes after it in the same block. */
export function propose(sim: Simulation, id: bigint, ...messages: readonly Any[]): void {
  const proposer = accAddress(accountOf("val-0"));
  const initialDeposit = sim.spec.gov.minDeposit;
  const proposal = { messages: [...messages], initialDeposit, proposer, title: "t", summary: "s" };
  sim.apply({
    type: "tx",
    signer: "val-0",
    messages: [packInit(MsgSubmitProposalSchema, proposal)],
  });
  for (const { name } of sim.spec.validators) {
    const vote = { proposalId: id, voter: accAddress(accountOf(name)), option: VoteOption.YES };
    sim.apply({ type: "tx", signer: name, messages: [packInit(MsgVoteSchema, vote)] });
  }
}

const proposals = new WeakMap<Simulation, bigint>();
function nextProposal(sim: Simulation): bigint {
  const id = (proposals.get(sim) ?? 0n) + 1n;
  proposals.set(sim, id);
  return id;
}

function newestTx(sim: Simulation): Uint8Array {
  const tx = sim.block(sim.height)?.txs.at(-1);
  if (tx === undefined) throw new Error(`block ${sim.height} has no transaction`);
  return tx.hash;
}

export const authority = (sim: Simulation): string => accAddress(sim.account("gov") as Uint8Array);

export const softwareUpgrade = (sim: Simulation, name: string, height: number, info = ""): Any =>
  packInit(MsgSoftwareUpgradeSchema, {
    authority: authority(sim),
    plan: { name, height: BigInt(height), info },
  });

export const cancelUpgrade = (sim: Simulation): Any =>
  packInit(MsgCancelUpgradeSchema, { authority: authority(sim) });

/** Installs a binary on nodes and starts them. */
export function install(sim: Simulation, binary: string, ...nodes: readonly string[]): void {
  for (const node of nodes) sim.apply({ type: "node", node, action: { kind: "install", binary } });
}
