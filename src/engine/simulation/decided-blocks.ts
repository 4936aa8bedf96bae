/**
 * Decided blocks with their commits and sizes. Running a chain needs none of this, so it is loaded
 * separately.
 */
import { blockSize as sizeOf } from "../consensus/block.ts";
import type { BlockId } from "../consensus/block-id.ts";
import {
  ABSENT,
  type CommitSig,
  FLAG_COMMIT,
  type FullCommit,
  timeOf,
} from "../consensus/commit.ts";
import { commitError, type VerifiedCommit } from "../consensus/commit-verify.ts";
import type { Evidence } from "../consensus/evidence.ts";
import type { Header } from "../consensus/header.ts";
import { signedCommit as sign, type VotedCommit } from "../network/chain/headers.ts";
import type { Network } from "../network/network.ts";
import type { Simulation } from "./simulation.ts";

export interface ReadBlock {
  readonly header: Header;
  readonly id: BlockId;
  readonly txs: readonly Uint8Array[];
  readonly evidence: readonly Evidence[];
  /** Commit in the block, signed on demand; the first block has none. */
  lastCommit(): FullCommit | undefined;
}

/** Returns a decided block, whether or not a node has applied it; undefined if there is none. */
export function decidedBlock({ network }: Simulation, height: number): ReadBlock | undefined {
  const { reader, ledger } = network;
  const { blocks } = ledger;
  const header = reader.header(height);
  if (header === undefined) return undefined;
  const { txs, evidence } = blocks.bodyAt(height);
  const lastCommit = (): FullCommit | undefined =>
    height === blocks.initialHeight ? undefined : signed(network, reader.commitIn(height));
  return { header, id: blocks.blockIdAt(height), txs, evidence, lastCommit };
}

/** Signs the precommits for a decided block; undefined if there is no such block. */
export function signedCommit({ network }: Simulation, height: number): FullCommit | undefined {
  const voted = votedAt(network, height);
  return voted && signed(network, voted);
}

/** Same for a committed block, verified. */
export function verifiedCommit(sim: Simulation, height: number): VerifiedCommit | undefined {
  const { network } = sim;
  const voted = height <= sim.height ? votedAt(network, height) : undefined;
  if (voted === undefined) return undefined;
  const { chainId } = network.reader.constants;
  const commit = signed(network, voted);
  const id = network.ledger.blocks.blockIdAt(height);
  return { ...commit, error: commitError(chainId, voted.voters, id, height, commit) };
}

/** Only its length matters here. */
const NO_SIGNATURE = new Uint8Array(64);

/** Size in bytes of a committed block with its commit and evidence, as CometBFT encodes it. */
export function blockSize(sim: Simulation, height: number): number | undefined {
  const { reader, ledger } = sim.network;
  const header = height <= sim.height ? reader.header(height) : undefined;
  if (header === undefined) return undefined;
  const { blocks } = ledger;
  const { txs, evidence } = blocks.bodyAt(height);
  const block = { header, txs, evidence };
  if (height === blocks.initialHeight) return sizeOf(block, null);
  const { commit, voters } = reader.commitIn(height);
  const signatures = voters.addresses.map((validatorAddress, i): CommitSig => {
    if (!commit.signers.get(i)) return ABSENT;
    const timestamp = timeOf(commit, i);
    return { blockIdFlag: FLAG_COMMIT, validatorAddress, timestamp, signature: NO_SIGNATURE };
  });
  return sizeOf(block, { ...commit, signatures });
}

function votedAt({ reader, ledger, lastCommit }: Network, height: number): VotedCommit | undefined {
  const { blocks, decided } = ledger;
  if (!blocks.has(height)) return undefined;
  return height < decided ? reader.commitIn(height + 1) : lastCommit;
}

const signed = ({ reader }: Network, voted: VotedCommit): FullCommit =>
  sign(reader.constants.chainId, voted, reader.secretOf);
