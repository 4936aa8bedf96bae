import { expect, test } from "vitest";
import { limits, measures } from "./measure.ts";

test("no count of the sources is over its limit, which may only fall", () => {
  const most = limits();
  const counts = measures();
  expect(Object.keys(most)).toEqual(counts.map(([name]) => name));
  const over = counts.flatMap(([name, found]) =>
    found.length > (most[name] ?? 0) ? [`${name}: ${found.length} of ${most[name]}`] : [],
  );
  expect(over).toEqual([]);
});
