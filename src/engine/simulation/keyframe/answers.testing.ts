import { toHex } from "../../../base/bytes.ts";
import { allAccounts } from "../../modules/bank/account-records.ts";
import { blockSize, verifiedCommit } from "../decided-blocks.ts";
import type { Simulation } from "../simulation.ts";

/** Answers to all queries of a world with all its states in memory. */
export function answers(sim: Simulation): Readonly<Record<string, unknown>> {
  const first = sim.initialHeight - 1;
  const heights = Array.from({ length: sim.height - first + 1 }, (_, i) => first + i);
  return {
    counts: [sim.rounds, sim.revision, sim.journalLength, sim.height, sim.decidedHeight, sim.round],
    times: [sim.time, sim.clock, sim.nextTime],
    status: sim.chainStatus(),
    faults: sim.faults(),
    forks: sim.forks().map(({ hashAt, ...fork }) => [fork, [...heights, fork.height].map(hashAt)]),
    nodes: sim.nodes(),
    files: sim.nodes().map(({ name }) => sim.files(name)),
    logs: [sim.logSince(0), ...sim.nodes().map(({ name }) => sim.log(name))],
    halts: sim.haltsSince(0),
    blocks: heights.map((height) => sim.block(height)),
    txs: heights.map((height) => sim.block(height)?.txs.map(({ hash }) => sim.tx(hash))),
    headers: heights.map((height) => sim.header(height)),
    sizes: heights.map((height) => blockSize(sim, height)),
    rounds: [...heights, sim.height + 1].map((height) => sim.roundsOf(height)),
    states: heights.map((height) => toHex(sim.state(height).appHash)),
    commit: verifiedCommit(sim, sim.height),
    genesis: [sim.height, Math.max(sim.height - 3, first)].map((height) => {
      const { app: _, state, ...exported } = sim.exportGenesis(height);
      return { ...exported, accounts: [...allAccounts(state)] };
    }),
    validators: sim.validators(),
    proposer: sim.proposer(),
    binaries: sim.binaries(),
  };
}
