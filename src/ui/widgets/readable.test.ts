import { expect, test } from "vitest";
import { readable } from "./readable.ts";

test("votes have names, and shares only where there are several", () => {
  expect(readable('val-0 [{"option":1,"weight":"1.000000000000000000"}]')).toBe("val-0 yes");
  const split =
    '[{"option":1,"weight":"0.250000000000000000"},{"option":4,"weight":"0.750000000000000000"}]';
  expect(readable(split)).toBe("0.25 yes + 0.75 no with veto");
});

test("decimals and durations are short", () => {
  expect(readable("0.050000000000000000 of 10")).toBe("0.05 of 10");
  expect(readable("1.000000000000000000 ≥ quorum 0.334000000000000000")).toBe("1 ≥ quorum 0.334");
  expect(readable("30s of 48h0m0s")).toBe("30 s of 48 h");
});

test("names, hashes and what is no vote stay as they are", () => {
  for (const text of ["val-2s", "AB12CD5", "v2.0s", '[{"option":oops]', "5000000stake"]) {
    expect(readable(text)).toBe(text);
  }
});
