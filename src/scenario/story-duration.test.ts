import { expect, test } from "vitest";
import { readingMs, storySeconds } from "./story-duration.ts";

const beat = (sentence: string) => ({ sentence, first: 0, end: 1, show: {} });

test("a longer sentence is read for longer, but never for long", () => {
  const [none, short, long, page] = ["", "a".repeat(10), "a".repeat(100), "a".repeat(9000)].map(
    readingMs,
  );
  expect([none, short, long, page]).toEqual([200, 1450, 3700, 5000]);
});

test("a story takes the time of its rounds at its pace, and of reading its sentences", () => {
  const beats = Array.from({ length: 12 }, () => beat("a".repeat(9000)));
  expect(storySeconds(beats, 0, 2)).toBe(60);
  expect(storySeconds(beats, 120, 2)).toBe(120);
  expect(storySeconds(beats, 120, 1)).toBe(180);
  expect(storySeconds(beats, 3, 1)).toBe(65);
});

test("even the shortest story takes a moment", () => {
  expect(storySeconds([beat("")], 1, 100)).toBe(5);
});
