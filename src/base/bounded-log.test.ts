import { expect, test } from "vitest";
import { BoundedLog } from "./bounded-log.ts";

const filled = (capacity: number, count: number): BoundedLog<number> => {
  const log = new BoundedLog<number>(capacity);
  for (let i = 1; i <= count; i++) log.push(i);
  return log;
};

test("entries are numbered from 1, and those after a number are returned in order", () => {
  const log = new BoundedLog<string>(3);
  expect(log.seq).toBe(0);
  expect(log.last).toBeUndefined();
  expect(log.since(0)).toEqual([]);
  expect(log.push("a")).toBe(1);
  expect(log.push("b")).toBe(2);
  expect(log.seq).toBe(2);
  expect(log.last).toBe("b");
  expect(log.since(0)).toEqual(["a", "b"]);
  expect(log.since(1)).toEqual(["b"]);
  expect(log.since(2)).toEqual([]);
  expect(log.since(3)).toEqual([]);
});

test("twice the capacity is kept; one more and only the capacity is left", () => {
  expect(filled(3, 6).entries).toEqual([1, 2, 3, 4, 5, 6]);
  const log = filled(3, 7);
  expect(log.entries).toEqual([5, 6, 7]);
  expect(log.seq).toBe(7);
  expect(log.since(0)).toEqual([5, 6, 7]);
  expect(log.since(4)).toEqual([5, 6, 7]);
  expect(log.since(5)).toEqual([6, 7]);
});

test("the newest are at most the capacity, though more are still kept", () => {
  const log = filled(3, 5);
  expect(log.newest()).toEqual([3, 4, 5]);
  expect(log.newest(9)).toEqual([3, 4, 5]);
  expect(log.newest(2)).toEqual([4, 5]);
  expect(log.newest(0)).toEqual([]);
  expect(log.newest(-1)).toEqual([]);
});

test("a copy has the same entries and grows apart", () => {
  const log = filled(2, 3);
  const copy = log.copy();
  copy.push(4);
  expect(copy.entries).toEqual([1, 2, 3, 4]);
  expect(copy.seq).toBe(4);
  copy.push(5);
  expect(copy.entries).toEqual([4, 5]);
  expect(log.entries).toEqual([1, 2, 3]);
  expect(log.seq).toBe(3);
});
