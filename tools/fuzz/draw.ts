import { Rng } from "../../src/base/rng.ts";

/** Draws from a seed: the same seed gives the same case, anywhere. */
export class Draw {
  readonly #rng: Rng;

  constructor(seed: string) {
    this.#rng = Rng.seeded(seed);
  }

  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + this.#rng.int(most - least + 1);
  }

  chance(probability: number): boolean {
    return this.#rng.nextFloat() < probability;
  }

  /** One of the items; throws for none. */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new Error("nothing to draw from");
    return items[this.#rng.int(items.length)] as T;
  }

  /** Some of the items, at least one if there is any, in their order. */
  some<T>(items: readonly T[]): T[] {
    if (items.length === 0) return [];
    const drawn = items.filter(() => this.chance(0.4));
    return drawn.length > 0 ? drawn : [this.pick(items)];
  }

  /** One of the values, as often as its weight says. */
  weighted<T>(choices: readonly (readonly [weight: number, value: T])[]): T {
    let left = this.between(
      1,
      choices.reduce((sum, [weight]) => sum + weight, 0),
    );
    for (const [weight, value] of choices) {
      left -= weight;
      if (left <= 0) return value;
    }
    throw new Error("nothing to draw from");
  }

  bytes(length: number): Uint8Array {
    return this.#rng.bytes(length);
  }
}
