import type { ModuleStep } from "../../app/steps.ts";
import type { HaltCause } from "../../framework/halt.ts";
import type { Node } from "./node.ts";

/** Nodes that stopped over a block, and the decisions that led there. `seq` grows over the whole world. */
export interface Halt {
  readonly seq: number;
  readonly height: number;
  readonly nodes: readonly Node[];
  readonly cause: HaltCause;
  readonly steps: readonly ModuleStep[];
}

/** How many are kept: halts are rare, but a node can fail to start any number of times. */
const CAPACITY = 500;

/** The newest halts, oldest first. They are the only record of the decisions in a block that was never applied. */
export class Halts {
  #halts: Halt[] = [];
  #seq = 0;

  record(halt: Omit<Halt, "seq">): void {
    this.#seq += 1;
    this.#halts.push({ ...halt, seq: this.#seq });
    if (this.#halts.length > 2 * CAPACITY) this.#halts = this.#halts.slice(-CAPACITY);
  }

  /** Those after a sequence number, oldest first; costs only what it returns. */
  since(seq: number): readonly Halt[] {
    const first = this.#seq - this.#halts.length;
    return this.#halts.slice(Math.max(seq - first, 0));
  }
}
