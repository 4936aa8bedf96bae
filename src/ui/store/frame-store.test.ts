import { expect, test } from "vitest";
import { frameOf } from "../testing.ts";
import { afterFrame, createFrameStore, type FrameState, withMine } from "./frame-store.ts";

const EMPTY = createFrameStore().getState();

const cells = (...heights: number[]) => heights.map((height) => ({ height, binary: 0, marks: 0 }));
const after = (world: FrameState, frame: Parameters<typeof frameOf>[0]): FrameState => ({
  ...world,
  ...afterFrame(world, frameOf(frame)),
});

test("blocks are appended as they come", () => {
  const world = after(after(EMPTY, { blocks: cells(1, 2) }), { blocks: cells(3) });
  expect(world.blocks.map((cell) => cell.height)).toEqual([1, 2, 3]);
});

test("another world takes nothing over", () => {
  const old = after(EMPTY, { blocks: cells(1, 2), activity: [{ seq: 1, kind: "step" }] });
  const fresh = after(old, { world: "another", blocks: cells(1) });
  expect(fresh.blocks).toHaveLength(1);
  expect(fresh.activity.step).toEqual([]);
});

test("each kind of activity is kept by itself, the newest of it", () => {
  const steps = Array.from({ length: 500 }, (_, i) => ({ seq: i + 2, kind: "step" }));
  const world = after(EMPTY, { activity: [{ seq: 1, kind: "event" }, ...steps] });
  expect(world.activity.event).toHaveLength(1);
  expect(world.activity.step).toHaveLength(300);
  expect(world.activity.step.at(-1)?.seq).toBe(501);
});

test("the simulator's own notes are read among the logs", () => {
  const world = after(EMPTY, { activity: [{ seq: 1, kind: "note", text: "not saved" }] });
  expect(world.activity.log.map((line) => line.text)).toEqual(["not saved"]);
});

test("a split is remembered when the two chains have met, but not in another world", () => {
  const fork = { nodes: ["val-1"], common: 5, height: 6, hash: "A", otherHash: "B", newest: 9 };
  const met = after(after(EMPTY, { forks: [fork] }), { forks: [] });
  expect(met.split?.common).toBe(5);
  expect(after(met, { world: "another" }).split).toBeUndefined();
});

test("of what was done from here the newest is kept", () => {
  let world = after(EMPTY, { world: "w" });
  for (let command = 1; command <= 1000; command++) {
    world = { ...world, ...withMine(world, command) };
  }
  expect(world.mine).toHaveLength(300);
  expect(world.mine.at(-1)).toBe("w/1000");
});
