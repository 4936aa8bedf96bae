import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type CountsOfWorks, countIn } from "./counted.ts";

/** Of a transaction in a block of twenty, or of a quiet block. Fewer is better: write it here. */
const COUNTS: CountsOfWorks = {
  quiet: {
    hashes: 15,
    "hashes not in place": 1,
    "tree nodes made": 0,
    "key comparisons": 55,
    encodes: 0,
    decodes: 0,
    "bech32 encodes": 0,
    "arrays joined": 0,
  },
  send: {
    hashes: 20.1,
    "hashes not in place": 1.15,
    "tree nodes made": 20.385,
    "key comparisons": 45.2,
    encodes: 3,
    decodes: 2,
    "bech32 encodes": 4,
    "arrays joined": 0.05,
  },
  delegate: {
    hashes: 35.815,
    "hashes not in place": 1.25,
    "tree nodes made": 69.935,
    "key comparisons": 165.195,
    encodes: 5,
    decodes: 2,
    "bech32 encodes": 7,
    "arrays joined": 0.1,
  },
  undelegate: {
    hashes: 53.14,
    "hashes not in place": 1.25,
    "tree nodes made": 126.83,
    "key comparisons": 447.87,
    encodes: 6.05,
    decodes: 2,
    "bech32 encodes": 15,
    "arrays joined": 0.1,
  },
  vote: {
    hashes: 13.9,
    "hashes not in place": 1.15,
    "tree nodes made": 16.82,
    "key comparisons": 35.05,
    encodes: 4,
    decodes: 2,
    "bech32 encodes": 2,
    "arrays joined": 3.1,
  },
};

test("a block does what is written here, no more and no less, on every machine", async () => {
  const counts = await countIn(fileURLToPath(new URL("../..", import.meta.url)));
  // A renamed function would have a count of 0.
  for (const [what, often] of Object.entries(counts.send))
    expect(often, `${what} are found`).toBeGreaterThan(0);
  expect(counts).toEqual(COUNTS);
});
