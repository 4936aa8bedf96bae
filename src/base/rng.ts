/**
 * Seeded randomness: the only source of randomness in a simulation, so the same seed gives the same
 * world.
 */
import { concat, utf8 } from "./bytes.ts";
import { sha256 } from "./sha256.ts";

/** Plain data: store it, copy it, and continue later with `Rng.from`. */
export interface RngState {
  readonly seed: Uint8Array;
  readonly words: readonly [number, number, number, number];
}

/** sfc32: small, fast, and passes the usual statistical batteries. Not for secrets. */
export class Rng {
  private readonly seed: Uint8Array;
  private a: number;
  private b: number;
  private c: number;
  private counter: number;

  private constructor(state: RngState) {
    this.seed = state.seed;
    [this.a, this.b, this.c, this.counter] = state.words;
  }

  static seeded(seed: string | number | bigint): Rng {
    return Rng.of(sha256(utf8(String(seed))));
  }

  static from(state: RngState): Rng {
    return new Rng(state);
  }

  private static of(seed: Uint8Array): Rng {
    const view = new DataView(seed.buffer, seed.byteOffset, seed.byteLength);
    const words = [view.getUint32(0), view.getUint32(4), view.getUint32(8), 1] as const;
    return new Rng({ seed, words });
  }

  get state(): RngState {
    return { seed: this.seed, words: [this.a, this.b, this.c, this.counter] };
  }

  /**
   * Returns an independent generator for one purpose. It depends only on this one's seed and the
   * label, not on earlier draws, so new draws in one place change nothing elsewhere.
   */
  fork(label: string): Rng {
    return Rng.of(sha256(concat(this.seed, utf8(label))));
  }

  nextU32(): number {
    const out = (this.a + this.b + this.counter) >>> 0;
    this.counter = (this.counter + 1) >>> 0;
    this.a = (this.b ^ (this.b >>> 9)) >>> 0;
    this.b = (this.c + (this.c << 3)) >>> 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + out) >>> 0;
    return out;
  }

  /** Uniform in [0, 1) with 53 bits. */
  nextFloat(): number {
    return ((this.nextU32() >>> 5) * 0x4000000 + (this.nextU32() >>> 6)) / 0x20000000000000;
  }

  /** Uniform integer in [0, n), for 1 ≤ n ≤ 2^32. */
  int(n: number): number {
    if (!Number.isInteger(n) || n < 1 || n > 0x100000000) throw new RangeError(`int(${n})`);
    // Values beyond the last complete multiple of n would favour small results: draw again.
    const usable = 0x100000000 - (0x100000000 % n);
    let word = this.nextU32();
    while (word >= usable) word = this.nextU32();
    return word % n;
  }

  bytes(n: number): Uint8Array {
    const out = new Uint8Array(n);
    let word = 0;
    for (let i = 0; i < n; i++) {
      word = i % 4 === 0 ? this.nextU32() : word >>> 8;
      out[i] = word & 0xff;
    }
    return out;
  }
}
