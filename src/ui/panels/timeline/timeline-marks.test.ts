import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import { BlockCellSchema, EndedPlanSchema, PlanViewSchema } from "../../../gen/lab/v1/lab_pb.ts";
import { isIn, type TimelinePicture } from "./timeline-layout.ts";
import { describe, type Mark, marksIn, placeMarks } from "./timeline-marks.ts";

const SPAN = { first: 1, cells: 60 };
const WIDTH = 1100;
const measure = (text: string): number => text.length * 6;

const cell = (height: number, marks: number) => create(BlockCellSchema, { height, marks });

const pictureOf = (change: Partial<TimelinePicture>): TimelinePicture => ({
  span: SPAN,
  width: WIDTH,
  height: 40,
  newest: 40,
  playhead: undefined,
  cells: new Map(),
  binaries: ["v1", "v2"],
  plan: undefined,
  proposed: [],
  ended: [],
  decided: 40,
  stuck: "",
  applied: 0,
  selected: undefined,
  pointed: undefined,
  lanes: [],
  ...change,
});

const source = (picture: TimelinePicture): string[] =>
  placeMarks(marksIn(picture), SPAN, WIDTH, measure).map(({ text }) => text);

test("all that one block did is written above it", () => {
  const cells = new Map([[20, cell(20, 2 | 4 | 8)]]);
  expect(source(pictureOf({ cells }))).toEqual(["slash · plan · proposal"]);
});

test("marks side by side turn away from one another, then stand above one another, and each is written", () => {
  const cells = new Map([19, 20, 21].map((at) => [at, cell(at, at === 20 ? 8 : 4)]));
  const labels = placeMarks(marksIn(pictureOf({ cells })), SPAN, WIDTH, measure);
  expect(labels.map(({ text }) => text).sort()).toEqual(["plan", "proposal", "proposal"]);
  expect(new Set(labels.map(({ row }) => row))).toEqual(new Set([0, 1]));
});

test("what has no room is counted", () => {
  const cells = new Map([18, 19, 20, 21, 22].map((at) => [at, cell(at, 2 | 4 | 8)]));
  const texts = source(pictureOf({ cells }));
  expect(texts).toContain("slash · plan · proposal");
  expect(texts.some((text) => /^(slash )?\+[23]$/.test(text))).toBe(true);
});

test("no two texts lie over one another, none leaves the timeline, and none stands away from its cell", () => {
  const words = fc.array(fc.constantFrom("slash", "evidence", "plan", "proposal", "v2 due · 60"), {
    minLength: 1,
    maxLength: 4,
  });
  const mark: fc.Arbitrary<Mark> = fc.record({
    at: fc.integer({ min: 1, max: 60 }),
    words,
    ink: fc.constant("soft"),
    rank: fc.integer({ min: 1, max: 3 }),
  });
  const marks = fc.uniqueArray(mark, { selector: ({ at }) => at, maxLength: 40 });
  fc.assert(
    fc.property(marks, fc.integer({ min: 320, max: WIDTH }), (all, width) => {
      const inSight = all.filter(({ at }) =>
        isIn({ first: 1, cells: Math.floor(width / 18) - 2 }, at),
      );
      const labels = placeMarks(inSight, SPAN, width, measure);
      for (const [i, a] of labels.entries()) {
        expect(a.left).toBeGreaterThanOrEqual(0);
        expect(a.right).toBeLessThanOrEqual(width);
        const x = 16 + (a.at - 1) * 18;
        expect(a.left).toBeLessThanOrEqual(x + 14);
        expect(a.right).toBeGreaterThanOrEqual(x);
        for (const b of labels.slice(i + 1))
          expect(a.row !== b.row || a.right <= b.left || b.right <= a.left).toBe(true);
      }
    }),
  );
});

test("a cell that is pointed at says what it is, what it did and what is planned there", () => {
  const plan = create(PlanViewSchema, { name: "v2", height: 55 });
  const ended = [create(EndedPlanSchema, { name: "v3", height: 50, block: 30 })];
  const cells = new Map([[30, cell(30, 4 | 64)]]);
  const lanes = [{ common: 10, newest: 14, mergedAt: 16 }];
  const picture = pictureOf({ cells, plan, ended, lanes });
  expect(describe(picture, 30)).toEqual([
    "Block 30",
    "made by v1",
    "the plan of v3 was cancelled",
    "a proposal was made, or its voting ended",
    "took more than one round",
  ]);
  expect(describe(picture, 55)).toEqual(["Block 55", "not made yet", "v2 is due"]);
  expect(describe(picture, 50)).toContain("v3 was due here, cancelled in block 30");
  expect(describe(picture, 12)).toContain("two chains");
  expect(describe(picture, 16)).toContain("the two chains met");
});

test("two chains are marked where they part and where they meet", () => {
  const lanes = [{ common: 10, newest: 14, mergedAt: 16 }];
  expect(source(pictureOf({ lanes })).sort()).toEqual(["they met", "two chains"]);
  expect(source(pictureOf({ lanes: [{ common: 10, newest: 14, mergedAt: 0 }] }))).toEqual([
    "two chains",
  ]);
});

test("a plan with a long name is named by its beginning and end above a narrow timeline", () => {
  const plan = create(PlanViewSchema, { name: `plan${"-and-more".repeat(6)}`, height: 45 });
  const narrow = pictureOf({ plan, span: { first: 31, cells: 18 }, width: 340 });
  const labels = placeMarks(marksIn(narrow), narrow.span, narrow.width, measure);
  expect(labels.map(({ text }) => text)).toEqual(["plan-and-mo…and-more due · 45"]);
});

test("a plan that is voted on is marked where it would be due, and no longer when that height is past", () => {
  const proposed = [
    { name: "v2", height: 50 },
    { name: "v3", height: 30 },
  ];
  expect(source(pictureOf({ proposed }))).toEqual(["v2 proposed · 50"]);
  expect(describe(pictureOf({ proposed }), 50)).toContain("v2 would be due: the vote on it runs");
});
