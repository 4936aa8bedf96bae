import { type PackedEntries, PackedLog } from "../../base/packed-log.ts";
import type { ModuleStep } from "../app/steps.ts";

/**
 * Number of eventful blocks whose steps are stored; blocks that decided on evidence are evicted
 * last.
 */
const MAX_BLOCKS = 500;

type Steps = readonly ModuleStep[];

const NONE: Steps = [];

/** The decisions of the newest eventful blocks, by height. */
export class StepHistory {
  /** Steps by height; undefined if not decoded yet. */
  #steps = new Map<number, Steps | undefined>();
  /**
   * The oldest entries as packed bytes: each is packed once, for the first keyframe that contains
   * it.
   */
  #packed = new PackedLog();

  /** State stored in keyframes. */
  get persisted(): PackedEntries {
    const last = this.#packed.numbers.at(-1) ?? -1;
    for (const [height, steps] of this.#steps) if (height > last) this.#packed.add(height, steps);
    return this.#packed.entries();
  }
  set persisted(persisted) {
    this.#steps = new Map(persisted.numbers.map((height) => [height, undefined]));
    this.#packed = PackedLog.resume(persisted);
  }

  /** Adds the steps of the newest block. */
  add(height: number, steps: Steps): void {
    this.#steps.set(height, steps);
    if (this.#steps.size <= 2 * MAX_BLOCKS) return;
    const old = [...this.all].slice(0, MAX_BLOCKS);
    const others = old.filter(([, stored]) => stored.every(({ item }) => item === undefined));
    for (const [at] of others.length > 0 ? others : old) this.#steps.delete(at);
    this.#packed = new PackedLog();
  }

  /** Returns the steps of a block; none if they were evicted. */
  at(height: number): Steps {
    return this.#steps.get(height) ?? (this.#packed.at(height) as Steps | undefined) ?? NONE;
  }

  get all(): ReadonlyMap<number, Steps> {
    for (const [height, steps] of this.#steps) if (!steps) this.#steps.set(height, this.at(height));
    return this.#steps as ReadonlyMap<number, Steps>;
  }
}
