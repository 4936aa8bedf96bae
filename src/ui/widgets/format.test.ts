import { describe, expect, test } from "vitest";
import { duration } from "./duration.ts";
import {
  amount,
  compact,
  dayClock,
  grouped,
  list,
  percent,
  plural,
  sentence,
  short,
  shortName,
} from "./format.ts";

describe("percent", () => {
  test("shows one decimal only where there is one", () => {
    expect(percent(100, 400)).toBe("25 %");
    expect(percent(1, 3)).toBe("33.3 %");
  });
  test("never shows less than all as 100 %", () => {
    expect(percent(99_999, 100_000)).toBe("99.9 %");
    expect(percent(100_000, 100_000)).toBe("100 %");
  });
  test("a share of nothing is nothing", () => {
    expect(percent(0, 0)).toBe("0 %");
  });
});

describe("a sentence", () => {
  test("ends with one full stop, also where it quotes a log line that ends with a colon", () => {
    expect(sentence("it stands still")).toBe("it stands still.");
    expect(sentence("it stands still.")).toBe("it stands still.");
    expect(sentence('UPGRADE "v2" NEEDED at height: 20: ')).toBe(
      'UPGRADE "v2" NEEDED at height: 20.',
    );
  });
});

describe("duration", () => {
  test("names the two largest units that say something", () => {
    expect(duration(0)).toBe("0 s");
    expect(duration(65)).toBe("1 min 5 s");
    expect(duration(48 * 3600)).toBe("48 h");
    expect(duration(504 * 3600)).toBe("21 d");
    expect(duration(3600 + 61)).toBe("1 h 1 min");
  });
});

test("amounts beyond 2^53 keep every digit", () => {
  expect(amount("9007199254740993")).toBe("9,007,199,254,740,993");
  expect(amount("")).toBe("0");
});

test("a long id keeps both ends, a short one is whole", () => {
  expect(short("E3B0C44298FC1C149AFB")).toBe("E3B0C442…9AFB");
  expect(short("val-2")).toBe("val-2");
});

test("lists and plurals read as English", () => {
  expect(list(["a"])).toBe("a");
  expect(list(["a", "b", "c"])).toBe("a, b and c");
  expect(plural(1, "block")).toBe("1 block");
  expect(plural(1200, "block")).toBe("1,200 blocks");
});

test("a clock names the day once the first one is over", () => {
  const first = "2026-01-01T00:00:00Z";
  expect(dayClock("2026-01-01T12:02:25.5Z", first)).toBe("12:02:25");
  expect(dayClock("2026-01-03T12:02:25Z", first)).toBe("3 Jan 12:02:25");
});

test("axes have short numbers", () => {
  expect([0, 17, 5_000_000].map(compact)).toEqual(["0", "17", "5M"]);
});

test("a long name keeps both ends", () => {
  expect(shortName("val-2-twin", 10)).toBe("val-2-twin");
  expect(shortName("a-validator-of-a-company-2", 10)).toBe("a-val…ny-2");
});

test("whole numbers of five digits and more are grouped; hashes, addresses, decimals and times stay", () => {
  expect(grouped("5000000 − 0 = 5000000; burned 5000000 of 100000000")).toBe(
    "5,000,000 − 0 = 5,000,000; burned 5,000,000 of 100,000,000",
  );
  expect(grouped("123456789012345678901")).toBe("123,456,789,012,345,678,901");
  expect(grouped("10000000stake of 999stake")).toBe("10,000,000 stake of 999stake");
  const kept =
    "proposal 12345 AB12345678 chain1qq123456 0.123456789 2026-01-01T00:00:25.123456789Z 9999";
  expect(grouped(kept)).toBe(kept);
});
