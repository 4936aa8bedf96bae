import type { Node } from "../node/node.ts";

/**
 * Which blocks have been delivered to which partition: all of them while the network is whole; in a
 * partitioned network those before the partition, and the partition's own.
 */
export class Reachability {
  /** The latest height delivered to each partition. */
  #delivered: Map<number, number>;

  /** @param height the latest block, which every node has */
  constructor(height: number) {
    this.#delivered = new Map([[0, height]]);
  }

  /** What a keyframe holds of it. */
  get kept() {
    return [this.#delivered] as const;
  }
  set kept(kept) {
    [this.#delivered] = kept;
  }

  /** Sets the partitions to those of these nodes; every one has been delivered the latest block. */
  begin(nodes: readonly Node[], height: number): void {
    this.#delivered = new Map(nodes.map(({ partition }) => [partition, height]));
  }

  deliver(partition: number, height: number): void {
    this.#delivered.set(partition, height);
  }

  /** The latest height delivered to a partition; undefined if there is no such partition. */
  latestDelivered(partition: number): number | undefined {
    return this.#delivered.get(partition);
  }

  /** Whether a node runs to which blocks were delivered that it has not applied. */
  isBehind({ process, applied, partition }: Node): boolean {
    return process === "running" && applied.height < (this.#delivered.get(partition) ?? 0);
  }
}
