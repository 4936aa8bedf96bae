import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { eventQueryText, matchesEvents, parseEventQuery, rangeOf } from "./event-query.ts";

const TX = {
  "tm.event": ["Tx"],
  "tx.hash": ["ABCD"],
  "tx.height": ["12"],
  "transfer.amount": ["8atom", "6.5stake"],
  "block.time": ["2026-01-02T03:04:05Z"],
  "block.day": ["2026-01-02"],
};

const matches = (query: string): boolean => matchesEvents(parseEventQuery(query), TX);

describe("queries of events", () => {
  test.each([
    ["tm.event='Tx'", true],
    ["tm.event = 'Tx' AND tx.hash='ABCD'", true],
    ["tm.event='Tx' AND tx.hash='abcd'", false],
    ["tm.event='NewBlock'", false],
    ["tx.height=12", true],
    ["tx.height=12.0", true],
    ["tx.height>11 AND tx.height<=12", true],
    ["tx.height>12", false],
    ["tx.height>=13", false],
    ["tx.height<9", false],
    ["tx.height='12'", true],
    ["transfer.amount=8", true],
    ["transfer.amount>6.4 AND transfer.amount<6.6", true],
    ["transfer.amount CONTAINS 'stake'", true],
    ["transfer.amount CONTAINS 'gold'", false],
    ["transfer.amount EXISTS", true],
    ["transfer EXISTS", true],
    ["trans EXISTS", false],
    ["tx.fee EXISTS", false],
    ["tx.hash>5", false],
    ["block.time >= TIME 2026-01-02T00:00:00Z", true],
    ["block.time < TIME 2026-01-02T04:04:05+01:00", false],
    ["block.day = DATE 2026-01-02", true],
    ["block.day < DATE 2026-01-02", false],
  ])("%s → %s", (query, expected) => {
    expect(matches(query)).toBe(expected);
  });

  test.each([
    ["", "offset 0: EOF"],
    ["nonsense", "offset 8: EOF"],
    [
      "a b",
      "offset 2: got tag, wanted <= operator, >= operator, < operator, > operator, = operator, CONTAINS operator or EXISTS operator",
    ],
    ["a=b", "offset 2: got tag, wanted number, timestamp, datestamp or string"],
    ["a<'5'", "offset 2: got string, wanted number, timestamp or datestamp"],
    ["a CONTAINS 5", "offset 11: got number, wanted string"],
    ["a=1 b=2", "offset 4: got tag, want AND operator"],
    ["a=1 AND", "offset 7: EOF"],
    ["a='x", "offset 2: EOF"],
    ["=1", "offset 0: got = operator, wanted tag"],
    ["a#1", "offset 1: invalid input # at offset 2"],
    ["é=ü", "offset 3: got tag, wanted number, timestamp, datestamp or string"],
    ["a=TIME 1800-01-01T00:00:00Z", "timestamp year 1800 out of range"],
    ["a=DATE yesterday", 'invalid DATE value: cannot parse ""'],
  ])("%s is refused: %s", (query, text) => {
    expect(() => parseEventQuery(query)).toThrow(text);
  });

  test("two texts that mean the same are one query", () => {
    expect(
      eventQueryText(parseEventQuery("a='x'  AND b>= 5 AND c EXISTS AND d=DATE 2026-01-02")),
    ).toBe("a = 'x' AND b >= 5 AND c EXISTS AND d = DATE 2026-01-02");
    expect(eventQueryText(parseEventQuery("t<TIME 2026-01-02T01:00:00+01:00"))).toBe(
      "t < TIME 2026-01-02T00:00:00Z",
    );
  });

  test.each([
    ["tx.height>5 AND tx.height<=8", [6, 8]],
    ["tx.height=7", [7, 7]],
    ["tx.height>=6.5 AND tx.height<7.5", [7, 7]],
    ["tx.height=6.5", [7, 6]],
    ["tx.height>6.5", [7, 99]],
    ["tx.height<5", [1, 4]],
    ["tx.height='7' AND other=3", [1, 99]],
    ["tx.height>99999999999999999999", [1e20 + 1, 99]],
  ])("%s leaves %j", (query, range) => {
    expect(rangeOf(parseEventQuery(query), "tx.height", 1, 99)).toEqual(range);
  });

  test("a name of JavaScript's own is a key like any other", () => {
    expect(matches("constructor EXISTS")).toBe(false);
    expect(matches("__proto__='x'")).toBe(false);
  });

  test("any text is read or refused in words, and never by a bug", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        try {
          parseEventQuery(text);
        } catch (error) {
          expect(error).not.toBeInstanceOf(TypeError);
          expect(error).not.toBeInstanceOf(RangeError);
          expect(error).not.toBeInstanceOf(SyntaxError);
        }
      }),
    );
  });
});
