import fc from "fast-check";
import { expect, test } from "vitest";
import { toHex } from "./bytes.ts";
import { Rng } from "./rng.ts";

const draws = (rng: Rng, n = 5) => Array.from({ length: n }, () => rng.nextU32());

test("the same seed gives the same numbers, another seed others", () => {
  expect(draws(Rng.seeded("a"))).toEqual(draws(Rng.seeded("a")));
  expect(draws(Rng.seeded("a"))).not.toEqual(draws(Rng.seeded("b")));
});

test("the numbers of a seed never change between versions", () => {
  const rng = Rng.seeded(1);
  expect({ words: draws(rng, 3), bytes: toHex(rng.bytes(6)) }).toMatchInlineSnapshot(`
    {
      "bytes": "6a1dd43fc354",
      "words": [
        1790685013,
        2282940767,
        2710447215,
      ],
    }
  `);
});

test("a copied state continues where the original stood", () => {
  const rng = Rng.seeded(7);
  draws(rng, 3);
  const copy = Rng.from(structuredClone(rng.state));
  expect(draws(copy)).toEqual(draws(rng));
  expect(draws(copy.fork("x"))).toEqual(draws(rng.fork("x")));
});

test("a fork depends on seed and label, not on what was drawn", () => {
  const rng = Rng.seeded(7);
  const before = draws(rng.fork("votes"));
  draws(rng);
  expect(draws(rng.fork("votes"))).toEqual(before);
  expect(draws(rng.fork("delays"))).not.toEqual(before);
  expect(draws(Rng.seeded(8).fork("votes"))).not.toEqual(before);
});

test("int stays below its bound and reaches all values; floats stay in [0, 1)", () => {
  const rng = Rng.seeded(3);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 32 }), (n) => {
      const drawn = rng.int(n);
      expect(Number.isInteger(drawn) && drawn >= 0 && drawn < n).toBe(true);
      const float = rng.nextFloat();
      expect(float >= 0 && float < 1).toBe(true);
    }),
  );
  expect(new Set(Array.from({ length: 200 }, () => rng.int(5)))).toEqual(new Set([0, 1, 2, 3, 4]));
  expect(() => rng.int(0)).toThrow(RangeError);
});

test("draws spread evenly", () => {
  const rng = Rng.seeded("even");
  const counts = new Array<number>(10).fill(0);
  for (let i = 0; i < 10_000; i++) {
    const slot = Math.floor(rng.nextFloat() * 10);
    counts[slot] = (counts[slot] ?? 0) + 1;
  }
  for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});
