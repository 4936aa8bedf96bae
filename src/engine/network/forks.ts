import { type BlockId, blockIdOf, blockIdText } from "../consensus/block-id.ts";
import { PRECOMMIT, signVote, type Vote } from "../consensus/vote.ts";
import { equal } from "../primitives/bytes.ts";
import type { Time } from "../primitives/time.ts";
import type { Network } from "./network.ts";
import type { Node } from "./node.ts";

/**
 * A cut network can decide on both sides if machines with a third of the power or more vote on both,
 * as twins do: then there are two chains. Each side goes on with a ledger of its own. When they hear
 * each other again, whoever precommitted both blocks of one height and round is found out, and
 * the weaker side stops, since the next header does not stand on its last block. Which side people keep is
 * their choice in truth; here it is the one that had more power when the network was cut.
 */
export class Forks {
  readonly #main: Network;
  #branches: Network[] = [];
  /** Height of the last block that all sides have in common. */
  #common = 0;

  constructor(main: Network) {
    this.#main = main;
  }

  get branches(): readonly Network[] {
    return this.#branches;
  }

  get common(): number {
    return this.#common;
  }

  /** Must be called after the network was cut. */
  split(): void {
    this.#common = this.#main.ledger.decided;
    const partitions = new Set(this.#main.rivals().map(({ groups }) => groups[0]?.partition ?? 0));
    this.#branches = [...partitions].map((partition) => this.#main.branchOff(partition));
  }

  advance(): void {
    for (const branch of this.#branches) branch.advance();
  }

  /** Must be called before the network is cut otherwise or healed. */
  merge(): void {
    for (const branch of this.#branches) this.#meet(branch);
    this.#branches = [];
  }

  #meet(branch: Network): void {
    const { ledger: ours } = this.#main;
    const { ledger: theirs } = branch;
    const last = Math.min(ours.decided, theirs.decided);
    let parted = false;
    for (let height = this.#common + 1; height <= last; height++) {
      const [a, b] = [ours.blocks.blockIdAt(height), theirs.blocks.blockIdAt(height)];
      if (equal(a.hash, b.hash)) continue;
      parted = true;
      this.#report(branch, height, a, b);
    }
    branch.nodesChanged();
    this.#main.nodesChanged();
    for (const node of branch.nodes) {
      this.#main.nodes.push(node);
      if (parted || node.applied.height > ours.decided) this.#stray(node, branch, last);
    }
  }

  /** Whoever signed both blocks of a height in one round has signed twice. */
  #report(branch: Network, height: number, ...ids: readonly [BlockId, BlockId]): void {
    const { chainId } = this.#main.config;
    const [ours, theirs] = [this.#main.ledger.blocks, branch.ledger.blocks];
    const round = ours.roundAt(height);
    if (round !== theirs.roundAt(height)) return;
    const set = ours.validatorsAt(height);
    const [here, there] = [ours.signersAt(height), theirs.signersAt(height)];
    here.forEach((index) => {
      const { address } = set.at(index);
      if (!there.get(theirs.validatorsAt(height).indexOf(address))) return;
      const twin = branch.nodes.find((node) => equal(node.consensusAddress, address));
      if (twin === undefined) return;
      const vote = (blockId: BlockId): Vote =>
        signVote(twin.key.secret, chainId, {
          type: PRECOMMIT,
          height,
          round,
          blockId: blockIdOf(blockId.hash),
          timestamp: ours.timeAt(height) as Time,
          validatorAddress: address,
          validatorIndex: index,
        });
      this.#main.ledger.pool.reportConflictingVotes(vote(ids[0]), vote(ids[1]));
    });
  }

  /** It stands on a block that is not the chain's, and says so when it sees the chain's next header (staking facts §4.7). */
  #stray(node: Node, branch: Network, last: number): void {
    const [own, got] = [branch, this.#main].map(({ ledger }) =>
      blockIdText(ledger.blocks.blockIdAt(last)),
    );
    node.strayed = `wrong Block.Header.LastBlockID.  Expected ${own}, got ${got}`;
    if (node.process === "running") {
      this.#main.halt([node], last + 1, node.strayed, "halted");
    }
  }
}
