import type { Bitset } from "../../consensus/bitset.ts";
import { type BlockId, blockIdOf } from "../../consensus/block-id.ts";
import type { VoteTimes } from "../../consensus/commit.ts";
import { PRECOMMIT, signVote, type Vote, type VoteType } from "../../consensus/vote.ts";
import { concat, utf8 } from "../../primitives/bytes.ts";
import { sha256 } from "../../primitives/sha256.ts";
import type { Time } from "../../primitives/time.ts";
import type { BlockParts } from "../chain/block-maker.ts";
import type { RoundFaults } from "../faults/faults.ts";
import { consensusError } from "../node/execution.ts";
import type { Node } from "../node/node.ts";
import type { NodeLog } from "../node/node-log.ts";
import type { VotingGroup } from "../round/voting-groups.ts";
import type { PendingEquivocations } from "./equivocations.ts";

/** What a node says that hears a vote of its own key which it did not cast (staking facts §4.3). */
export const CONFLICT_FROM_OURSELVES = consensusError(
  "found conflicting vote from ourselves; did you unsafe_reset a validator?",
);

/** The place in consensus where a node votes twice. */
export interface VotePlace {
  readonly chainId: string;
  readonly height: number;
  readonly round: number;
  readonly blockHash: Uint8Array;
  readonly timestamp: Time;
  /** The voter's place in the set of the height. */
  readonly index: number;
}

/** Two precommits of one node: one for the block, one for a block that nobody has. */
export function conflictingVotes(node: Node, place: VotePlace): readonly [Vote, Vote] {
  const vote = (blockHash: Uint8Array): Vote =>
    signedVote(node, place, PRECOMMIT, blockIdOf(blockHash));
  return [vote(place.blockHash), vote(unknownBlock(place.blockHash, node))];
}

/** A vote with a real signature. */
export function signedVote(
  node: Node,
  { chainId, height, round, timestamp, index }: Omit<VotePlace, "blockHash">,
  type: VoteType,
  blockId: BlockId,
): Vote {
  return signVote(node.key.secret, chainId, {
    type,
    height,
    round,
    blockId,
    timestamp,
    validatorAddress: node.consensusAddress,
    validatorIndex: index,
  });
}

/** Hash of a block that a node makes up, and nobody else. */
export const unknownBlock = (seed: Uint8Array, node: Node): Uint8Array =>
  sha256(concat(seed, utf8(node.name)));

/** Where double votes are cast. */
interface World {
  readonly config: { readonly chainId: string };
  readonly nodes: readonly Node[];
  readonly log: NodeLog;
}

/** Nodes that were told to sign twice: each does so at the next height that it votes on. */
export class DoubleSigners {
  readonly #world: World;
  readonly #told: Set<Node>;
  readonly #votes: PendingEquivocations;

  /**
   * @param told whom somebody told, on whichever chain they are
   * @param votes where conflicting votes wait for somebody who hears them
   */
  constructor(world: World, told: Set<Node>, votes: PendingEquivocations) {
    this.#world = world;
    this.#told = told;
    this.#votes = votes;
  }

  get some(): boolean {
    return this.#told.size > 0;
  }

  /** Who of them votes with a votingGroup: the machine itself, and not a twin in its place. */
  votingIn({ groups }: VotingGroup, { mute, refused, flaky }: RoundFaults): readonly Node[] {
    const silent = [...mute, ...refused, ...flaky];
    return [...this.#told].filter(
      (node) => groups.some((group) => group.nodes.includes(node)) && !silent.includes(node),
    );
  }

  /** Those who were told to, and those who vote beside a twin, sign twice, if their vote is among the block's. */
  cast(
    twice: readonly Node[],
    signers: Bitset,
    { height, round, voting }: BlockParts,
    blockHash: Uint8Array,
    times: VoteTimes,
  ): void {
    const { config, nodes, log } = this.#world;
    const accomplices = twice.filter((node) => this.#told.has(node));
    const done = new Set<number>();
    for (const node of twice) {
      const index = voting.indexOf(node.consensusAddress);
      if (index < 0 || !signers.get(index)) continue;
      this.#told.delete(node);
      if (done.has(index)) continue;
      done.add(index);
      const machines = nodes.filter((machine) => machine.validator === node.validator);
      log.write(machines, height, [CONFLICT_FROM_OURSELVES]);
      const timestamp = times.others.get(index) ?? times.usual;
      const place = { chainId: config.chainId, height, round, blockHash, timestamp, index };
      this.#votes.note({ node, votes: conflictingVotes(node, place), accomplices });
    }
  }
}
