import type { Any } from "@bufbuild/protobuf/wkt";
import { moduleAddress } from "../../src/base/address.ts";
import { accAddress } from "../../src/base/bech32.ts";
import { type BinarySpec, V1 } from "../../src/engine/app/binary.ts";
import { packInit } from "../../src/engine/framework/codec.ts";
import { newWorldSpec } from "../../src/engine/simulation/genesis/new-world.ts";
import { accountOf } from "../../src/engine/simulation/genesis/world-spec.ts";
import { Simulation } from "../../src/engine/simulation/simulation.ts";
import { VoteOption } from "../../src/gen/chain/gov/v1/gov_pb.ts";
import { MsgSubmitProposalSchema, MsgVoteSchema } from "../../src/gen/chain/gov/v1/tx_pb.ts";
import { MsgSoftwareUpgradeSchema } from "../../src/gen/chain/upgrade/v1beta1/tx_pb.ts";
import { worldSpec } from "../engine/world.ts";

/** In how many groups operators switch, one after the other. */
export const GROUPS = 4;

const UPGRADE_HEIGHT = 20;
/** Rounds between one group and the next. */
const PAUSE = 3;

const build = (name: string): BinarySpec => ({
  ...V1,
  name,
  modules: { ...V1.modules, bank: 5, oracle: 1 },
  handlers: ["v2"],
  stores: { v2: { added: ["oracle"], renamed: [], deleted: [] } },
});

/**
 * A chain after an upgrade at which all nodes halted and were switched in groups, the last when the chain ran
 * again. With several builds each group keeps a binary of its own name; all do the same.
 */
export function upgradedWorld(nodes: number, builds: 1 | typeof GROUPS): Simulation {
  const spec = worldSpec(nodes);
  const binaries = Array.from({ length: builds }, (_, i) => build(`v2-${i}`));
  const { gov } = newWorldSpec();
  const sim = Simulation.create({ ...spec, gov, binaries });
  propose(sim);
  while (sim.chainStatus().state === "running") sim.advance();
  sim.nodes().forEach(({ name }, i) => {
    const group = Math.floor((i * GROUPS) / nodes);
    if (i > 0 && Math.floor(((i - 1) * GROUPS) / nodes) < group) rest(sim);
    const binary = `v2-${group % builds}`;
    sim.apply({ type: "node", node: name, action: { kind: "install", binary } });
  });
  rest(sim);
  check(sim, nodes);
  return sim;
}

/** Schedules the upgrade: a proposal, and everyone's yes behind it in the same block. */
function propose(sim: Simulation): void {
  const send = (signer: string, message: Any): void =>
    void sim.apply({ type: "tx", signer, messages: [message] });
  const authority = accAddress(moduleAddress("gov"));
  const plan = { name: "v2", height: BigInt(UPGRADE_HEIGHT) };
  const proposal = {
    messages: [packInit(MsgSoftwareUpgradeSchema, { authority, plan })],
    initialDeposit: sim.spec.gov.minDeposit,
    proposer: accAddress(accountOf("val-0")),
    title: "Upgrade to v2",
    summary: "Upgrade to v2",
  };
  send("val-0", packInit(MsgSubmitProposalSchema, proposal));
  for (const { name } of sim.spec.validators) {
    const vote = { proposalId: 1n, voter: accAddress(accountOf(name)), option: VoteOption.YES };
    send(name, packInit(MsgVoteSchema, vote));
  }
}

function rest(sim: Simulation): void {
  for (let i = 0; i < PAUSE; i++) sim.advance();
}

/** A chain that stands, or in which not everyone votes, would be no result. */
function check(sim: Simulation, nodes: number): void {
  const block = sim.block(sim.height);
  const running = sim.nodes().filter(({ process }) => process === "running").length;
  if (sim.height <= UPGRADE_HEIGHT || running !== nodes || block?.absent.length !== 0) {
    throw new Error(`${running} of ${nodes} nodes run at height ${sim.height}`);
  }
}
