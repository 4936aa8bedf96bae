import { blockIdText } from "../../consensus/block-id.ts";
import type { Vote } from "../../consensus/vote.ts";
import { equal } from "../../primitives/bytes.ts";
import { conflictsAt } from "../byzantine/fork-votes.ts";
import type { Network } from "../network.ts";
import type { Applied, Node } from "../node/node.ts";

/** The chain of another part of the network. */
interface Branch {
  readonly chain: Network;
  /** Its blocks since the split, as most of its power applied them. */
  readonly applied: Applied[];
}

/**
 * A cut network can decide on both sides if machines with a third of the power or more vote on both,
 * as twins do: then there are two chains, whether the second side is strong enough from the beginning or
 * only later. Each side goes on with a ledger of its own. When they hear each other again, whoever
 * signed against himself is found out. If there are two blocks of one height, the weaker side stops, since the next header does
 * not stand on its last block. Which side people keep is their choice in truth; here it is the one that had more power
 * when the network was cut. If only one side has gone on, everybody follows it.
 */
export class Forks {
  readonly #main: Network;
  #branches: readonly Branch[] = [];

  constructor(main: Network) {
    this.#main = main;
  }

  /** The chains besides the main one. */
  get branches(): readonly Network[] {
    return this.#branches.map(({ chain }) => chain);
  }

  /** Height of the last block that all sides have in common. */
  get common(): number {
    return this.#main.cutAt ?? 0;
  }

  /** All chains, the main one first. */
  get networks(): readonly Network[] {
    return [this.#main, ...this.branches];
  }

  /** The chain that a node is on: what is done to the node is done there. */
  networkOf(node: Node): Network {
    return this.#branchOf(node)?.chain ?? this.#main;
  }

  /** What a node's own chain was after a height above those in common; undefined for other heights and for nodes of the main chain. */
  appliedAt(node: Node, height: number): Applied | undefined {
    return this.#branchOf(node)?.applied.find((applied) => applied.height === height);
  }

  #branchOf(node: Node): Branch | undefined {
    return this.#branches.find(({ chain }) => chain.nodes.includes(node));
  }

  /** One consensus round of every chain. Returns the height that the main one decided, or undefined. */
  advance(): number | undefined {
    this.split();
    const decided = this.#main.advance();
    for (const { chain } of this.#branches) chain.advance();
    return decided;
  }

  /** Lets parts that could decide besides the main chain go on by themselves. */
  split(): void {
    for (const partition of this.#main.rivals()) {
      const branch: Branch = { chain: this.#main.fork(partition), applied: [] };
      branch.chain.onCommit = (applied) => branch.applied.push(applied);
      this.#branches = [...this.#branches, branch];
    }
  }

  /** Must be called before the network is cut otherwise or healed. */
  merge(): void {
    for (const branch of this.#branches) this.#meet(branch);
    this.#branches = [];
  }

  #meet({ chain, applied }: Branch): void {
    const main = this.#main;
    const conflicts = this.#conflictsWith(chain);
    const parted = this.#partedAt(chain);
    main.takeBack(chain);
    if (parted === undefined) this.#follow(chain, applied);
    for (const votes of conflicts) {
      const voter = chain.nodes.find((node) =>
        equal(node.consensusAddress, votes[0].validatorAddress),
      );
      if (voter !== undefined) main.signedTwice(voter, votes);
    }
    // What its nodes have put up as evidence they pass on; what does not fit this chain is refused.
    for (const evidence of chain.ledger.pool.pending) main.ledger.submit(evidence);
    for (const node of chain.nodes) {
      if (parted !== undefined && storedHeight(node) >= parted) this.#stray(node, chain);
    }
  }

  #conflictsWith(chain: Network): readonly (readonly [Vote, Vote])[] {
    const main = this.#main;
    const newest = Math.max(main.ledger.decided, chain.ledger.decided);
    const heights = Array.from({ length: newest - this.common }, (_, i) => this.common + 1 + i);
    return heights.flatMap((height) =>
      conflictsAt(height, main, chain, (address) => main.secretOf(address)),
    );
  }

  /** The first height at which there are two blocks; undefined if one chain is the beginning of the other. */
  #partedAt({ ledger }: Network): number | undefined {
    const [ours, theirs] = [this.#main.ledger.blocks, ledger.blocks];
    for (let height = this.common + 1; ours.has(height) && theirs.has(height); height++) {
      if (!equal(ours.blockIdAt(height).hash, theirs.blockIdAt(height).hash)) return height;
    }
    return undefined;
  }

  /** There is but one block at each height: if the other side has more of them, they are the chain's. */
  #follow(chain: Network, applied: readonly Applied[]): void {
    const { ledger, onCommit } = this.#main;
    const { committed } = ledger;
    if (chain.ledger.decided <= ledger.decided) return;
    const { pending } = ledger.pool;
    this.#main.restore(chain.standpoint());
    for (const evidence of pending) ledger.submit(evidence);
    for (const one of applied) if (one.height > committed) onCommit(one);
  }

  /** It stands on a block that is not the chain's, and says so when it sees the chain's next header (staking facts §4.7). */
  #stray(node: Node, chain: Network): void {
    const main = this.#main;
    const height = Math.min(storedHeight(node), main.ledger.decided);
    const idIn = ({ ledger }: Network): string => blockIdText(ledger.blocks.blockIdAt(height));
    node.strayed = { kind: "wrong_last_block_id", expected: idIn(chain), got: idIn(main) };
    if (node.process === "running") main.halt([node], height + 1, node.strayed, "halted");
  }
}

/** A machine that has stopped over a block has stored it and applies it first when it starts again. */
function storedHeight({ process, applied, blocksLost }: Node): number {
  const overOne = (process === "halted" || process === "exited") && !blocksLost;
  return overOne ? applied.height + 1 : applied.height;
}
