import type { Vote } from "../consensus/vote.ts";
import type { LogLine } from "../framework/trace.ts";
import { CONFLICT_FROM_OURSELVES, conflictingVotes } from "./double-sign.ts";
import { consensusError } from "./execution.ts";
import type { Group } from "./groups.ts";
import type { Ledger } from "./ledger.ts";
import type { Node } from "./node.ts";
import type { NodeLog } from "./node-log.ts";
import { placeSignerState, refusal, signerStateJson } from "./signer-state.ts";

/** Where second votes come from and go to. */
interface World {
  readonly config: { readonly chainId: string };
  readonly nodes: readonly Node[];
  readonly ledger: Ledger;
  readonly log: NodeLog;
  readonly clock: bigint;
}

/**
 * Votes that validators cast a second time because they were started again at a height they had
 * already voted on, with a signer that does not remember. They are evidence once somebody else has
 * heard them. Model document, "Misbehavior, end to end".
 */
export class SecondVotes {
  readonly #world: World;
  #unheard: { readonly node: Node; readonly votes: readonly [Vote, Vote] }[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  /**
   * Whether a node that is being started will vote again on the newest block, which its validator
   * has voted on and which it has not applied. A signer that remembers refuses, and says so if the
   * block was taken back. `remembered` is the height in the signer's file.
   */
  willVoteAgain(node: Node, remembered: number): boolean {
    const { ledger, log } = this.#world;
    const { blocks, decided: height } = ledger;
    if (height === 0 || node.applied.height !== height - 1) return false;
    const index = blocks.validatorsAt(height).indexOf(node.consensusAddress);
    if (index < 0 || blocks.absentAt(height).includes(index)) return false;
    const why = refusal(remembered, height);
    if (why !== undefined && wasRolledBack(node)) {
      log.write([node], height, [failedSigning(why)]);
    }
    return why === undefined;
  }

  /** The node votes again on the newest block. Its signer remembers that vote. */
  cast(node: Node): void {
    const { config, ledger, log, clock } = this.#world;
    const { blocks, decided: height } = ledger;
    const place = {
      chainId: config.chainId,
      height,
      round: blocks.roundAt(height),
      blockHash: (blocks.hashAt(height) as Uint8Array).slice(),
      timestamp: clock,
      index: blocks.validatorsAt(height).indexOf(node.consensusAddress),
    };
    this.#unheard.push({ node, votes: conflictingVotes(node, place) });
    placeSignerState(node, signerStateJson(height, place.round, 3), ledger);
    log.write([node], height, [CONFLICT_FROM_OURSELVES]);
  }

  /** Whoever runs now has heard them, and puts them up as evidence. A validator never reports itself. */
  report(): void {
    if (this.#unheard.length === 0) return;
    const { nodes, ledger } = this.#world;
    this.#unheard = this.#unheard.filter(({ node, votes }) => {
      const heard = nodes.some(
        (other) =>
          other.process === "running" &&
          other.partition === node.partition &&
          other.validator !== node.validator,
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
  groups: readonly Group[],
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

/** Only the genesis state and one that was taken back have no outcome. */
const wasRolledBack = (node: Node): boolean => node.applied.outcome === undefined;
