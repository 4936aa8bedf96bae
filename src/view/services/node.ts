/** The services about the node and its blocks that clients of upstream ask (rules/clients 6.6). */
import type { MessageInitShape } from "@bufbuild/protobuf";
import { consAddress } from "../../base/bech32.ts";
import { toTimestamp } from "../../base/time.ts";
import type { BlockId } from "../../engine/consensus/block-id.ts";
import type { FullCommit } from "../../engine/consensus/commit.ts";
import type { Evidence } from "../../engine/consensus/evidence.ts";
import type { Vote } from "../../engine/consensus/vote.ts";
import { packInit } from "../../engine/framework/codec.ts";
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import { decidedBlock, type ReadBlock } from "../../engine/simulation/decided-blocks.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import type { Service as Node } from "../../gen/chain/base/node/v1beta1/query_pb.ts";
import type { PageRequest } from "../../gen/chain/base/query/v1beta1/pagination_pb.ts";
import type { Service as Blocks } from "../../gen/chain/base/tendermint/v1beta1/query_pb.ts";
import { PubKeySchema } from "../../gen/chain/crypto/ed25519/keys_pb.ts";
import type { BlockIDFlag, BlockSchema } from "../../gen/tendermint/types/types_pb.ts";
import { openBlocks } from "../lab/reading.ts";
import { nodeFacts } from "../node-facts.ts";
import { abciQuery } from "../store-query/abci-query.ts";
import type { Methods } from "./methods.ts";

/** Entries of a page of validators at most. */
const MAX_PAGE = 100;

export const BLOCKS: Methods<typeof Blocks> = {
  getNodeInfo: (sim, _, __, { host }) => {
    const { id: defaultNodeId, txIndex, note: _note, ...facts } = nodeFacts(sim);
    return {
      defaultNodeInfo: {
        ...facts,
        defaultNodeId,
        other: { txIndex, rpcAddress: host?.rpcAddress ?? "" },
      },
      applicationVersion: {
        name: "chainlab",
        appName: "chainlab",
        version: "0.1.0",
        cosmosSdkVersion: "v0.53.8",
      },
    };
  },

  getSyncing: () => ({ syncing: false }),

  getLatestBlock: (sim) => blockAt(sim, sim.height),
  *getBlockByHeight(sim, { height }) {
    const at = checked(sim, height);
    yield* openBlocks(at);
    return blockAt(sim, at);
  },

  getLatestValidatorSet: (sim, { pagination }) => validatorsAt(sim, sim.height, pagination),
  getValidatorSetByHeight: (sim, { height, pagination }) =>
    validatorsAt(sim, checked(sim, height), pagination),

  // Paths have both names here, as a node's own store has no namespace.
  aBCIQuery: (sim, requested, height, queries) =>
    abciQuery(sim, queries, "both", {
      ...requested,
      height: requested.height || BigInt(height ?? 0),
    }),
};

/** Nothing is pruned; a halt height belongs to one of the chain's nodes, not to the host that answers. */
export const NODE: Methods<typeof Node> = {
  config: ({ spec }, _, __, { host }) => ({
    minimumGasPrice: host?.minGasPrices || `0${spec.staking.bondDenom}`,
    pruningKeepRecent: "0",
    pruningInterval: "0",
  }),
  *status(sim, _, at = sim.height) {
    if (at >= sim.initialHeight) yield* openBlocks(at);
    const header = decidedBlock(sim, at)?.header;
    return {
      earliestStoreHeight: BigInt(sim.initialHeight),
      height: BigInt(at),
      ...(header && {
        timestamp: toTimestamp(header.time),
        appHash: header.appHash,
        validatorHash: header.nextValidatorsHash,
      }),
    };
  },
};

function checked(sim: Simulation, height: bigint): number {
  if (height >= BigInt(sim.initialHeight) && height <= BigInt(sim.height)) return Number(height);
  const text =
    height > BigInt(sim.height)
      ? "requested block height is bigger then the chain length"
      : `there is no block ${height}`;
  throw new StatusError(STATUS.invalidArgument, text);
}

function blockAt(sim: Simulation, height: number) {
  const read = decidedBlock(sim, height);
  if (read === undefined) throw new StatusError(STATUS.notFound, `there is no block ${height}`);
  const block = blockFields(read);
  const { proposerAddress } = read.header;
  const sdkBlock = {
    ...block,
    header: { ...block.header, proposerAddress: consAddress(proposerAddress) },
  };
  return { blockId: blockIdOf(read.id), block, sdkBlock };
}

function* validatorsAt(sim: Simulation, height: number, request: PageRequest | undefined) {
  if (height < sim.initialHeight) return { blockHeight: BigInt(height) };
  yield { kind: "sets" as const, height: height - 1 };
  const { list, priorities } = sim.votingSetAt(height);
  const all = Array.from({ length: list.size }, (_, i) => ({
    ...list.at(i),
    proposerPriority: priorities[i],
  }));
  const items = pageIn(all, request);
  return {
    blockHeight: BigInt(height),
    validators: items.map(({ address, pubKey, power, proposerPriority = 0 }) => ({
      address: consAddress(address),
      pubKey: packInit(PubKeySchema, { key: pubKey }),
      votingPower: BigInt(power),
      proposerPriority: BigInt(proposerPriority),
    })),
    pagination: { total: BigInt(all.length) },
  };
}

/**
 * The page in which an offset lies, as the RPC pages: 100 entries at most. Throws Unknown with CometBFT's words for a
 * page that does not exist (rules/clients 2.4).
 */
function pageIn<T>(all: readonly T[], request: PageRequest | undefined): readonly T[] {
  const limit = Number(request?.limit ?? 0n) || MAX_PAGE;
  const page = Math.floor(Number(request?.offset ?? 0n) / limit);
  const size = Math.min(limit, MAX_PAGE);
  const pages = Math.max(Math.ceil(all.length / size), 1);
  if (page < pages) return all.slice(page * size, (page + 1) * size);
  const text = `page should be within [1, ${pages}] range, given ${page + 1}`;
  throw new StatusError(STATUS.unknown, text);
}

/** A block's fields, those that must be there with their zero values. */
export const blockFields = ({ header, txs, evidence, lastCommit }: ReadBlock) =>
  ({
    header: {
      ...header,
      version: { block: BigInt(header.version.block), app: BigInt(header.version.app) },
      height: BigInt(header.height),
      time: toTimestamp(header.time),
      lastBlockId: blockIdOf(header.lastBlockId),
    },
    data: { txs: [...txs] },
    evidence: { evidence: evidence.map(evidenceOf) },
    lastCommit: commitOf(lastCommit()),
  }) satisfies MessageInitShape<typeof BlockSchema>;

export const blockIdOf = ({ hash, partSetHeader }: BlockId) => ({
  hash,
  partSetHeader: { total: partSetHeader.total, hash: partSetHeader.hash },
});

const commitOf = (commit: FullCommit | undefined) =>
  commit === undefined
    ? { blockId: { partSetHeader: {} } }
    : {
        height: BigInt(commit.height),
        round: commit.round,
        blockId: blockIdOf(commit.blockId),
        signatures: commit.signatures.map((one) => ({
          blockIdFlag: one.blockIdFlag as BlockIDFlag,
          validatorAddress: one.validatorAddress,
          timestamp: toTimestamp(one.timestamp),
          signature: one.signature,
        })),
      };

function evidenceOf(evidence: Evidence) {
  if (evidence.kind === "duplicate-vote") {
    const value = {
      voteA: voteOf(evidence.voteA),
      voteB: voteOf(evidence.voteB),
      totalVotingPower: BigInt(evidence.totalVotingPower),
      validatorPower: BigInt(evidence.validatorPower),
      timestamp: toTimestamp(evidence.timestamp),
    };
    return { sum: { case: "duplicateVoteEvidence" as const, value } };
  }
  const value = {
    commonHeight: BigInt(evidence.commonHeight),
    totalVotingPower: BigInt(evidence.totalVotingPower),
    timestamp: toTimestamp(evidence.timestamp),
  };
  return { sum: { case: "lightClientAttackEvidence" as const, value } };
}

const voteOf = (vote: Vote) => ({
  type: vote.type,
  height: BigInt(vote.height),
  round: vote.round,
  blockId: blockIdOf(vote.blockId),
  timestamp: toTimestamp(vote.timestamp),
  validatorAddress: vote.validatorAddress,
  validatorIndex: vote.validatorIndex,
  signature: vote.signature,
});
