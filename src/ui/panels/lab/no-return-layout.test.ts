import { describe, expect, it } from "vitest";
import { LEFT, noReturnLayout, TOP } from "./no-return-layout.ts";

const point = (ended: number, command = "a step") => ({ height: 1, command, ended, futures: 100 });

describe("the chart of the point of no return", () => {
  it("draws a share as it stays until the next point, and jumps there; the end is certain", () => {
    const { line, points } = noReturnLayout(
      { points: [point(0), point(0)], cliff: 1, height: 9 },
      264,
      156,
    );
    expect(points.map(({ x }) => x)).toEqual([LEFT, LEFT + 100, LEFT + 200]);
    expect(points.map(({ y }) => y)).toEqual([TOP + 100, TOP + 100, TOP]);
    expect(points.at(-1)).toMatchObject({ height: 9, share: 1 });
    expect(line).toBe(`M${LEFT} ${TOP + 100}H146V${TOP + 100}H246V${TOP}`);
  });

  it("names the cliff where there is no room for all", () => {
    const points = Array.from({ length: 40 }, (_, i) => point(i < 20 ? 0 : 90));
    const { named } = noReturnLayout({ points, cliff: 19, height: 9 }, 600, 200);
    expect(named.has(19)).toBe(true);
    expect(named.has(18)).toBe(false);
    expect(named.size).toBeLessThan(8);
  });

  it("keeps the words at its edges apart from those beside them, which reach inward", () => {
    const points = [point(0), point(0), point(0)];
    const narrow = { points, cliff: 1, height: 9 };
    const { points: drawn, named } = noReturnLayout(narrow, 400, 200);
    expect(drawn.map(({ side }) => side)).toEqual(["start", "middle", "middle", "end"]);
    // The second is the cliff, from 96 to 220; the first would extend from 46 to 170, the end from
    // 258 to 382.
    expect([...named]).toEqual([1, 3]);
  });

  it("has no words where the chain just runs on", () => {
    const points = [point(0, ""), point(0)];
    const { named } = noReturnLayout({ points, cliff: -1, height: 9 }, 600, 200);
    expect([...named]).toEqual([2, 1]);
  });

  it("is the end alone where there is no point before it", () => {
    const { points } = noReturnLayout({ points: [], cliff: -1, height: 9 }, 600, 200);
    expect(points).toHaveLength(1);
  });

  it("takes no futures for none that end so", () => {
    const none = { ...point(0), futures: 0 };
    const { points } = noReturnLayout({ points: [none], cliff: -1, height: 9 }, 600, 200);
    expect(points[0]?.share).toBe(0);
  });
});
