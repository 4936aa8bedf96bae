import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { BlockCellSchema, PlanViewSchema } from "../../../gen/lab/v1/lab_pb.ts";
import type { TimelinePicture } from "./timeline-layout.ts";
import { paintTimeline } from "./timeline-paint.ts";

const PICTURE: TimelinePicture = {
  span: { first: 1, cells: 60 },
  width: 1100,
  height: 40,
  newest: 40,
  playhead: undefined,
  cells: new Map(),
  binaries: ["v1"],
  plan: undefined,
  proposed: [],
  ended: [],
  decided: 40,
  stuck: "",
  applied: 0,
  selected: undefined,
  pointed: undefined,
  lanes: [],
};

/** Every drawn text, with its start and end. */
function drawn(picture: TimelinePicture): { text: string; left: number; right: number }[] {
  const texts: { text: string; left: number; right: number }[] = [];
  const wide = (text: string): number => text.length * 6;
  const canvas = new Proxy({ textAlign: "left" } as unknown as CanvasRenderingContext2D, {
    get(target, name) {
      if (name === "measureText") return (text: string) => ({ width: wide(text) });
      if (name !== "fillText") return Reflect.get(target, name) ?? (() => {});
      return (text: string, x: number) => {
        const before = { left: 0, center: wide(text) / 2, right: wide(text) };
        const left = x - before[target.textAlign as keyof typeof before];
        texts.push({ text, left, right: left + wide(text) });
      };
    },
  });
  paintTimeline(canvas, picture, [], () => "");
  return texts;
}

test("the plan that is due beyond what is in sight has the end of the ruler to itself", () => {
  expect(drawn(PICTURE).map(({ text }) => text)).toEqual(["10", "20", "30", "40", "50", "60"]);
  const plan = create(PlanViewSchema, { name: "v2", height: 1200 });
  const texts = drawn({ ...PICTURE, plan });
  const due = texts.find(({ text }) => text === "v2 due at 1,200 →");
  const numbers = texts.filter(({ text }) => /^\d+$/.test(text));
  expect(numbers.length).toBeGreaterThan(3);
  for (const { right } of numbers) expect(right).toBeLessThan(due?.left ?? 0);
});

test("a plan with a long name is named by its beginning and end, inside a narrow timeline and beside its binary", () => {
  const plan = create(PlanViewSchema, { name: `plan${"-and-more".repeat(6)}`, height: 1200 });
  const cells = new Map([[30, create(BlockCellSchema, { height: 30 })]]);
  const span = { first: 30, cells: 18 };
  const texts = drawn({ ...PICTURE, span, cells, width: 340, plan });
  const due = texts.find(({ text }) => text === "plan-and-mo…and-more due at 1,200 →");
  const binary = texts.find(({ text }) => text === "v1");
  expect(due?.left).toBeGreaterThan(binary?.right ?? Number.NaN);
});
