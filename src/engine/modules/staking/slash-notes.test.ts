import { expect, test } from "vitest";
import { TestChain, testAddress } from "../../framework/testing.ts";
import { SlashNotes } from "./slash-notes.ts";
import type { DepartedSlash } from "./steps.ts";

const entry = (creationHeight: number): DepartedSlash => ({
  delegator: testAddress("ann"),
  creationHeight,
  initial: 50n,
  due: 5n,
  burned: 3n,
});

function noted(count: number) {
  const chain = new TestChain("staking");
  const notes = new SlashNotes();
  for (let i = 1; i <= count; i++) notes.add(i === 2 ? "redelegation" : "unbonding", entry(i));
  notes.noteAll(chain.block(9));
  return chain.trace.steps;
}

test("up to twenty entries are noted one by one, in order, each by its kind", () => {
  const steps = noted(20);
  expect(steps).toHaveLength(20);
  expect(steps.slice(0, 3)).toMatchObject([
    { module: "staking", kind: "slash_unbonding", data: entry(1), outcome: "ok" },
    { kind: "slash_redelegation", data: entry(2) },
    { kind: "slash_unbonding", data: entry(3) },
  ]);
});

test("more are summed up in one step", () => {
  expect(noted(21)).toMatchObject([
    {
      kind: "slash_departed",
      data: { entries: 21, initial: 1050n, due: 105n, burned: 63n },
      outcome: "ok",
    },
  ]);
});

test("where nothing has left there is nothing to note", () => {
  expect(noted(0)).toEqual([]);
});
