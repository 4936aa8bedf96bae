import { BoundedLog } from "../../../base/bounded-log.ts";
import type { ModuleStep } from "../../app/steps.ts";
import type { HaltCause } from "../../framework/halt.ts";
import type { Node } from "./node.ts";

/**
 * Nodes that stopped because of a block, and the decisions that led to it. `seq` increases across
 * the whole world.
 */
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

/**
 * Latest halts, oldest first: the only record of the decisions in a block that was never applied.
 */
export class Halts {
  readonly #halts = new BoundedLog<Halt>(CAPACITY);

  /** State stored in keyframes. */
  get persisted() {
    return this.#halts.persisted;
  }
  set persisted(persisted) {
    this.#halts.persisted = persisted;
  }

  record(halt: Omit<Halt, "seq">): void {
    this.#halts.push({ ...halt, seq: this.#halts.seq + 1 });
  }

  /** Halts after a sequence number, oldest first; the cost is proportional to the result. */
  since(seq: number): readonly Halt[] {
    return this.#halts.since(seq);
  }
}
