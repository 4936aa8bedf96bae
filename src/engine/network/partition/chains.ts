import { equal } from "../../../base/bytes.ts";
import { blockIdText } from "../../consensus/block-id.ts";
import type { Vote } from "../../consensus/vote.ts";
import { conflictsAt } from "../byzantine/fork-votes.ts";
import type { Ledger } from "../chain/ledger.ts";
import type { NetworkConfig } from "../chain-parts.ts";
import { type ChainSnapshot, Network, storableSnapshot } from "../network.ts";
import type { Applied } from "../node/applied.ts";
import type { Node } from "../node/node.ts";
import { SharedRecords } from "../shared-records.ts";
import { AppliedRuns } from "./applied-runs.ts";
import { competingPartitions } from "./competing-partitions.ts";

/** The chain of another partition. */
interface Fork {
  readonly chain: Network;
  /** Its blocks since the fork, as applied by most of its power. */
  readonly applied: AppliedRuns;
}

/**
 * All chains of a world, and the assignment of nodes to chains. A partitioned network can decide on
 * both sides if a third of the power or more votes on both, as twins do: then it forks, at once or
 * when the second side has become strong enough. When partitions rejoin, validators that voted on
 * both forks are detected. If both forks have a block at the same height, the nodes of the weaker
 * one halt, since the next header does not refer to their last block; in practice operators choose
 * which fork survives, here it is the one with more power at the time of the partition. If only one
 * fork has new blocks, all nodes follow it.
 */
export class Chains {
  /** Chain that survives when forks rejoin. */
  readonly main: Network;
  readonly #config: NetworkConfig;
  readonly #records: SharedRecords;
  readonly #onCommit: (applied: Applied) => void;
  #forks: readonly Fork[] = [];
  #others: readonly Network[] = [];
  #all: readonly Network[];
  /** Main chain at the time of the partition; undefined while the network is not partitioned. */
  #partitionedAt: ChainSnapshot | undefined;
  /** Change count of the main chain's nodes up to which no competing partition was found. */
  #checked: number | undefined;

  /** @param onCommit called once per height of the main chain, in order */
  constructor(config: NetworkConfig, nodes: readonly Node[], onCommit: (applied: Applied) => void) {
    this.#config = config;
    this.#records = new SharedRecords(nodes);
    this.#onCommit = onCommit;
    const chains = this;
    const otherForks = {
      get nodes(): readonly Node[] {
        return chains.forks.flatMap((fork) => fork.nodes);
      },
      get common(): number | undefined {
        return chains.#partitionedAt?.ledger.decided;
      },
    };
    this.main = new Network(config, { records: this.#records, otherForks, onCommit }, nodes);
    this.#all = [this.main];
  }

  /** State stored in keyframes. */
  get persisted() {
    const before = this.#partitionedAt;
    return [
      this.#records.persisted,
      this.main.persisted,
      before && storableSnapshot(before),
      this.#checked,
      this.#forks.map(({ chain, applied }) => [chain.persisted, applied.persisted] as const),
    ] as const;
  }
  set persisted([records, main, before, checked, forks]) {
    this.#records.persisted = records;
    this.main.persisted = main;
    this.#partitionedAt = before && this.main.snapshotOf(before);
    this.#checked = checked;
    const restored = forks.map(([stored, applied]) => {
      const fork = this.#createFork([]);
      fork.chain.persisted = stored;
      fork.applied.persisted = applied;
      return fork;
    });
    this.#setForks(restored);
  }

  /** Caches the lists of chains: every round uses them several times. */
  #setForks(forks: readonly Fork[]): void {
    this.#forks = forks;
    this.#others = forks.map(({ chain }) => chain);
    this.#all = [this.main, ...this.#others];
  }

  /** All chains except the main one; a new array when they change. */
  get forks(): readonly Network[] {
    return this.#others;
  }

  /** All chains, the main one first; a new array when they change. */
  get all(): readonly Network[] {
    return this.#all;
  }

  /** Height of the last block common to all forks at the time of the partition. */
  get common(): number {
    return this.main.otherForks.common ?? 0;
  }

  // ——— by node ———

  of(node: Node): Network {
    return this.#forkOf(node)?.chain ?? this.main;
  }

  ledgerOf(node: Node): Ledger {
    return this.of(node).ledger;
  }

  /**
   * Block as applied by a node's own fork, at a height above the common ones; undefined for other
   * heights and for nodes of the main chain.
   */
  appliedAt(node: Node, height: number): Applied | undefined {
    return this.#forkOf(node)?.applied.at(height);
  }

  /** Starts a node's process on its chain. */
  start(node: Node): void {
    this.of(node).start(node);
  }

  /** Adds a node to the chain of another one. */
  addBeside(node: Node, other: Node): void {
    this.of(other).addNodes([node]);
  }

  /** Removes a node with its faults. */
  remove(node: Node): void {
    const chain = this.of(node);
    chain.removeNodes([node]);
    chain.faults.drop(chain.faults.active.filter((fault) => fault.node === node));
  }

  #forkOf(node: Node): Fork | undefined {
    return this.#forks.find(({ chain }) => chain.nodes.includes(node));
  }

  // ——— all of them ———

  /**
   * Runs one consensus round of every chain. Returns the height that the main one decided, or
   * undefined.
   */
  advance(): number | undefined {
    this.#fork();
    const decided = this.main.advance();
    for (const { chain } of this.#forks) chain.advance();
    return decided;
  }

  /**
   * Partitions the network by node name; unnamed nodes share a partition. Without groups, heals the
   * network.
   */
  partition(groups: readonly (readonly string[])[]): void {
    for (const fork of this.#forks) this.#merge(fork);
    this.#setForks([]);
    this.main.partition(groups);
    this.#partitionedAt = groups.length > 0 ? this.main.snapshot() : undefined;
    this.#checked = undefined;
    this.#fork();
  }

  /** Creates a chain for every partition that can decide besides the main chain. */
  #fork(): void {
    const { main } = this;
    if (this.#partitionedAt === undefined || this.#checked === main.changes) return;
    const own = main.votingGroup?.groups[0]?.partition;
    const competing = competingPartitions(
      main.nodes,
      own,
      (partition) => (this.#lastSnapshot(partition) ?? main).ledger,
    );
    this.#checked = main.changes;
    for (const partition of competing) this.#forkOff(partition);
  }

  /**
   * Snapshot from which a partition continues; undefined if it has received every block of the main
   * chain.
   */
  #lastSnapshot(partition: number): ChainSnapshot | undefined {
    const { main } = this;
    const isLatest = main.latestDelivered(partition) === main.ledger.decided;
    return isLatest ? undefined : this.#partitionedAt;
  }

  #forkOff(partition: number): void {
    const { main } = this;
    const from = this.#lastSnapshot(partition) ?? main.snapshot();
    const nodes = main.nodes.filter((node) => node.partition === partition);
    main.removeNodes(nodes);
    const fork = this.#createFork(nodes);
    const { chain } = fork;
    chain.advanceClock(main.clock);
    chain.restore(from);
    main.faults.transfer(chain.faults, nodes);
    this.#setForks([...this.#forks, fork]);
  }

  #createFork(nodes: readonly Node[]): Fork {
    const applied = new AppliedRuns();
    const host = {
      records: this.#records,
      otherForks: NO_OTHER_FORKS,
      onCommit: (block: Applied) => applied.add(block),
    };
    // A fork's own pages cannot be reloaded from the main chain: 34 bytes per block, until the
    // forks merge.
    const paging = { ...this.#config.paging, residentBytes: Number.POSITIVE_INFINITY };
    return { chain: new Network({ ...this.#config, paging }, host, nodes), applied };
  }

  // ——— when partitions rejoin ———

  #merge({ chain, applied }: Fork): void {
    const { main } = this;
    const { nodes } = chain;
    const conflicts = this.#conflictsWith(chain);
    const divergedAt = this.#divergedAt(chain);
    main.merge(chain);
    if (divergedAt === undefined) this.#follow(chain, applied);
    for (const votes of conflicts) {
      const voter = nodes.find((node) => equal(node.consensusAddress, votes[0].validatorAddress));
      if (voter !== undefined) main.noteEquivocation(voter, votes);
    }
    // Nodes gossip their pending evidence; the pool refuses evidence that is invalid on the main
    // chain.
    for (const evidence of chain.ledger.pool.pending) main.ledger.submit(evidence);
    if (divergedAt === undefined) return;
    for (const node of nodes) if (storedHeight(node) >= divergedAt) this.#orphan(node, chain);
  }

  #conflictsWith(chain: Network): readonly (readonly [Vote, Vote])[] {
    const { main, common } = this;
    const latest = Math.max(main.ledger.decided, chain.ledger.decided);
    const heights = Array.from({ length: latest - common }, (_, i) => common + 1 + i);
    return heights.flatMap((height) =>
      conflictsAt(this.#config.chainId, height, main, chain, (address) =>
        this.#records.secretOf(address),
      ),
    );
  }

  /** First height with two different blocks; undefined if one chain extends the other. */
  #divergedAt({ ledger }: Network): number | undefined {
    const [ours, theirs] = [this.main.ledger.blocks, ledger.blocks];
    for (let height = this.common + 1; ours.has(height) && theirs.has(height); height++) {
      if (!equal(ours.blockIdAt(height).hash, theirs.blockIdAt(height).hash)) return height;
    }
    return undefined;
  }

  /** Extends the main chain with a fork's blocks, if it has more of them. */
  #follow(chain: Network, applied: AppliedRuns): void {
    const { ledger } = this.main;
    const { committed } = ledger;
    if (chain.ledger.decided <= ledger.decided) return;
    const { pending } = ledger.pool;
    this.main.restore(chain.snapshot());
    for (const evidence of pending) ledger.submit(evidence);
    for (const block of applied.above(committed)) this.#onCommit(block);
  }

  /**
   * Marks a node of the weaker fork; it halts at the next header of the main chain (rules/consensus
   * 5.5).
   */
  #orphan(node: Node, chain: Network): void {
    const { main } = this;
    const height = Math.min(storedHeight(node), main.ledger.decided);
    const idIn = ({ ledger }: Network): string => blockIdText(ledger.blocks.blockIdAt(height));
    const mismatch = {
      kind: "wrong_last_block_id",
      expected: idIn(chain),
      got: idIn(main),
    } as const;
    node.orphan(mismatch);
    if (node.process === "running") this.#records.halt([node], height + 1, mismatch, "halted");
  }
}

const NO_OTHER_FORKS = { nodes: [], common: undefined };

/**
 * Height of a node's block store: a node that stopped because of a block has stored but not applied
 * it.
 */
function storedHeight({ process, applied, blocksLost }: Node): number {
  const storedOneMore = (process === "halted" || process === "exited") && !blocksLost;
  return storedOneMore ? applied.height + 1 : applied.height;
}
