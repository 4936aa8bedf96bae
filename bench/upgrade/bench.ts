import type { Simulation } from "../../src/engine/simulation/simulation.ts";
import { hashQuickly } from "../../src/node/quick-hashes.ts";
import { type Bench, type Report, readSamples, sampleOptions } from "../bench.ts";
import { hashRate, median, timeOf } from "../engine/clock.ts";
import { busyBlocks, quietBlock, TXS_PER_BLOCK } from "../engine/world.ts";
import { GROUPS, upgradedWorld } from "./world.ts";

const NODES = 175;
const SAMPLES = 61;
const QUIET_BLOCKS = 40;
const BUSY_BLOCKS = 2;
const TARGET = 1.5;

interface Measured {
  readonly builds: number;
  readonly transactions: number;
  /** Cost of a block with many nodes, relative to one node. */
  readonly costRatio: number;
  readonly millisecondsPerBlock: number;
}

/**
 * Block times after an upgrade, many nodes against one. Nodes share an execution if their states are equal
 * and their binaries do the same.
 */
export const upgradeBench: Bench = {
  summary: `blocks between upgrades: ${NODES} nodes that switched in ${GROUPS} groups, against one node`,
  options: sampleOptions("windows measured", SAMPLES),

  async run(args: readonly string[]): Promise<Report> {
    const samples = readSamples(args, SAMPLES);
    await hashQuickly();
    hashRate(200);
    const measured = ([1, GROUPS] as const).flatMap((builds) => [
      measure(builds, 0, samples),
      measure(builds, TXS_PER_BLOCK, samples),
    ]);
    return reportOf(measured);
  },
};

/** Alternates windows of both chains, so that other load on the host slows both. */
function measure(builds: 1 | typeof GROUPS, transactions: number, samples: number): Measured {
  console.error(`${NODES} nodes, ${builds} build(s), ${transactions} transactions in a block …`);
  const many = costOf(upgradedWorld(NODES, builds), transactions);
  const one = costOf(upgradedWorld(1, 1), transactions);
  const warmUp = Math.ceil(samples / 4);
  for (let i = 0; i < warmUp; i++) many() + one();
  const ratios: number[] = [];
  const costs: number[] = [];
  for (let i = 0; i < samples; i++) {
    const first = i % 2 === 0 ? many() : 0;
    const alone = one();
    const cost = first || many();
    ratios.push(cost / alone);
    costs.push(cost);
  }
  return {
    builds,
    transactions,
    costRatio: median(ratios),
    millisecondsPerBlock: median(costs),
  };
}

/** Makes some blocks; milliseconds of one. */
function costOf(sim: Simulation, transactions: number): () => number {
  const makeBlock = transactions === 0 ? () => quietBlock(sim) : busyBlocks(sim);
  const blocks = transactions === 0 ? QUIET_BLOCKS : BUSY_BLOCKS;
  return () => timeOf(makeBlock, blocks) / blocks;
}

function reportOf(measured: readonly Measured[]): Report {
  const row = ({ builds, transactions, costRatio, millisecondsPerBlock }: Measured): string => {
    const what = builds === 1 ? "one binary" : `${builds} equal builds`;
    const block = transactions === 0 ? "quiet block" : `${transactions} transactions`;
    const label = `${NODES} nodes with ${what} ÷ 1 node, ${block}: `.padEnd(60);
    return `${label}${costRatio.toFixed(2)}, ${millisecondsPerBlock.toFixed(3)} ms  (target ≤ ${TARGET})`;
  };
  return {
    json: { bench: "upgrade", nodes: NODES, groups: GROUPS, target: TARGET, measured },
    table: measured.map(row).join("\n"),
  };
}
