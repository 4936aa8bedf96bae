import type { Time } from "../../../base/time.ts";
import type { Bitset } from "../../consensus/bitset.ts";
import { type BlockId, blockIdOf, NIL_BLOCK_ID } from "../../consensus/block-id.ts";
import type { VoteTimes } from "../../consensus/commit.ts";
import { noticeOf } from "../../consensus/duplicate-vote.ts";
import { PRECOMMIT, PREVOTE, type Vote, type VoteType } from "../../consensus/vote.ts";
import type { LogLine } from "../../framework/trace.ts";
import type { BlockParts } from "../chain/block-maker.ts";
import type { Ledger } from "../chain/ledger.ts";
import { consensusError } from "../node/execution.ts";
import type { Node } from "../node/node.ts";
import type { NodeLog } from "../node/node-log.ts";
import {
  refusal,
  type SignedPosition,
  setSignerState,
  signerStateJson,
} from "../node/signer-state.ts";
import {
  CONFLICT_FROM_OURSELVES,
  conflictingVotes,
  signedVote,
  unknownBlock,
} from "./conflicting-votes.ts";

/** Two conflicting votes of a node, and the colluding nodes, which do not report them. */
export interface Equivocation {
  readonly node: Node;
  readonly votes: readonly [Vote, Vote];
  readonly colluding: readonly Node[];
}

/** A block whose precommits have been collected. */
export interface PrecommittedBlock {
  readonly parts: BlockParts;
  readonly hash: Uint8Array;
  readonly signers: Bitset;
  readonly times: VoteTimes;
}

/**
 * Conflicting votes that no honest node has received yet. An equivocation becomes evidence once an
 * honest node has received both votes and their height is committed.
 */
export class PendingEquivocations {
  readonly #chainId: string;
  readonly #ledger: Ledger;
  readonly #log: NodeLog;
  #pending: Equivocation[] = [];

  constructor(chainId: string, ledger: Ledger, log: NodeLog) {
    this.#chainId = chainId;
    this.#ledger = ledger;
    this.#log = log;
  }

  /** State stored in keyframes. */
  get persisted() {
    return [this.#pending] as const;
  }
  set persisted(persisted) {
    [this.#pending] = persisted;
  }

  /**
   * Makes nodes precommit a second block beside the decided one, once per validator; a node whose
   * precommit is not in the commit signs nothing. Returns the nodes that signed.
   * @param colluding nodes that double-sign on purpose
   * @param nodes of the chain; nodes with the same key log the conflict
   */
  castInBlock(
    doubleSigners: readonly Node[],
    colluding: readonly Node[],
    { parts, hash, signers, times }: PrecommittedBlock,
    nodes: readonly Node[],
  ): readonly Node[] {
    const { height, round, voting } = parts;
    const signed = doubleSigners.filter((node) => {
      const index = voting.indexOf(node.consensusAddress);
      return index >= 0 && signers.get(index);
    });
    const cast = new Set<string>();
    for (const node of signed) {
      if (cast.has(node.validator)) continue;
      cast.add(node.validator);
      const withKey = nodes.filter(({ validator }) => validator === node.validator);
      this.#log.write(withKey, height, [CONFLICT_FROM_OURSELVES]);
      const index = voting.indexOf(node.consensusAddress);
      const timestamp = times.others.get(index) ?? times.usual;
      const position = { chainId: this.#chainId, height, round, timestamp, index };
      this.note({ node, votes: conflictingVotes(node, position, hash), colluding });
    }
    return signed;
  }

  /**
   * A node without the latest block enters consensus at that height, since there is no later one,
   * and receives the commit again: without having seen prevotes it precommits nil. If its validator
   * has voted for the block, its signer refuses, or has double-signed. A block that is decided and
   * saved is replayed without voting on it again, whatever is in the signer's file (rules/consensus
   * 6.2).
   */
  castAtLatestBlock(node: Node, signed: SignedPosition, clock: Time): void {
    const { blocks, decided: height } = this.#ledger;
    const index = blocks.validatorsAt(height).indexOf(node.consensusAddress);
    if (index < 0 || blocks.absentAt(height).includes(index)) return;
    const why = refusal(signed.height, height);
    if (why !== undefined) this.#log.write([node], height, [failedSigning(why)]);
    else {
      const position = { height, round: blocks.roundAt(height), index, timestamp: clock };
      this.#castAgain(node, position, PRECOMMIT, blocks.blockIdAt(height));
    }
  }

  /**
   * A node that had voted at the undecided height votes there again after a restart: for a block if
   * it had voted nil, and vice versa. A signer with its state votes only in a later round.
   */
  castAtUndecidedHeight(node: Node, signed: SignedPosition, clock: Time): void {
    const { blocks, decided, voting } = this.#ledger;
    const { lastFailedRound: failed, consensusAddress } = node;
    const height = decided + 1;
    const index = voting.list.indexOf(consensusAddress);
    if (failed?.height !== height || signed.height >= height || index < 0) return;
    if (node.process !== "running" || node.applied.height !== decided) return;
    const block = blockIdOf(unknownBlock(blocks.blockIdAt(decided).hash, node));
    const position = { height, round: failed.round, index, timestamp: clock };
    this.#castAgain(node, position, PREVOTE, block);
  }

  /**
   * Casts a vote for a block and one for nil at the same height and round, and records it in the
   * signer's state.
   */
  #castAgain(
    node: Node,
    at: SignedPosition & { readonly index: number; readonly timestamp: Time },
    type: VoteType,
    block: BlockId,
  ): void {
    const position = { ...at, chainId: this.#chainId };
    const vote = (id: BlockId): Vote => signedVote(node, position, type, id);
    this.note({ node, votes: [vote(block), vote(NIL_BLOCK_ID)], colluding: [] });
    const step = type === PREVOTE ? 2 : 3;
    setSignerState(node, signerStateJson(at.height, at.round, step), this.#ledger);
    this.#log.write([node], at.height, [CONFLICT_FROM_OURSELVES]);
  }

  /** Heights of the pending equivocations. */
  get heights(): readonly number[] {
    if (this.#pending.length === 0) return NONE;
    return this.#pending.map(({ votes }) => votes[0].height);
  }

  /** Pending pairs of votes. */
  get waiting(): readonly (readonly [Vote, Vote])[] {
    return this.#pending.map(({ votes }) => votes);
  }

  /** Adds two conflicting votes, of whatever origin, that no honest node has received yet. */
  note(equivocation: Equivocation): void {
    this.#pending.push(equivocation);
  }

  /** Adds the pending equivocations of another fork. */
  merge(other: PendingEquivocations): void {
    this.#pending.push(...other.#pending);
  }

  /**
   * Reports equivocations up to the height being committed as evidence, if an honest node is
   * running in the voter's partition: a validator never reports itself. CometBFT drops earlier ones
   * (rules/consensus 2.5).
   */
  report(height: number, nodes: readonly Node[]): void {
    if (this.#pending.length === 0) return;
    this.#pending = this.#pending.filter((equivocation) => {
      const { votes } = equivocation;
      if (votes[0].height > height) return true;
      const honest = nodes.filter((node) => reports(node, equivocation));
      if (honest.length === 0) return true;
      this.#ledger.pool.reportConflictingVotes(...votes, noticeOf(height, honest));
      return false;
    });
  }
}

const NONE: readonly number[] = [];

/** Returns true if a node has received both votes and would report them. */
function reports(other: Node, { node, colluding }: Equivocation): boolean {
  return (
    other.process === "running" &&
    other.partition === node.partition &&
    other.validator !== node.validator &&
    !colluding.some(({ validator }) => validator === other.validator)
  );
}

/** Log line of a node whose signer refuses. */
export const failedSigning = (why: string): LogLine => ({
  ...consensusError("failed signing vote"),
  fields: { err: `error signing vote: ${why}` },
});
