/** The metrics of a CometBFT node, under its names (rules/clients 4.1). */

import { toHexUpper } from "../../base/bytes.ts";
import { blockSize } from "../../engine/simulation/decided-blocks.ts";
import type { BlockCounts } from "./block-counts.ts";
import type { Exposition } from "./exposition.ts";

export function writeCometMetrics(out: Exposition, counts: BlockCounts): void {
  const { sim } = counts;
  const { list } = sim.network.ledger.voting;
  const name = (text: string): string => `cometbft_consensus_${text}`;
  out.gauge(name("height"), "Height of the chain.", sim.decidedHeight + 1);
  out.gauge(name("latest_block_height"), "The latest block height.", sim.decidedHeight);
  out.gauge(name("rounds"), "Number of rounds.", sim.round);
  out.gauge(name("validators"), "Number of validators.", list.size);
  out.gauge(name("validators_power"), "Total power of all validators.", list.totalPower);
  out.gauge(
    name("missing_validators"),
    "Number of validators who did not sign.",
    counts.missing.validators,
  );
  out.gauge(
    name("missing_validators_power"),
    "Total power of the missing validators.",
    counts.missing.power,
  );
  out.gauge(
    name("byzantine_validators"),
    "Number of validators who tried to double sign.",
    counts.byzantine.validators,
  );
  out.gauge(
    name("byzantine_validators_power"),
    "Total power of the byzantine validators.",
    counts.byzantine.power,
  );
  out.histogram(
    name("block_interval_seconds"),
    "Time between this and the last block.",
    counts.intervals,
  );
  out.gauge(name("num_txs"), "Number of transactions.", counts.txs);
  out.gauge(name("total_txs"), "Total number of transactions.", counts.totalTxs);
  out.gauge(
    name("block_size_bytes"),
    "Size of the block.",
    blockSize(sim, Math.max(sim.height, sim.initialHeight)) ?? 0,
  );
  out.counter(
    name("chain_size_bytes"),
    "Size of the blocks that were counted, in bytes.",
    counts.bytes,
  );
  const members = list.addresses.map((address, i) => {
    const validator_address = toHexUpper(address);
    const labels = { validator_address };
    return { labels, power: list.powers[i] ?? 0, counts: counts.countsOf(validator_address) };
  });
  out.gauges(
    name("validator_power"),
    "Voting power of each validator.",
    members.map(({ labels, power }) => [labels, power]),
  );
  out.gauges(
    name("validator_last_signed_height"),
    "Last height signed by each validator.",
    members.map(({ labels, counts: { lastSigned } }) => [labels, lastSigned]),
  );
  out.gauges(
    name("validator_missed_blocks"),
    "Total missed blocks for each validator.",
    members.map(({ labels, counts: { missed } }) => [labels, missed]),
  );
  out.gauges(
    name("round_voting_power_percent"),
    "Share of the voting power that voted in the last round.",
    [...votedShares(counts)],
  );
  out.counter(
    name("proposal_create_count"),
    "Number of proposals that became blocks, and of rounds that brought none.",
    counts.blocks + counts.failedRounds,
  );
  out.gauge("cometbft_blocksync_syncing", "Whether or not the node is block syncing.", 0);
  const { txs: waitingTxs } = sim.network.mempool;
  out.gauge(
    "cometbft_mempool_size",
    "Size of the mempool (number of uncommitted transactions).",
    waitingTxs.length,
  );
  out.gauge(
    "cometbft_mempool_size_bytes",
    "Total size of the mempool in bytes.",
    waitingTxs.reduce((sum, tx) => sum + tx.length, 0),
  );
  out.gauge("cometbft_p2p_peers", "Number of peers.", runningPeers(counts));
}

/** Voted shares of the round that decided the newest block, while it is stored. */
function* votedShares({ sim }: BlockCounts): Generator<readonly [{ vote_type: string }, number]> {
  const round = sim.roundsOf(sim.decidedHeight).at(-1);
  if (round === undefined) return;
  const total = round.votes.reduce((sum, { power }) => sum + power, 0);
  for (const vote_type of ["prevote", "precommit"] as const) {
    const voted = round.votes.filter((vote) => vote[vote_type] !== "none");
    const power = voted.reduce((sum, vote) => sum + vote.power, 0);
    yield [{ vote_type }, total === 0 ? 0 : power / total];
  }
}

/** The other running nodes. */
const runningPeers = ({ sim }: BlockCounts): number =>
  Math.max(sim.nodes().filter(({ process }) => process === "running").length - 1, 0);
