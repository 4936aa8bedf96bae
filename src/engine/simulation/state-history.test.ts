import { describe, expect, test } from "vitest";
import { CommittedState, CommittedStore } from "../store/committed-state.ts";
import { Leaf } from "../store/node.ts";
import { STATE_LIMITS, StateHistory } from "./state-history.ts";

const KEY = new Uint8Array(1);

/** A state in which one leaf was written at a height. */
const stateAfter = (height: number): CommittedState =>
  new CommittedState([new CommittedStore("bank", new Leaf(KEY, KEY, height))]);

/** History from height 1 on with a different state after each; recomputed heights are recorded. */
function changing(heights: number, limits = STATE_LIMITS) {
  const states = Array.from({ length: heights }, (_, i) => stateAfter(i + 1));
  const recalled: number[] = [];
  const stateAt = (height: number) => states[height - 1] as CommittedState;
  const history = new StateHistory(limits, (height) => {
    recalled.push(height);
    return stateAt(height);
  });
  for (const [i, state] of states.entries()) {
    history.record(i + 1, state);
    history.settle();
  }
  const stored = () => states.flatMap((_, i) => (history.has(i + 1) ? [i + 1] : []));
  return { history, kept: stored, recalled, stateAt };
}

describe("the history of states", () => {
  test("keeps all states while there are few", () => {
    expect(changing(1250).kept()).toHaveLength(1250);
  });

  test("beyond that keeps the newest 1000", () => {
    const newest = Array.from({ length: 1000 }, (_, i) => 252 + i);
    expect(changing(1251).kept()).toEqual(newest);
  });

  test("keeps no more of them than fit its bytes", () => {
    expect(changing(50, { ...STATE_LIMITS, bytes: 1000 }).kept()).toHaveLength(10);
  });

  test("keeps all that one change brought until the next one", () => {
    const { history, kept: stored } = changing(3, { ...STATE_LIMITS, bytes: 1 });
    for (let height = 4; height <= 8; height++) history.record(height, stateAfter(height));
    expect([4, 5, 6, 7, 8].every((height) => history.has(height))).toBe(true);
    history.settle();
    expect(stored()).toEqual([]);
    expect([7, 8].map((height) => history.has(height))).toEqual([false, true]);
  });

  test("keeps the newest one however big it is", () => {
    expect(changing(5, { ...STATE_LIMITS, bytes: 1 }).kept()).toEqual([5]);
  });

  test("gives every state, and recalls those that it does not keep", () => {
    const { history, recalled, stateAt } = changing(20, { ...STATE_LIMITS, count: 8 });
    for (let height = 1; height <= 20; height++) {
      expect(history.at(height)).toBe(stateAt(height));
    }
    expect(recalled).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    // The last recomputed states are cached beside the newest.
    history.at(12);
    expect(recalled).toHaveLength(12);
  });

  test("keeps the state of quiet heights however many they are", () => {
    const history = new StateHistory(STATE_LIMITS, () => {
      throw new Error("recalled");
    });
    const [first, quiet] = [stateAfter(1), stateAfter(2)];
    history.record(1, first);
    for (let height = 2; height <= 5000; height++) history.record(height, quiet);
    expect(history.at(1)).toBe(first);
    expect([2, 3, 2500, 5000].every((height) => history.at(height) === quiet)).toBe(true);
  });
});
