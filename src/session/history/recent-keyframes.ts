import type { Position } from "../saved.ts";
import { superfluous } from "./keyframes.ts";
import { keyframeKey } from "./keys.ts";

/** Bytes of keyframes that stay in memory. */
const KEPT_BYTES = 8 << 20;

interface Recent extends Position {
  readonly simulation: Uint8Array;
}

/** Keyframes in memory: from them the past comes back where nothing is stored, or cannot be waited for. */
export class RecentKeyframes {
  /** Ascending. */
  #kept: readonly Recent[] = [];

  add({ rounds, entries }: Position, simulation: Uint8Array): void {
    const all = [...this.#kept, { rounds, entries, simulation }];
    const keys = all.map((one) => keyframeKey(one, one.simulation.length));
    const removed = superfluous(keys);
    let kept = all.filter((_, i) => !removed.includes(keys[i] as (typeof keys)[number]));
    const bytes = () => kept.reduce((sum, one) => sum + one.simulation.length, 0);
    while (kept.length > 1 && bytes() > KEPT_BYTES) kept = kept.slice(1);
    this.#kept = kept;
  }

  /**
   * The world of the newest keyframe up to a round that can be used.
   * @param make reads it; undefined if it cannot be used, as when it throws
   */
  below<T>(rounds: number, make: (simulation: Uint8Array) => T | undefined): T | undefined {
    for (const one of this.#kept.toReversed()) {
      if (one.rounds > rounds) continue;
      try {
        const made = make(one.simulation);
        if (made !== undefined) return made;
      } catch {
        // An older one, or the beginning, gives the same.
      }
    }
    return undefined;
  }
}
