/** The metrics of cosmos-validator-watcher, under its names (rules/clients 4.1). */
import { create, fromBinary } from "@bufbuild/protobuf";
import { accAddress, consAddress, fromValAddress } from "../../base/bech32.ts";
import { fromUtf8, toHexUpper } from "../../base/bytes.ts";
import { decToString } from "../../base/dec.ts";
import { addressOf } from "../../base/ed25519.ts";
import { fromHex } from "../../base/from-hex.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import { PageRequestSchema } from "../../gen/chain/base/query/v1beta1/pagination_pb.ts";
import { PubKeySchema } from "../../gen/chain/crypto/ed25519/keys_pb.ts";
import { ProposalStatus } from "../../gen/chain/gov/v1/gov_pb.ts";
import { Query as Gov } from "../../gen/chain/gov/v1/query_pb.ts";
import { Query as Slashing } from "../../gen/chain/slashing/v1beta1/query_pb.ts";
import { Query as Staking } from "../../gen/chain/staking/v1beta1/query_pb.ts";
import { BondStatus, type Validator } from "../../gen/chain/staking/v1beta1/staking_pb.ts";
import { Query as Upgrade } from "../../gen/chain/upgrade/v1beta1/query_pb.ts";
import { query } from "../../view/lab/query.ts";
import type { BlockCounts, ValidatorCounts } from "./block-counts.ts";
import type { Exposition } from "./exposition.ts";

const PREFIX = "cosmos_validator_watcher_";
/** Maximum entries of a list that are read. */
const MOST = 10_000n;
const ALL = create(PageRequestSchema, { limit: MOST });

export function writeWatcherMetrics(out: Exposition, counts: BlockCounts): void {
  const { sim } = counts;
  const validators = validatorsOf(sim);
  const bonded = validators.filter(({ isBonded }) => isBonded);
  out.gauge(`${PREFIX}block_height`, "Latest known block height.", sim.height);
  out.gauge(`${PREFIX}active_set`, "Number of validators in the active set.", bonded.length);
  out.counter(`${PREFIX}tracked_blocks`, "Number of blocks tracked since start.", counts.blocks);
  out.counter(`${PREFIX}skipped_blocks`, "Number of blocks skipped since start.", counts.skipped);
  out.counter(
    `${PREFIX}transactions_total`,
    "Number of transactions since start.",
    counts.totalTxs,
  );
  writeParams(out, sim);
  out.gauges(
    `${PREFIX}seat_price`,
    "Min seat price to be in the active set.",
    bonded.slice(-1).map(({ tokens, denom }) => [{ denom }, tokens]),
  );
  writeValidators(out, counts, validators);
  writeNodes(out, sim);
  writeGovernance(out, sim, bonded);
}

interface Watched {
  readonly labels: { readonly address: string; readonly name: string };
  /** Account of its operator, 20 bytes. */
  readonly operator: Uint8Array;
  readonly rank: number;
  readonly tokens: number;
  readonly denom: string;
  readonly isBonded: boolean;
  readonly isJailed: boolean;
}

/** All validators by tokens, descending. */
function validatorsOf(sim: Simulation): readonly Watched[] {
  const { validators } = query(sim, Staking.method.validators, { pagination: ALL });
  const denom = query(sim, Staking.method.params, {}).params?.bondDenom ?? "";
  const names = new Map(
    sim.nodes().map(({ consensusAddress, validator }) => [toHexUpper(consensusAddress), validator]),
  );
  return validators
    .toSorted((a, b) => Number(BigInt(b.tokens) - BigInt(a.tokens)))
    .map((validator, host): Watched => {
      const address = consensusAddressOf(validator);
      const name = names.get(address) ?? validator.description?.moniker ?? "";
      return {
        labels: { address, name: name === "" ? validator.operatorAddress : name },
        operator: fromValAddress(validator.operatorAddress),
        rank: host + 1,
        tokens: Number(validator.tokens),
        denom,
        isBonded: validator.status === BondStatus.BONDED,
        isJailed: validator.jailed,
      };
    });
}

/** Upper-case hex. */
function consensusAddressOf({ consensusPubkey }: Validator): string {
  const key = fromBinary(PubKeySchema, consensusPubkey?.value ?? new Uint8Array()).key;
  return toHexUpper(addressOf(key));
}

function writeParams(out: Exposition, sim: Simulation): void {
  const { params } = query(sim, Slashing.method.params, {});
  if (params === undefined) return;
  const share = (digits: Uint8Array): number => Number(decToString(BigInt(fromUtf8(digits))));
  out.gauge(
    `${PREFIX}signed_blocks_window`,
    "Number of blocks per signing window.",
    Number(params.signedBlocksWindow),
  );
  out.gauge(
    `${PREFIX}min_signed_blocks_per_window`,
    "Minimum share of blocks required to be signed per signing window.",
    share(params.minSignedPerWindow),
  );
  out.gauge(
    `${PREFIX}downtime_jail_duration`,
    "Duration of the jail period for a validator in seconds.",
    Number(params.downtimeJailDuration?.seconds ?? 0n),
  );
  out.gauge(
    `${PREFIX}slash_fraction_double_sign`,
    "Slash penalty for double signing.",
    share(params.slashFractionDoubleSign),
  );
  out.gauge(
    `${PREFIX}slash_fraction_downtime`,
    "Slash penalty for downtime.",
    share(params.slashFractionDowntime),
  );
}

function writeValidators(
  out: Exposition,
  counts: BlockCounts,
  validators: readonly Watched[],
): void {
  const { info } = query(counts.sim, Slashing.method.signingInfos, { pagination: ALL });
  const missed = new Map(
    info.map(({ address, missedBlocksCounter }) => [address, Number(missedBlocksCounter)]),
  );
  const gauges = (name: string, help: string, take: (one: Watched) => number): void =>
    out.gauges(
      `${PREFIX}${name}`,
      help,
      validators.map((one) => [one.labels, take(one)]),
    );
  const counters = (name: string, help: string, take: (of: ValidatorCounts) => number): void =>
    out.counters(
      `${PREFIX}${name}`,
      help,
      validators.map(({ labels }) => [labels, take(counts.countsOf(labels.address))]),
    );
  gauges("rank", "Rank of the validator.", ({ rank }) => rank);
  out.gauges(
    `${PREFIX}tokens`,
    "Number of staked tokens per validator.",
    validators.map(({ labels, denom, tokens }) => [{ ...labels, denom }, tokens]),
  );
  gauges("is_bonded", "Set to 1 if the validator is bonded.", ({ isBonded }) => Number(isBonded));
  gauges("is_jailed", "Set to 1 if the validator is jailed.", ({ isJailed }) => Number(isJailed));
  gauges(
    "missed_blocks_window",
    "Number of missed blocks in the current signing window.",
    ({ labels }) => missed.get(consAddress(fromHex(labels.address))) ?? 0,
  );
  counters("proposed_blocks", "Number of proposed blocks.", ({ proposed }) => proposed);
  counters("validated_blocks", "Number of validated blocks.", ({ validated }) => validated);
  counters("missed_blocks", "Number of missed blocks.", ({ missed }) => missed);
  counters(
    "solo_missed_blocks",
    "Number of blocks that it missed alone.",
    ({ missedAlone }) => missedAlone,
  );
  gauges(
    "consecutive_missed_blocks",
    "Number of missed blocks in a row.",
    ({ labels }) => counts.countsOf(labels.address).missedInARow,
  );
  counters("empty_blocks", "Number of proposed blocks without transactions.", ({ empty }) => empty);
}

function writeNodes(out: Exposition, sim: Simulation): void {
  const nodes = sim.nodes();
  out.gauges(
    `${PREFIX}node_block_height`,
    "Latest fetched block height of each node.",
    nodes.map(({ name, height }) => [{ node: name }, height]),
  );
  out.gauges(
    `${PREFIX}node_synced`,
    "Set to 1 if the node is synced.",
    nodes.map(({ name, height, process }) => [
      { node: name },
      Number(process === "running" && height >= sim.height),
    ]),
  );
}

function writeGovernance(out: Exposition, sim: Simulation, voters: readonly Watched[]): void {
  const { plan } = query(sim, Upgrade.method.currentPlan, {});
  out.gauges(
    `${PREFIX}upgrade_plan`,
    "Block height of the upcoming upgrade.",
    plan === undefined
      ? []
      : [[{ version: plan.name, block: `${plan.height}` }, Number(plan.height)]],
  );
  const { proposals } = query(sim, Gov.method.proposals, {
    proposalStatus: ProposalStatus.VOTING_PERIOD,
    pagination: ALL,
  });
  out.gauges(
    `${PREFIX}proposal_end_time`,
    "Timestamp of the voting end time of a proposal.",
    proposals.map(({ id, votingEndTime }) => [
      { proposal_id: `${id}` },
      Number(votingEndTime?.seconds ?? 0n),
    ]),
  );
  out.gauges(
    `${PREFIX}vote`,
    "Set to 1 if the validator has voted on a proposal.",
    proposals.flatMap(({ id }) => {
      const { votes } = query(sim, Gov.method.votes, { proposalId: id, pagination: ALL });
      const voted = new Set(votes.map(({ voter }) => voter));
      return voters.map(
        ({ labels, operator }) =>
          [{ ...labels, proposal_id: `${id}` }, Number(voted.has(accAddress(operator)))] as const,
      );
    }),
  );
}
