import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { firstMismatch, show } from "./match.ts";

describe("subset match", () => {
  const found = { evidence: [{ height: "3", power: "100" }, { height: "4" }], next_key: null };

  test("keys that are not expected do not matter", () => {
    expect(firstMismatch({ evidence: [{ height: "3" }] }, found)).toBeUndefined();
    expect(firstMismatch({}, found)).toBeUndefined();
    expect(firstMismatch({ next_key: null }, found)).toBeUndefined();
  });

  test("lists are compared by position", () => {
    expect(firstMismatch({ evidence: [{}, { height: "4" }] }, found)).toBeUndefined();
    expect(firstMismatch({ evidence: [{ height: "4" }] }, found)).toEqual({
      path: "evidence[0].height",
      expected: "4",
      found: "3",
    });
  });

  test("a list may be longer than expected, but an empty one means empty", () => {
    expect(firstMismatch([1], [1, 2])).toBeUndefined();
    expect(firstMismatch([1, 2], [1])).toEqual({ path: "[1]", expected: 2, found: undefined });
    expect(firstMismatch([], [1])).toEqual({ path: "", expected: [], found: [1] });
    expect(firstMismatch([], [])).toBeUndefined();
  });

  test("kinds do not mix", () => {
    expect(firstMismatch("1", 1)).toBeDefined();
    expect(firstMismatch({}, [])).toBeDefined();
    expect(firstMismatch([], {})).toBeDefined();
    expect(firstMismatch({}, null)).toBeDefined();
    expect(firstMismatch(null, undefined)).toBeDefined();
    expect(firstMismatch({ a: { b: 1 } }, { a: 1 }, "json")).toMatchObject({ path: "json.a" });
  });

  test("everything matches itself", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.parse(JSON.stringify(value)) as unknown;
        expect(firstMismatch(json, json)).toBeUndefined();
      }),
    );
  });
});

test("what was found is shown in full unless it is long", () => {
  expect(show(undefined)).toBe("nothing");
  expect(show({ a: [1] })).toBe('{"a":[1]}');
  expect(show("x".repeat(1000))).toHaveLength(298);
});
