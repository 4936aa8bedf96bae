import type { ModuleStep } from "../../app/steps.ts";
import type { HaltCause } from "../../framework/halt.ts";
import { BoundedLog } from "../../primitives/bounded-log.ts";
import type { Node } from "./node.ts";

/** Nodes that stopped over a block, and the decisions that led there. `seq` grows over the whole world. */
export interface Halt {
  readonly seq: number;
  readonly height: number;
  readonly nodes: readonly Node[];
  readonly cause: HaltCause;
  readonly steps: readonly ModuleStep[];
}

/**
 * Maximum number of halts in memory: halts are rare, but a node can fail to start any number of
 * times.
 */
const CAPACITY = 500;

/** The latest halts, oldest first: the only record of the decisions in a block that was never applied. */
export class Halts {
  readonly #halts = new BoundedLog<Halt>(CAPACITY);

  /** State stored in keyframes. */
  get kept() {
    return this.#halts.kept;
  }
  set kept(kept) {
    this.#halts.kept = kept;
  }

  record(halt: Omit<Halt, "seq">): void {
    this.#halts.push({ ...halt, seq: this.#halts.seq + 1 });
  }

  /** Those after a sequence number, oldest first; costs only what it returns. */
  since(seq: number): readonly Halt[] {
    return this.#halts.since(seq);
  }
}
