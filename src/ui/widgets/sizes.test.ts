import { expect, test } from "vitest";
import { bytes } from "./sizes.ts";

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 KB"],
  [12_345, "12 KB"],
  [3_200_000, "3.2 MB"],
  [5e15, "5,000 TB"],
])("%d bytes are written %s", (n, text) => {
  expect(bytes(n)).toBe(text);
});
