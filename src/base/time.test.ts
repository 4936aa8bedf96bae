import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDuration, parseDuration } from "./duration.ts";
import { durationToText } from "./duration-text.ts";
import {
  atMostLast,
  elapsed,
  formatProtoTime,
  formatRfc3339,
  fromTimestamp,
  GO_ZERO_TIME,
  goDuration,
  goTimeString,
  HOUR,
  isTimestamp,
  MAX_TIME,
  MILLISECOND,
  MINUTE,
  parseRfc3339,
  SECOND,
  timestampError,
  toTimestamp,
} from "./time.ts";

const LONGEST = 2n ** 63n - 1n;
const anyTime = fc.bigInt({ min: GO_ZERO_TIME, max: MAX_TIME });
const anyDuration = fc.bigInt({ min: -LONGEST - 1n, max: LONGEST });

describe("moments", () => {
  test("Go's zero time", () => {
    expect(formatRfc3339(GO_ZERO_TIME)).toBe("0001-01-01T00:00:00Z");
    expect(goTimeString(GO_ZERO_TIME)).toBe("0001-01-01 00:00:00 +0000 UTC");
    expect(parseRfc3339("0001-01-01T00:00:00Z")).toBe(GO_ZERO_TIME);
    expect(toTimestamp(GO_ZERO_TIME)).toEqual({ seconds: -62_135_596_800n, nanos: 0 });
  });

  test("nanoseconds without trailing zeros", () => {
    const text = "2021-10-20T16:08:38.194017624Z";
    expect(formatRfc3339(parseRfc3339(text))).toBe(text);
    expect(formatRfc3339(SECOND / 2n)).toBe("1970-01-01T00:00:00.5Z");
    expect(goTimeString(SECOND / 2n)).toBe("1970-01-01 00:00:00.5 +0000 UTC");
    expect(formatRfc3339(-1n)).toBe("1969-12-31T23:59:59.999999999Z");
  });

  test("offsets are taken to UTC", () => {
    expect(formatRfc3339(parseRfc3339("2024-03-01T01:30:00+02:00"))).toBe("2024-02-29T23:30:00Z");
    expect(formatRfc3339(parseRfc3339("2023-12-31T23:30:00-01:00"))).toBe("2024-01-01T00:30:00Z");
  });

  test("agree with the language's own calendar to the millisecond", () => {
    fc.assert(
      fc.property(anyTime, (time) => {
        const ms = Number(
          (time - (((time % MILLISECOND) + MILLISECOND) % MILLISECOND)) / MILLISECOND,
        );
        const whole = BigInt(ms) * MILLISECOND;
        const iso = new Date(ms).toISOString();
        expect(parseRfc3339(iso)).toBe(whole);
        expect(formatRfc3339(whole)).toBe(iso.replace(/\.?0+Z$/, "Z"));
      }),
    );
  });

  test("every text and Timestamp is read back", () => {
    fc.assert(
      fc.property(anyTime, (time) => {
        expect(parseRfc3339(formatRfc3339(time))).toBe(time);
        expect(fromTimestamp(toTimestamp(time))).toBe(time);
        expect(toTimestamp(time).nanos).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test("dates that do not exist are refused", () => {
    const wrong = [
      "2023-02-29T00:00:00Z",
      "2023-13-01T00:00:00Z",
      "2023-00-01T00:00:00Z",
      "2023-01-01T24:00:00Z",
      "2023-01-01T00:60:00Z",
      "2023-01-01T00:00:60Z",
      "2023-01-01T00:00:00+24:00",
      "2023-01-01 00:00:00Z",
      "2023-01-01T00:00:00",
      "",
    ];
    for (const text of wrong) {
      expect(() => parseRfc3339(text), text).toThrow(`invalid RFC 3339 time "${text}"`);
    }
  });
});

describe("the years 1 to 9999", () => {
  test("are all that a Timestamp holds", () => {
    expect([GO_ZERO_TIME - 1n, GO_ZERO_TIME, MAX_TIME, MAX_TIME + 1n].map(isTimestamp)).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(atMostLast(MAX_TIME + 1n)).toBe(MAX_TIME);
    expect(atMostLast(SECOND)).toBe(SECOND);
  });

  test("are all that is read, as they are in UTC", () => {
    for (const text of [
      "0000-12-31T23:59:59Z",
      "0001-01-01T00:59:59+01:00",
      "9999-12-31T23:00:00-01:00",
    ]) {
      expect(() => parseRfc3339(text)).toThrow(`time "${text}" is not in the years 1 to 9999`);
    }
    expect(parseRfc3339("0000-12-31T23:00:00-01:00")).toBe(GO_ZERO_TIME);
    expect(parseRfc3339("9999-12-31T23:59:59.999999999Z")).toBe(MAX_TIME);
  });

  test("beyond them the words are those of Go's protobuf, and texts stay readable", () => {
    expect(timestampError(MAX_TIME + 1n)).toBe(
      "timestamp: &types.Timestamp{Seconds: 253402300800,\nNanos: 0,\n} after 10000-01-01",
    );
    expect(timestampError(GO_ZERO_TIME - 1n)).toBe(
      "timestamp: &types.Timestamp{Seconds: -62135596801,\nNanos: 999999999,\n} before 0001-01-01",
    );
    expect(goTimeString(MAX_TIME + 1n)).toBe("10000-01-01 00:00:00 +0000 UTC");
    expect(goTimeString(GO_ZERO_TIME - 200n * 366n * 24n * HOUR)).toMatch(/^-0200-/);
  });
});

describe("durations", () => {
  test("are at most what Go's int64 holds, 292 years", () => {
    expect(parseDuration("2562047h47m16.854775807s")).toBe(LONGEST);
    expect(parseDuration("-2562047h47m16.854775808s")).toBe(-LONGEST - 1n);
    expect(() => parseDuration("2562047h47m16.854775808s")).toThrow(
      'time: invalid duration "2562047h47m16.854775808s"',
    );
    expect(elapsed(0n, 10n)).toBe(10n);
    expect(elapsed(GO_ZERO_TIME, MAX_TIME)).toBe(LONGEST);
    expect(elapsed(MAX_TIME + 1n, GO_ZERO_TIME)).toBe(-LONGEST - 1n);
  });

  test("in Go's notation", () => {
    expect(parseDuration("48h")).toBe(48n * HOUR);
    expect(parseDuration("600s")).toBe(10n * MINUTE);
    expect(parseDuration("1h30m")).toBe(90n * MINUTE);
    expect(parseDuration("500ms")).toBe(SECOND / 2n);
    expect(parseDuration("-1.5s")).toBe((-3n * SECOND) / 2n);
    expect(parseDuration("1.5µs")).toBe(1_500n);
    expect(parseDuration("0")).toBe(0n);
  });

  test("errors are Go's", () => {
    expect(() => parseDuration("")).toThrow(new Error('time: invalid duration ""'));
    expect(() => parseDuration("h")).toThrow(new Error('time: invalid duration "h"'));
    expect(() => parseDuration("10")).toThrow(new Error('time: missing unit in duration "10"'));
    expect(() => parseDuration("3d")).toThrow(new Error('time: unknown unit "d" in duration "3d"'));
    expect(() => parseDuration("1toString")).toThrow("unknown unit");
  });

  test("as Go prints them", () => {
    expect(goDuration(10n * MINUTE)).toBe("10m0s");
    expect(goDuration(48n * HOUR)).toBe("48h0m0s");
    expect(goDuration(0n)).toBe("0s");
    expect(goDuration(MINUTE + SECOND / 2n)).toBe("1m0.5s");
    expect(goDuration(500n * MILLISECOND)).toBe("500ms");
    expect(goDuration(1_500n)).toBe("1.5µs");
    expect(goDuration(7n)).toBe("7ns");
    expect(goDuration(-90n * MINUTE)).toBe("-1h30m0s");
  });

  test("as protobuf JSON prints them", () => {
    expect(formatDuration(600n * SECOND)).toBe("600s");
    expect(formatDuration(SECOND / 2n)).toBe("0.500s");
    expect(formatDuration(-SECOND / 2n)).toBe("-0.500s");
    expect(formatDuration(1_000n)).toBe("0.000001s");
    expect(formatDuration(1n)).toBe("0.000000001s");
  });

  test("for people in the two largest units that say something", () => {
    expect(durationToText(0n)).toBe("0 s");
    expect(durationToText(59n * SECOND)).toBe("59 s");
    expect(durationToText(MINUTE)).toBe("1 min");
    expect(durationToText(65n * SECOND)).toBe("1 min 5 s");
    expect(durationToText(HOUR + MINUTE + SECOND)).toBe("1 h 1 min");
    expect(durationToText(HOUR + SECOND)).toBe("1 h 1 s");
    expect(durationToText(48n * HOUR)).toBe("48 h");
    expect(durationToText(72n * HOUR - SECOND)).toBe("71 h 59 min");
    expect(durationToText(72n * HOUR)).toBe("3 d");
    expect(durationToText(73n * HOUR)).toBe("3 d 1 h");
    expect(durationToText(-30n * SECOND)).toBe("-30 s");
    expect(durationToText(MINUTE + SECOND / 2n)).toBe("1m0.5s");
  });

  test("both texts are read back", () => {
    fc.assert(
      fc.property(anyDuration, (d) => {
        expect(parseDuration(goDuration(d))).toBe(d);
        expect(parseDuration(formatDuration(d))).toBe(d);
      }),
    );
  });
});

test.each([
  [0n, "2026-01-01T00:00:00Z"],
  [100_000_000n, "2026-01-01T00:00:00.100Z"],
  [120_300_000n, "2026-01-01T00:00:00.120300Z"],
  [1n, "2026-01-01T00:00:00.000000001Z"],
])("Protobuf's JSON has 0, 3, 6 or 9 digits: %i", (nanos, text) => {
  expect(formatProtoTime(parseRfc3339("2026-01-01T00:00:00Z") + nanos)).toBe(text);
});
