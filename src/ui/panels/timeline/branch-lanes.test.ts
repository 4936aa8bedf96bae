import { expect, test } from "vitest";
import type { WorldInfo } from "../../store/types.ts";
import { lanesOf } from "./branch-lanes.ts";

const world = (id: string, height: number, of?: string, from = 0): WorldInfo => ({
  ...{ id, height, name: id, bytes: 0, created: "", saved: "", problem: "", open: "", erased: "" },
  ...{
    note: "",
    impossible: false,
    parent: of === undefined ? undefined : { world: of, height: from },
  },
});

const TREE = [
  world("main", 100),
  world("early", 30, "main", 10),
  world("late", 90, "main", 60),
  world("of early", 25, "early", 20),
  world("other", 50),
];

const drawn = (own: string) =>
  lanesOf(TREE, own).map(({ id, common, newest }) => [id, common, newest]);

test("branches leave the world on screen where they began", () => {
  expect(drawn("main")).toEqual([
    ["early", 10, 30],
    ["late", 60, 90],
    ["of early", 10, 25],
  ]);
});

test("beside a branch its world goes on, and the other branches of that leave it where the two part", () => {
  expect(drawn("early")).toEqual([
    ["main", 10, 100],
    ["late", 10, 90],
    ["of early", 20, 25],
  ]);
  expect(drawn("of early")).toEqual([
    ["main", 10, 100],
    ["early", 20, 30],
    ["late", 10, 90],
  ]);
});

test("a world without branches has no lane, nor have worlds that cannot be read or are gone", () => {
  expect(drawn("other")).toEqual([]);
  const damaged = { ...world("branch", 5, "main", 2), problem: "It cannot be read." };
  expect(lanesOf([world("main", 10), damaged], "main")).toEqual([]);
  expect(lanesOf([world("branch", 5, "gone", 2), world("twin", 9, "gone", 4)], "branch")).toEqual([
    { id: "twin", name: "twin", newest: 9, common: 2, above: false },
  ]);
});

test("worlds that are branches of one another by a damaged record are drawn once", () => {
  expect(lanesOf([world("a", 5, "b", 2), world("b", 5, "a", 3)], "a")).toHaveLength(1);
});
