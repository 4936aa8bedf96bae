/**
 * A set of validators (or nodes) as one bit per index, in 32-bit words: a thousand signers are 125
 * bytes, and every operation is O(size / 32).
 */
export class Bitset {
  readonly size: number;
  readonly words: Uint32Array;

  constructor(size: number, words: Uint32Array = new Uint32Array(Math.ceil(size / 32))) {
    this.size = size;
    this.words = words;
  }

  static full(size: number): Bitset {
    const set = new Bitset(size);
    set.words.fill(0xffffffff);
    const rest = size % 32;
    if (rest !== 0) set.words[set.words.length - 1] = 2 ** rest - 1;
    return set;
  }

  static of(size: number, indices: Iterable<number>): Bitset {
    const set = new Bitset(size);
    for (const index of indices) set.set(index);
    return set;
  }

  get(index: number): boolean {
    return (((this.words[index >>> 5] ?? 0) >>> (index & 31)) & 1) === 1;
  }

  /** Throws RangeError outside 0…size−1, so that there are no bits beyond the last validator. */
  set(index: number, value = true): void {
    if (!(index >= 0 && index < this.size)) throw new RangeError(`no bit ${index} in ${this.size}`);
    const word = index >>> 5;
    const bit = 1 << (index & 31);
    const old = this.words[word] ?? 0;
    this.words[word] = value ? old | bit : old & ~bit;
  }

  count(): number {
    let total = 0;
    for (const word of this.words) total += popCount(word);
    return total;
  }

  isEmpty(): boolean {
    return this.words.every((word) => word === 0);
  }

  isFull(): boolean {
    return this.count() === this.size;
  }

  /** Calls `visit` with every index in the set, ascending. */
  forEach(visit: (index: number) => void): void {
    for (let w = 0; w < this.words.length; w++) {
      for (let word = this.words[w] ?? 0; word !== 0; word &= word - 1) {
        visit(w * 32 + 31 - Math.clz32(word & -word));
      }
    }
  }

  /** Sum of `weights` over the set, such as the voting power of the signers. */
  weigh(weights: Float64Array): number {
    let total = 0;
    for (let w = 0; w < this.words.length; w++) {
      for (let word = this.words[w] ?? 0; word !== 0; word &= word - 1) {
        total += weights[w * 32 + 31 - Math.clz32(word & -word)] ?? 0;
      }
    }
    return total;
  }

  union(other: Bitset): Bitset {
    return new Bitset(
      this.size,
      this.words.map((word, i) => word | (other.words[i] ?? 0)),
    );
  }

  difference(other: Bitset): Bitset {
    return new Bitset(
      this.size,
      this.words.map((word, i) => word & ~(other.words[i] ?? 0)),
    );
  }

  equal(other: Bitset): boolean {
    return this.size === other.size && this.words.every((word, i) => word === other.words[i]);
  }

  copy(): Bitset {
    return new Bitset(this.size, this.words.slice());
  }

  /** ⌈size / 8⌉: number of bytes written by `writeBytes`. */
  get byteLength(): number {
    return Math.ceil(this.size / 8);
  }

  /** Writes the set at an offset of an array, index 0 in the lowest bit of the first byte. */
  writeBytes(target: Uint8Array, at: number): void {
    for (let i = 0; i < this.byteLength; i++) {
      target[at + i] = (this.words[i >>> 2] ?? 0) >>> (8 * (i & 3));
    }
  }
}

function popCount(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
