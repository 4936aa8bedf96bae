import { type BlockId, blockIdOf, NIL_BLOCK_ID } from "../../consensus/block-id.ts";
import { PRECOMMIT, PREVOTE, type Vote, type VoteType } from "../../consensus/vote.ts";
import type { LogLine } from "../../framework/trace.ts";
import type { Ledger } from "../chain/ledger.ts";
import { consensusError } from "../node/execution.ts";
import type { Node } from "../node/node.ts";
import type { NodeLog } from "../node/node-log.ts";
import {
  placeSignerState,
  refusal,
  type SignedPlace,
  signerStateJson,
} from "../node/signer-state.ts";
import type { ExecutionGroup } from "../round/voting-groups.ts";
import { CONFLICT_FROM_OURSELVES, signedVote, unknownBlock } from "./double-sign.ts";

/** Where second votes come from and go to. */
interface World {
  readonly config: { readonly chainId: string };
  readonly nodes: readonly Node[];
  readonly ledger: Ledger;
  readonly log: NodeLog;
  readonly clock: bigint;
}

/** Two conflicting votes of a machine, and who would not report them, having done the same on purpose. */
export interface SecondVote {
  readonly node: Node;
  readonly votes: readonly [Vote, Vote];
  readonly accomplices: readonly Node[];
}

/**
 * Votes that validators cast a second time after a restart, with a signer that does not remember the
 * first. A block that is decided and saved is replayed and voted on no more, whatever the signer's file
 * says (staking facts §4.7); so a second vote takes either a block store that has lost the newest
 * block, or a height that the machine had voted on and that is still undecided. It becomes
 * evidence once somebody else has heard it and the height is committed.
 */
export class PendingEquivocations {
  readonly #world: World;
  #unheard: SecondVote[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  /**
   * A node without the newest block enters consensus at its height, as nobody has a later one, and hears
   * the commit again: without having seen prevotes it precommits nil. If its validator has voted
   * for the block, its signer refuses, or has signed twice.
   */
  castAtNewestBlock(node: Node, signed: SignedPlace): void {
    const { ledger, log } = this.#world;
    const { blocks, decided: height } = ledger;
    const index = blocks.validatorsAt(height).indexOf(node.consensusAddress);
    if (index < 0 || blocks.absentAt(height).includes(index)) return;
    const why = refusal(signed.height, height);
    if (why !== undefined) log.write([node], height, [failedSigning(why)]);
    else {
      const place = { height, round: blocks.roundAt(height), index };
      this.#cast(node, place, PRECOMMIT, blocks.blockIdAt(height));
    }
  }

  /**
   * A node that had voted on the height that is still undecided votes there once more: for a block where
   * it had said nil, or the other way round. A signer that remembers goes on with a later round.
   */
  castAtUndecidedHeight(node: Node, signed: SignedPlace): void {
    const { ledger } = this.#world;
    const { blocks, decided, voting } = ledger;
    const { vain, consensusAddress } = node;
    const height = decided + 1;
    const index = voting.list.indexOf(consensusAddress);
    if (vain?.height !== height || signed.height >= height || index < 0) return;
    if (node.process !== "running" || node.applied.height !== decided) return;
    const block = blockIdOf(unknownBlock(blocks.blockIdAt(decided).hash, node));
    this.#cast(node, { height, round: vain.round, index }, PREVOTE, block);
  }

  /** A vote for a block and one for none at the same place. The signer remembers it from now on. */
  #cast(
    node: Node,
    at: SignedPlace & { readonly index: number },
    type: VoteType,
    block: BlockId,
  ): void {
    const { config, ledger, log, clock } = this.#world;
    const place = { ...at, chainId: config.chainId, timestamp: clock };
    const vote = (id: BlockId): Vote => signedVote(node, place, type, id);
    this.note({ node, votes: [vote(block), vote(NIL_BLOCK_ID)], accomplices: [] });
    const step = type === PREVOTE ? 2 : 3;
    placeSignerState(node, signerStateJson(at.height, at.round, step), ledger);
    log.write([node], at.height, [CONFLICT_FROM_OURSELVES]);
  }

  /** Two conflicting votes, however they came about: they wait for somebody who hears both. */
  note(vote: SecondVote): void {
    this.#unheard.push(vote);
  }

  /** Goes on with what nobody has heard of yet on another chain. */
  takeOver(other: PendingEquivocations): void {
    this.#unheard.push(...other.#unheard);
  }

  /**
   * Whoever runs now has heard them, and puts up those of heights that are being committed as evidence;
   * earlier ones would be dropped (staking facts §4.3). It takes an honest machine of their
   * voter's part: a validator never reports itself.
   */
  report(height: number): void {
    if (this.#unheard.length === 0) return;
    const { nodes, ledger } = this.#world;
    this.#unheard = this.#unheard.filter(({ node, votes, accomplices }) => {
      if (votes[0].height > height) return true;
      const heard = nodes.some(
        (other) =>
          other.process === "running" &&
          other.partition === node.partition &&
          other.validator !== node.validator &&
          !accomplices.some(({ validator }) => validator === other.validator),
      );
      if (heard) ledger.pool.reportConflictingVotes(...votes);
      return !heard;
    });
  }
}

/** What a node says whose signer refuses. */
export const failedSigning = (why: string): LogLine => ({
  ...consensusError("failed signing vote"),
  fields: { err: `error signing vote: ${why}` },
});

/**
 * Machines that vote in these groups beside another one with the same key; one for each validator.
 * Machines that are refused a signature do not vote.
 */
export function twinsIn(
  groups: readonly ExecutionGroup[],
  twins: readonly Node[],
  refused: readonly Node[],
): readonly Node[] {
  const voting = twins.filter(
    (twin) => groups.some((group) => group === twin.group) && !refused.includes(twin),
  );
  return voting.filter((twin, i) => {
    const counted = voting.slice(0, i).some((other) => other.validator === twin.validator);
    const others = groups.flatMap((group) => group.nodes);
    return (
      !counted &&
      others.some((n) => n !== twin && n.validator === twin.validator && !refused.includes(n))
    );
  });
}
