import type { Position } from "../saved.ts";
import { superfluous } from "./keyframes.ts";
import { keyframeKey } from "./keys.ts";

/** Bytes of keyframes that stay in memory. */
const KEPT_BYTES = 8 << 20;

export interface Recent extends Position {
  readonly simulation: Uint8Array;
  readonly observer: Uint8Array;
}

/** Keyframes in memory: from them the past comes back where nothing is stored, or cannot be waited for. */
export class RecentKeyframes {
  /** Ascending. */
  #kept: readonly Recent[] = [];

  add({ rounds, entries }: Position, simulation: Uint8Array, observer: Uint8Array): void {
    const all = [...this.#kept, { rounds, entries, simulation, observer }];
    const keys = all.map((one) => keyframeKey(one, sizeOf(one), 0));
    const removed = superfluous(keys, KEPT_BYTES);
    let kept = all.filter((_, i) => !removed.includes(keys[i] as (typeof keys)[number]));
    const bytes = () => kept.reduce((sum, one) => sum + sizeOf(one), 0);
    while (kept.length > 1 && bytes() > KEPT_BYTES) kept = kept.slice(1);
    this.#kept = kept;
  }

  /** Takes over those of another history up to a moment that both have in common. */
  share({ rounds, entries }: Position, other: RecentKeyframes): void {
    this.#kept = other.#kept.filter((one) => one.rounds <= rounds && one.entries <= entries);
  }

  /** Rounds of the newest one up to a round; 0 if there is none. */
  newest(rounds: number): number {
    return this.#kept.findLast((one) => one.rounds <= rounds)?.rounds ?? 0;
  }

  /**
   * The world of the newest keyframe up to a round that can be used.
   * @param make reads it; undefined if it cannot be used, as when it throws
   */
  below<T>(rounds: number, make: (keyframe: Recent) => T | undefined): T | undefined {
    for (const one of this.#kept.toReversed()) {
      if (one.rounds > rounds) continue;
      try {
        const made = make(one);
        if (made !== undefined) return made;
      } catch {
        // An older one, or the beginning, gives the same.
      }
    }
    return undefined;
  }
}

const sizeOf = ({ simulation, observer }: Recent): number => simulation.length + observer.length;
