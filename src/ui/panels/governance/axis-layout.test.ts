import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { ProposalCourseSchema, ProposalViewSchema } from "../../../gen/lab/v1/lab_pb.ts";
import { axisOf, ticksOf, xOf } from "./axis-layout.ts";
import type { Course } from "./use-governance.ts";

const course = (ended: number, ...periods: (readonly [string, number, number])[]): Course => ({
  ...create(ProposalCourseSchema, {
    ended,
    periods: periods.map(([kind, from, to]) => ({ kind, from, to, over: ended > 0 })),
  }),
  proposal: create(ProposalViewSchema),
});

test("the axis reaches from the first submission to the end of the voting, and has the newest block", () => {
  const courses = [course(16, ["voting", 4, 16]), course(0, ["voting", 9, 21])];
  expect(axisOf(courses, 12)).toEqual({ first: 4, last: 21 });
  expect(axisOf(courses, 40)).toEqual({ first: 4, last: 40 });
  expect(axisOf([course(16, ["voting", 4, 16])], 40)).toEqual({ first: 4, last: 16 });
});

test("a deposit period that ends far ahead does not leave the others a point", () => {
  const far = course(0, ["deposit", 4, 34_560]);
  const axis = axisOf([far, course(16, ["voting", 4, 16])], 20);
  expect(axis).toEqual({ first: 4, last: 20 });
  expect(xOf(axis, 34_560)).toBe(100);
  expect(xOf(axis, 12)).toBe(50);
  expect(axisOf([course(0, ["deposit", 4, 30])], 20).last).toBe(30);
});

test("a proposal of the newest block has an axis too", () => {
  expect(axisOf([course(0, ["deposit", 7, 9000])], 7)).toEqual({ first: 7, last: 8 });
});

test("ticks are at round heights", () => {
  expect(ticksOf({ first: 4, last: 33 })).toEqual([10, 20, 30]);
  expect(ticksOf({ first: 7, last: 8 })).toEqual([7, 8]);
  expect(ticksOf({ first: 120_003, last: 180_000 })).toEqual([140_000, 160_000, 180_000]);
});
