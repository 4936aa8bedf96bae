import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Bitset } from "./bitset.ts";

const sized = fc.integer({ min: 0, max: 130 }).chain((size) => {
  const members = fc.uniqueArray(fc.nat(Math.max(0, size - 1)), { maxLength: size });
  return fc.record({ size: fc.constant(size), a: members, b: members });
});

const listed = (bits: Bitset): number[] => {
  const out: number[] = [];
  bits.forEach((i) => {
    out.push(i);
  });
  return out;
};

describe("a bitset", () => {
  test("behaves as a set of numbers", () => {
    fc.assert(
      fc.property(sized, ({ size, a, b }) => {
        const [left, right] = [Bitset.of(size, a), Bitset.of(size, b)];
        const [as, bs] = [new Set(a), new Set(b)];
        const sorted = (s: Set<number>): number[] => [...s].sort((x, y) => x - y);
        expect(listed(left)).toEqual(sorted(as));
        expect(left.count()).toBe(as.size);
        expect(listed(left.union(right))).toEqual(sorted(new Set([...a, ...b])));
        expect(listed(left.difference(right))).toEqual(
          sorted(new Set(a.filter((i) => !bs.has(i)))),
        );
        expect(left.equal(right)).toBe(as.size === bs.size && a.every((i) => bs.has(i)));
        expect(left.isEmpty()).toBe(as.size === 0);
        expect(left.isFull()).toBe(as.size === size);
        const weights = Float64Array.from({ length: size }, (_, i) => i + 1);
        expect(left.weigh(weights)).toBe(a.reduce((sum, i) => sum + i + 1, 0));
        for (let i = 0; i < size; i++) expect(left.get(i)).toBe(as.has(i));
      }),
    );
  });

  test("full has every bit and none beyond", () => {
    for (const size of [0, 1, 31, 32, 33, 64, 100]) {
      expect(listed(Bitset.full(size))).toEqual(Array.from({ length: size }, (_, i) => i));
    }
  });

  test("clears bits, copies, and refuses what is outside", () => {
    const bits = Bitset.of(40, [0, 33]);
    const copy = bits.copy();
    bits.set(33, false);
    expect(listed(bits)).toEqual([0]);
    expect(listed(copy)).toEqual([0, 33]);
    expect(() => bits.set(40)).toThrow(RangeError);
    expect(() => bits.set(-1)).toThrow(RangeError);
  });

  test("as bytes begins with the lowest bit of the first byte", () => {
    const set = Bitset.of(41, [0, 9, 31, 32, 40]);
    const bytes = new Uint8Array(set.byteLength + 2).fill(7);
    set.writeBytes(bytes, 1);
    expect([...bytes]).toEqual([7, 1, 2, 0, 128, 1, 1, 7]);
  });
});
