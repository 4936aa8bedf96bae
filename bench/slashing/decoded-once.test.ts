import { expect, test, vi } from "vitest";
import { Leaf } from "../../src/engine/store/node.ts";
import { SlashingWorld } from "./world.ts";

test("a slash reads no record by two codecs, so that none is decoded a second time", () => {
  const world = new SlashingWorld({ offender: 20, others: 0 });
  const readBy = new Map<Leaf, Set<unknown>>();
  const { read } = Leaf.prototype;
  const spy = vi.spyOn(Leaf.prototype, "read").mockImplementation(function (this: Leaf, codec) {
    readBy.set(this, (readBy.get(this) ?? new Set()).add(codec));
    return read.call(this, codec) as never;
  });
  world.punish();
  spy.mockRestore();
  // Each entry that leaves is a record, and what its delegator has at the destination is one.
  expect(readBy.size).toBeGreaterThan(40);
  expect([...readBy.values()].filter((codecs) => codecs.size > 1)).toEqual([]);
});
