import type { Ledger } from "../chain/ledger.ts";
import type { Node } from "../node/node.ts";
import type { ChainSnapshot } from "./chain-snapshot.ts";
import { rivalParts } from "./competing-partitions.ts";

/**
 * Who has heard of which blocks. While everyone hears everyone, that is all of them; a part of a cut network has heard
 * of those before the cut, and of its own.
 */
export class Reachability {
  /** The last decided height that each part has heard of. */
  #heard: Map<number, number>;
  /** Where the chain stood when the network was cut. */
  #cut: ChainSnapshot | undefined;
  /** The last state of the machines in which no part could decide besides the main one. */
  #peace = -1;

  /** @param height the newest block, which everybody knows */
  constructor(height: number) {
    this.#heard = new Map([[0, height]]);
  }

  /** The parts are those of these nodes from now on, and have all heard of the newest block. */
  begin(nodes: readonly Node[], height: number): void {
    this.#heard = new Map(nodes.map(({ partition }) => [partition, height]));
  }

  /** Notes what a part that does not hear the others goes on from; undefined if everyone hears everyone. */
  cut(at: ChainSnapshot | undefined): void {
    this.#cut = at;
    this.#peace = -1;
  }

  /** Height of the newest block when the network was cut; undefined while everyone hears everyone. */
  get cutAt(): number | undefined {
    return this.#cut?.ledger.decided;
  }

  hear(partition: number, height: number): void {
    this.#heard.set(partition, height);
  }

  /** Whether a node runs that has heard of blocks which it has not applied. */
  isBehind({ process, applied, partition }: Node): boolean {
    return process === "running" && applied.height < (this.#heard.get(partition) ?? 0);
  }

  /** Where the chain stood as far as a part has heard of it; undefined if it has heard of everything. */
  lastHeard(partition: number, { decided }: Ledger): ChainSnapshot | undefined {
    return this.#heard.get(partition) === decided ? undefined : this.#cut;
  }

  /**
   * Parts that could decide besides the one that the chain goes on with. Looks again only when something
   * has changed.
   * @param changes grows with every change of a machine
   */
  rivals(
    nodes: readonly Node[],
    own: number | undefined,
    ledger: Ledger,
    changes: number,
  ): readonly number[] {
    if (this.#cut === undefined || this.#peace === changes) return [];
    const rivals = rivalParts(
      nodes,
      own,
      (partition) => this.lastHeard(partition, ledger)?.ledger ?? ledger,
    );
    if (rivals.length === 0) this.#peace = changes;
    return rivals;
  }
}
