import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Draw, Turns } from "./turns.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Draws at once, and records that it did. */
const draws =
  (drawn: string[], name: string): Draw =>
  (ended) => {
    drawn.push(name);
    ended();
    return true;
  };

test("charts that appear together draw in tasks of their own, in order, and then each twice a second", () => {
  const turns = new Turns();
  const drawn: string[] = [];
  const tasks: number[] = [];
  for (const name of ["a", "b", "c"]) {
    turns.join((ended) => {
      tasks.push(performance.now());
      return draws(drawn, name)(ended);
    });
  }
  expect(drawn).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(drawn).toEqual(["a", "b", "c"]);
  expect(new Set(tasks).size).toBe(3);
  vi.advanceTimersByTime(3000);
  expect(drawn.filter((name) => name === "b").length).toBeGreaterThanOrEqual(6);
  expect(drawn.filter((name) => name === "b").length).toBeLessThanOrEqual(8);
});

test("one that comes later draws before those that have drawn draw again, and none after it has left", () => {
  const turns = new Turns();
  const drawn: string[] = [];
  const leave = turns.join(draws(drawn, "a"));
  vi.advanceTimersByTime(100);
  turns.join(draws(drawn, "b"));
  vi.advanceTimersByTime(40);
  expect(drawn).toEqual(["a", "b"]);
  leave();
  vi.advanceTimersByTime(2000);
  expect(drawn.filter((name) => name === "a")).toHaveLength(1);
});

test("a turn ends when its drawing is on screen, and the next comes three times as long after it", () => {
  const turns = new Turns();
  const drawn: string[] = [];
  let ended = (): void => {};
  turns.join((end) => {
    drawn.push("slow");
    ended = end;
    return true;
  });
  turns.join(draws(drawn, "quick"));
  vi.advanceTimersByTime(30);
  expect(drawn).toEqual(["slow"]);
  vi.advanceTimersByTime(400);
  expect(drawn).toEqual(["slow"]);
  ended();
  // Nothing rests before the first time; it has waited long enough.
  vi.advanceTimersByTime(30);
  expect(drawn).toEqual(["slow", "quick"]);
  vi.advanceTimersByTime(250);
  expect(drawn).toEqual(["slow", "quick", "slow"]);
  vi.advanceTimersByTime(400);
  ended();
  vi.advanceTimersByTime(1199);
  expect(drawn).toEqual(["slow", "quick", "slow"]);
  vi.advanceTimersByTime(1);
  expect(drawn).toEqual(["slow", "quick", "slow", "quick"]);
});

test("one that leaves while it draws has its turn until that ends", () => {
  const turns = new Turns();
  const drawn: string[] = [];
  let ended = (): void => {};
  const leave = turns.join((end) => {
    ended = end;
    return true;
  });
  turns.join(draws(drawn, "b"));
  vi.advanceTimersByTime(100);
  leave();
  vi.advanceTimersByTime(100);
  expect(drawn).toEqual([]);
  ended();
  vi.advanceTimersByTime(30);
  expect(drawn).toEqual(["b"]);
});

test("what has drawn once draws again only when what a person has pressed is answered, and what is new does not wait", () => {
  const turns = new Turns();
  const drawn: string[] = [];
  turns.join(draws(drawn, "a"));
  vi.advanceTimersByTime(30);
  vi.advanceTimersByTime(499);
  turns.pressed();
  vi.advanceTimersByTime(199);
  expect(drawn).toEqual(["a"]);
  turns.join(draws(drawn, "b"));
  vi.advanceTimersByTime(30);
  expect(drawn).toEqual(["a", "b"]);
  vi.advanceTimersByTime(1000);
  expect(drawn.filter((name) => name === "a").length).toBeGreaterThan(1);
});

test("what is on screen in part is drawn whole before another chart begins", () => {
  const turns = new Turns();
  const drawn: string[] = [];
  for (const name of ["a", "b"]) {
    turns.join((ended) => {
      drawn.push(name);
      const leave = turns.join((end) => {
        leave();
        return draws(drawn, `rest of ${name}`)(end);
      }, true);
      ended();
      return true;
    });
  }
  vi.advanceTimersByTime(120);
  expect(drawn).toEqual(["a", "rest of a", "b", "rest of b"]);
});
