import { describe, expect, test } from "vitest";
import type { CommittedState } from "../store/multi-store.ts";
import { StateHistory } from "./state-history.ts";

const state = (): CommittedState => ({}) as CommittedState;

/** A history of heights from 1 on with a state of its own after each. */
function changing(heights: number): { history: StateHistory; kept: () => number[] } {
  const history = new StateHistory();
  const all = Array.from({ length: heights }, (_, i) => i + 1);
  const states = new Map(all.map((height) => [height, state()]));
  for (const [height, one] of states) history.record(height, one);
  const kept = () =>
    all.filter((height) => {
      const found = history.at(height);
      if (found !== undefined) expect(found).toBe(states.get(height));
      return found !== undefined;
    });
  return { history, kept };
}

describe("the history of states", () => {
  test("is empty at first", () => {
    expect(new StateHistory().at(1)).toBeUndefined();
  });

  test("gives the state after each recorded height, and none for others", () => {
    const history = new StateHistory();
    const [a, b] = [state(), state()];
    for (const [i, one] of [a, a, b, a].entries()) history.record(i + 5, one);
    history.record(11, a);
    const names = new Map([
      [a, "a"],
      [b, "b"],
    ]);
    const found = [4, 5, 6, 7, 8, 9, 10, 11, 12].map((height) => history.at(height));
    expect(found.map((one) => (one === undefined ? "" : names.get(one))).join()).toBe(
      ",a,a,b,a,,,a,",
    );
  });

  test("keeps all states while there are few", () => {
    expect(changing(1250).kept()).toHaveLength(1250);
  });

  test("beyond that keeps those of the last 1000 heights, and of older ones the first", () => {
    const recent = Array.from({ length: 1000 }, (_, i) => 252 + i);
    expect(changing(1251).kept()).toEqual([1, ...recent]);
  });

  test("keeps one state for every 1000 older heights", () => {
    const { history, kept } = changing(5000);
    const heights = kept();
    expect(heights.filter((height) => height <= 3500)).toEqual([1, 1001, 2001, 3001]);
    expect(heights.filter((height) => height > 4000)).toHaveLength(1000);
    expect(history.at(5001)).toBeUndefined();
  });

  test("keeps the state of quiet heights however many they are", () => {
    const history = new StateHistory();
    const quiet = state();
    history.record(1, state());
    history.record(2, state());
    for (let height = 3; height <= 5000; height++) history.record(height, quiet);
    expect([2, 3, 4, 2500, 5000].map((height) => history.at(height) === quiet)).toEqual([
      false,
      ...Array(4).fill(true),
    ]);
  });
});
