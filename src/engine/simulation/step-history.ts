import type { ModuleStep } from "../app/steps.ts";
import { type PackedEntries, PackedLog } from "../primitives/packed-log.ts";

/** How many eventful blocks keep their steps, those that decided on evidence longest. */
const KEPT = 500;

type Steps = readonly ModuleStep[];

const NONE: Steps = [];

/** The decisions of the newest eventful blocks, by height. */
export class StepHistory {
  #steps = new Map<number, Steps>();
  /** The first of them as packed bytes: each is packed once, for the first keyframe that has it. */
  #packed = new PackedLog();
  /** Whether those that are packed are read. */
  #isRead = true;

  /** What a keyframe holds of it. */
  get kept(): PackedEntries {
    const last = this.#packed.numbers.at(-1) ?? Number.NEGATIVE_INFINITY;
    for (const [height, steps] of this.#steps) {
      if (height > last) this.#packed.add(height, steps);
    }
    return this.#packed.entries();
  }
  set kept(kept) {
    this.#steps = new Map();
    this.#packed = PackedLog.resume(kept);
    this.#isRead = false;
  }

  /** Adds the steps of the newest block. */
  add(height: number, steps: Steps): void {
    this.#steps.set(height, steps);
    const unread = this.#isRead ? 0 : this.#packed.numbers.length;
    if (unread + this.#steps.size <= 2 * KEPT) return;
    const old = [...this.all].slice(0, KEPT);
    const others = old.filter(([, kept]) => kept.every(({ item }) => item === undefined));
    for (const [at] of others.length > 0 ? others : old) this.#steps.delete(at);
    this.#packed = new PackedLog();
  }

  /** What a block decided; nothing for one that is not remembered. */
  at(height: number): Steps {
    const known = this.#steps.get(height);
    if (known !== undefined || this.#isRead) return known ?? NONE;
    return (this.#packed.at(height) as Steps | undefined) ?? NONE;
  }

  get all(): ReadonlyMap<number, Steps> {
    if (!this.#isRead) {
      const packed = this.#packed.numbers.map(
        (height) => [height, this.#packed.at(height)] as const,
      );
      this.#steps = new Map([...(packed as [number, Steps][]), ...this.#steps]);
      this.#isRead = true;
    }
    return this.#steps;
  }
}
