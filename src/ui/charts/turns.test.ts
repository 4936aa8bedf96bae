import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Turns } from "./turns.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("charts that appear together draw in tasks of their own, in order, and then each twice a second", () => {
  const turns = new Turns();
  const drawn: string[] = [];
  const tasks: number[] = [];
  for (const name of ["a", "b", "c"]) {
    turns.join(() => {
      drawn.push(name);
      tasks.push(vi.getMockedSystemTime()?.getTime() ?? 0);
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
  const leave = turns.join(() => drawn.push("a"));
  vi.advanceTimersByTime(100);
  turns.join(() => drawn.push("b"));
  vi.advanceTimersByTime(40);
  expect(drawn).toEqual(["a", "b"]);
  leave();
  vi.advanceTimersByTime(2000);
  expect(drawn.filter((name) => name === "a")).toHaveLength(1);
});
