import { expect, test } from "vitest";
import { TestChain, testAddress } from "../../framework/testing.ts";
import {
  clearMissedBlocks,
  hasMissed,
  missedBlocks,
  setMissed,
  withMissedBlocks,
} from "./missed-blocks.ts";

const a = testAddress("a");
const b = testAddress("b");

test("a chunk is the bitset's binary form: 1024, then big-endian words, bit 0 in the last byte of the first", () => {
  const chain = new TestChain("slashing");
  setMissed(chain.block(), a, 0, true);
  setMissed(chain.block(), a, 65, true);
  const [value] = Object.values(chain.dump("slashing"));
  expect(value).toBe(`00000000000004000000000000000001${"0000000000000002"}${"00".repeat(112)}`);
});

test("the chunk's number in the key is little-endian", () => {
  const chain = new TestChain("slashing");
  setMissed(chain.block(), a, 1024 * 258, true);
  expect(Object.keys(chain.dump("slashing"))[0]).toMatch(/^0214.{40}0201000000000000$/);
  expect([...missedBlocks(chain.block(), a)]).toEqual([1024 * 258]);
});

test("bits are set and cleared one by one, and an empty chunk is not kept", () => {
  const chain = new TestChain("slashing");
  const ctx = chain.block();
  for (const index of [3, 1023, 1024, 5000]) setMissed(ctx, a, index, true);
  setMissed(ctx, b, 3, true);
  expect([...missedBlocks(ctx, a)]).toEqual([3, 1023, 1024, 5000]);
  expect([...withMissedBlocks(ctx)]).toEqual([a, b]);
  setMissed(ctx, a, 3, false);
  expect(hasMissed(ctx, a, 3)).toBe(false);
  expect(hasMissed(ctx, a, 1023)).toBe(true);
  clearMissedBlocks(ctx, a);
  expect([...withMissedBlocks(ctx)]).toEqual([b]);
  setMissed(ctx, b, 3, false);
  expect(chain.dump("slashing")).toEqual({});
});
