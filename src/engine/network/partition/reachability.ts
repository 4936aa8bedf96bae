import type { Node } from "../node/node.ts";

/**
 * Blocks delivered to each partition: all blocks while the network is not partitioned; in a
 * partitioned network the blocks before the partition, and the partition's own.
 */
export class Reachability {
  /** Latest height delivered to each partition. */
  #delivered: Map<number, number>;

  /** @param height of the latest block, which every node has */
  constructor(height: number) {
    this.#delivered = new Map([[0, height]]);
  }

  /** State stored in keyframes. */
  get persisted() {
    return [this.#delivered] as const;
  }
  set persisted(persisted) {
    [this.#delivered] = persisted;
  }

  /** Sets the partitions to those of these nodes; each has received the latest block. */
  begin(nodes: readonly Node[], height: number): void {
    this.#delivered = new Map(nodes.map(({ partition }) => [partition, height]));
  }

  deliver(partition: number, height: number): void {
    this.#delivered.set(partition, height);
  }

  /** Latest height delivered to a partition; undefined if there is no such partition. */
  latestDelivered(partition: number): number | undefined {
    return this.#delivered.get(partition);
  }

  /** Returns true if a node is running and has not applied all blocks delivered to it. */
  isBehind({ process, applied, partition }: Node): boolean {
    return process === "running" && applied.height < (this.#delivered.get(partition) ?? 0);
  }
}
