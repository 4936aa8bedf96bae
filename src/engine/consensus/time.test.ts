import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MILLISECOND, SECOND } from "../../base/time.ts";
import { T0 } from "./testing.ts";
import { voteTime, type WeightedTime, weightedMedian } from "./time.ts";
import { roundDuration, stepTimeout } from "./timeouts.ts";

describe("BFT time", () => {
  test("is the median of the votes in any order, rounded down: of three equal votes the first wins", () => {
    const votes = [
      { time: 30n, power: 1 },
      { time: 10n, power: 1 },
      { time: 20n, power: 1 },
    ];
    expect(weightedMedian(votes)).toBe(10n);
  });

  test("goes to the earlier of two equal halves", () => {
    expect(
      weightedMedian([
        { time: 2n, power: 5 },
        { time: 1n, power: 5 },
      ]),
    ).toBe(1n);
  });

  test("cannot be moved out of the honest range by less than a third", () => {
    const liar = { time: T0 * 100n, power: 33 };
    expect(weightedMedian([liar, { time: T0, power: 34 }, { time: T0 + 1n, power: 33 }])).toBe(
      T0 + 1n,
    );
  });

  test("has no answer without votes", () => {
    expect(() => weightedMedian([])).toThrow("no votes");
  });

  test("equals a naive median over every unit of power", () => {
    const entry = fc.record({
      time: fc.bigInt({ min: -100n, max: 100n }),
      power: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 12 }), (entries) => {
        expect(weightedMedian(entries)).toBe(naive(entries));
      }),
    );
  });

  /**
   * One vote per unit of power, in order of time; returns the ⌊total/2⌋-th, counted from one (the
   * first, if that is 0).
   */
  function naive(entries: readonly WeightedTime[]): bigint {
    const units = entries.flatMap(({ time, power }) => Array<bigint>(power).fill(time));
    units.sort((a, b) => Number(a - b));
    return units[Math.max(0, Math.floor(units.length / 2) - 1)] ?? 0n;
  }
});

describe("a vote's time", () => {
  test("is the clock, or 1 ms after the block when the clock is behind that", () => {
    expect(voteTime(T0, null)).toBe(T0);
    expect(voteTime(T0 + SECOND, T0)).toBe(T0 + SECOND);
    expect(voteTime(T0 - SECOND, T0)).toBe(T0 + MILLISECOND);
    expect(voteTime(T0, T0)).toBe(T0 + MILLISECOND);
  });
});

describe("timeouts", () => {
  test("grow by half a second per round", () => {
    expect(stepTimeout("propose", 0)).toBe(3n * SECOND);
    expect(stepTimeout("propose", 3)).toBe(4n * SECOND + SECOND / 2n);
    expect(stepTimeout("prevote", 1)).toBe(SECOND + SECOND / 2n);
    expect(stepTimeout("precommit", 2)).toBe(2n * SECOND);
  });

  test("a round without a proposal waits for it, then for more precommits", () => {
    expect(roundDuration("no-proposal", 0)).toBe(4n * SECOND);
    expect(roundDuration("no-proposal", 2)).toBe(6n * SECOND);
  });

  test("a round whose proposal is refused ends with its precommits", () => {
    expect(roundDuration("proposal-refused", 0)).toBe(SECOND);
    expect(roundDuration("prevotes-split", 0)).toBe(2n * SECOND);
    expect(roundDuration("proposal-refused", 1)).toBe(SECOND + SECOND / 2n);
    expect(roundDuration("too-few-votes", 0)).toBe(5n * SECOND);
  });
});
