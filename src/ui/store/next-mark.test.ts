import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import {
  BlockCellSchema,
  ChainSchema,
  ChainStatusSchema,
  EndedPlanSchema,
  ForkSchema,
} from "../../gen/lab/v1/lab_pb.ts";
import { frameOf } from "../testing.ts";
import { nextMark } from "./next-mark.ts";

const chain = create(ChainSchema, { height: 50, initialHeight: 1 });
const blocks = [5, 20].map((height) => create(BlockCellSchema, { height, marks: 1 }));
const fork = create(ForkSchema, { height: 12, newest: 15, met: 18 });
const cancelled = create(EndedPlanSchema, { name: "v2", height: 60, block: 30 });

/** All marks in one direction, in sequence. */
function all(frame: ReturnType<typeof frameOf>, way: -1 | 1, from: number): number[] {
  const next = nextMark({ blocks, frame, travel: undefined }, from, way);
  return next === undefined ? [] : [next, ...all(frame, way, next)];
}

test("marks are those of blocks, of a second chain, of a plan that was cancelled, and the halt", () => {
  const metForks = [fork];
  const frame = frameOf({ chain, metForks, endedPlans: [cancelled] });
  expect(all(frame, 1, 1)).toStrictEqual([5, 12, 18, 20, 30]);
  expect(all(frame, -1, 50)).toStrictEqual([30, 20, 18, 12, 5]);
  const chainStatus = create(ChainStatusSchema, { state: "halted" });
  expect(all(frameOf({ chain, chainStatus }), 1, 1)).toStrictEqual([5, 20, 50]);
  // The second chain has split off, and has no block of its own yet.
  const apart = create(ForkSchema, { height: 0, newest: 0, met: 0 });
  expect(all(frameOf({ chain, forks: [apart] }), 1, 1)).toStrictEqual([5, 20]);
});

test("in the past the marks of the played world are led on to", () => {
  const live = frameOf({ chain, forks: [fork] });
  const frame = frameOf({ chain: create(ChainSchema, { height: 6, initialHeight: 1 }) });
  const activity = { step: [], event: [], log: [] };
  const travel = {
    ...{ height: 6, moving: false, journey: {} },
    live: { frame: live, blocks, activity, samples: [], split: undefined },
  };
  expect(nextMark({ blocks, frame, travel }, 6, 1)).toBe(12);
});
