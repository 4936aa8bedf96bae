import { describe, expect, test } from "vitest";
import { digest } from "./testing.ts";
import { ValidatorSet, type ValidatorUpdate } from "./validator-set.ts";
import { ValidatorSets } from "./validator-sets.ts";

const change = (name: string, power: number): ValidatorUpdate => ({ pubKey: digest(name), power });
const genesis = (): ValidatorSets =>
  ValidatorSets.genesis(ValidatorSet.create([change("a", 10), change("b", 20), change("c", 30)]));

describe("from height to height", () => {
  test("a change returned at height H acts at H+2", () => {
    const sets = genesis();
    const sizes: number[][] = [];
    for (const updates of [[], [change("d", 5)], [], []]) {
      sets.advance(updates);
      sizes.push([sets.last?.size ?? 0, sets.current.size, sets.next.size]);
    }
    expect(sizes).toEqual([
      [3, 3, 3],
      [3, 3, 4],
      [3, 4, 4],
      [4, 4, 4],
    ]);
  });

  test("the initial height has no last set", () => expect(genesis().last).toBeNull());

  test("the turns are those of one set incremented once per height, through changes and pauses", () => {
    const sets = genesis();
    let plain = ValidatorSet.create([change("a", 10), change("b", 20), change("c", 30)]);
    let pending: ValidatorUpdate[] = [];
    const schedule = new Map([
      [5, [change("d", 50)]],
      [6, [change("a", 0), change("b", 21)]],
      [20, [change("c", 1)]],
    ]);
    for (let height = 1; height < 60; height++) {
      expect([...sets.current.priorities]).toEqual([...plain.priorities]);
      expect(sets.current.proposer()).toBe(plain.proposer());
      // `plain` is the set of this height; updates returned one height ago apply to the next one.
      plain = plain.withUpdates(pending);
      plain.incrementProposerPriority(1);
      pending = schedule.get(height) ?? [];
      sets.advance(pending);
    }
  });

  test("while nothing changes, no new arrays are made", () => {
    const sets = genesis();
    sets.advance([]);
    const arrays = new Set([sets.current.priorities, sets.next.priorities]);
    for (let i = 0; i < 10; i++) sets.advance([]);
    expect(arrays.has(sets.current.priorities)).toBe(true);
    expect(arrays.has(sets.next.priorities)).toBe(true);
    expect(sets.current.priorities).not.toBe(sets.next.priorities);
  });

  test("a refused change leaves everything as it was, and a copy goes its own way", () => {
    const sets = genesis();
    const copy = sets.copy();
    expect(() => sets.advance([change("unknown", 0)])).toThrow("failed to find validator");
    expect([...sets.current.priorities]).toEqual([...copy.current.priorities]);
    sets.advance([]);
    sets.advance([]);
    expect([...sets.current.priorities]).not.toEqual([...copy.current.priorities]);
  });
});
