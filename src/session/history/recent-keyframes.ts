import { readPack } from "../../engine/simulation/keyframe/keyframe-pack.ts";
import type { Position } from "../saved.ts";
import { type CompleteKeyframe, superfluous } from "./keyframes.ts";
import { keyframeKey } from "./keys.ts";

/** Maximum bytes of keyframes in memory, with their trees. */
const MAX_BYTES = 4 << 20;

/** A keyframe, and the bytes of its pack: the most compact form. */
interface Recent extends Position, Omit<CompleteKeyframe, "pack"> {
  readonly pack: Uint8Array;
}

/**
 * Keyframes in memory: they restore history where nothing is stored, or the storage cannot be
 * awaited.
 */
export class RecentKeyframes {
  /** Ascending. */
  #recent: readonly Recent[] = [];

  add(keyframe: Recent): void {
    const all = [...this.#recent, keyframe];
    const keys = all.map((one) => keyframeKey(one, sizeOf(one), 0));
    const removed = superfluous(keys, [], MAX_BYTES);
    let recent = all.filter((_, i) => !removed.includes(keys[i] as (typeof keys)[number]));
    while (recent.length > 1 && sizeOfAll(recent) > MAX_BYTES) recent = recent.slice(1);
    this.#recent = recent;
  }

  /** Copies the keyframes of another history up to a moment that both share. */
  share({ rounds, entries }: Position, other: RecentKeyframes): void {
    this.#recent = other.#recent.filter((one) => one.rounds <= rounds && one.entries <= entries);
  }

  /** Rounds of the newest one up to a round; 0 if there is none. */
  newest(rounds: number): number {
    return this.#recent.findLast((one) => one.rounds <= rounds)?.rounds ?? 0;
  }

  /**
   * The world of the newest usable keyframe up to a round.
   * @param make reads it; if it throws or returns undefined, the keyframe is unusable
   */
  below<T>(rounds: number, make: (keyframe: CompleteKeyframe) => T | undefined): T | undefined {
    for (const one of this.#recent.toReversed()) {
      if (one.rounds > rounds) continue;
      try {
        const made = make({ ...one, pack: readPack(one.pack) });
        if (made !== undefined) return made;
      } catch {
        // An older one, or the genesis, leads to the same world.
      }
    }
    return undefined;
  }
}

function sizeOfAll(keyframes: readonly Recent[]): number {
  const packs = new Set(keyframes.map(({ pack }) => pack));
  const shared = [...packs].reduce((sum, pack) => sum + pack.length, 0);
  return keyframes.reduce((sum, one) => sum + sizeOf(one), shared);
}

const sizeOf = ({ simulation, observer }: Recent): number => simulation.length + observer.length;
