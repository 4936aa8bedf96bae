import { expect, test } from "vitest";
import { Simulation } from "../../../engine/simulation/simulation.ts";
import { runTo, worldSpec } from "../../../engine/simulation/testing.ts";
import { lazyObserver } from "../frame/observed.ts";
import { WorldQueries } from "../world-queries.ts";

const SECONDS = 1_000_000_000n;

/** Blocks 1 to 3 with all four, then without val-1, and from 6 on with val-3 tombstoned. */
function world() {
  const sim = Simulation.create(worldSpec({ blockTime: 5n * SECONDS }));
  const queries = new WorldQueries(sim, lazyObserver(sim));
  runTo(sim, 3);
  sim.apply({ type: "node", node: "val-1", action: { kind: "stop" } });
  runTo(sim, 5);
  sim.apply({ type: "misbehavior", kind: 1, validator: "val-3", height: 2 });
  return { sim, queries };
}

test("each block says who of its set is absent, what power signed, and how long it took", () => {
  const { queries } = world();
  const { validators, blocks, sets, first, newest } = queries.lab("getParticipation", {});
  expect(validators).toEqual(["val-0", "val-1", "val-2", "val-3"]);
  expect([first, newest]).toEqual([1, 5]);
  expect(blocks.map(({ absent }) => absent)).toEqual([[], [], [], [1], [1]]);
  expect(blocks.map(({ signedPower }) => signedPower)).toEqual([400, 400, 400, 300, 300]);
  expect(blocks[1]).toMatchObject({ height: 2, intervalSeconds: 5, round: 0, totalPower: 400 });
  expect(blocks[0]?.intervalSeconds).toBe(0);
  expect(sets).toEqual([{ members: expect.arrayContaining([0, 1, 2, 3]) }]);
});

test("a set without one of the validators is another set, and that one is not absent", () => {
  const { sim, queries } = world();
  sim.apply({ type: "node", node: "val-1", action: { kind: "start" } });
  runTo(sim, 12);
  const { blocks, sets } = queries.lab("getParticipation", { count: 2 });
  const [newest] = blocks.slice(-1);
  expect(newest).toMatchObject({ height: 12, totalPower: 300, signedPower: 300, absent: [] });
  expect([...(sets[newest?.set ?? 0]?.members ?? [])].sort()).toEqual([0, 1, 2]);
});

test("of a long chain it is as many blocks as were asked for, up to the height asked for, and never more than 500", () => {
  const sim = Simulation.create(worldSpec());
  const queries = new WorldQueries(sim, lazyObserver(sim));
  runTo(sim, 700);
  const heights = (last: number, count: number) => {
    const { blocks } = queries.lab("getParticipation", { last, count });
    return [blocks[0]?.height, blocks.at(-1)?.height, blocks.length];
  };
  expect(heights(0, 0)).toEqual([601, 700, 100]);
  expect(heights(0, 5000)).toEqual([201, 700, 500]);
  expect(heights(40, 20)).toEqual([21, 40, 20]);
  expect(heights(10, 20)).toEqual([1, 10, 10]);
  expect(heights(9000, 2)).toEqual([699, 700, 2]);
});
