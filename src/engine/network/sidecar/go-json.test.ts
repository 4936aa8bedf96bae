import fc from "fast-check";
import { expect, test } from "vitest";
import { goJsonError } from "./go-json.ts";

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test("accepts exactly what JSON is", () => {
  const nearlyJson = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom("", "{", "]", ",", '"', "\\", "1", "-", ".", "e"))
    .map(([text, at, extra]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + extra + text.slice(place + 1);
    });
  fc.assert(
    fc.property(fc.oneof(fc.json(), nearlyJson, fc.string()), (text) => {
      expect(goJsonError(text) === undefined).toBe(parses(text));
    }),
  );
});

test.each([
  ["", "unexpected end of JSON input"],
  ['{"a":', "unexpected end of JSON input"],
  ['{"a":tr', "unexpected end of JSON input"],
  ["v2.0.0", "invalid character 'v' looking for beginning of value"],
  ["'x'", "invalid character '\\'' looking for beginning of value"],
  ["{a:1}", "invalid character 'a' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b":2}', "invalid character '\"' after object key:value pair"],
  ["[1 2]", "invalid character '2' after array element"],
  ["{} x", "invalid character 'x' after top-level value"],
  ["nul!", "invalid character '!' in literal null (expecting 'l')"],
  ['"a\nb"', "invalid character '\\n' in string literal"],
  ['"\\x"', "invalid character 'x' in string escape code"],
  ["-a", "invalid character 'a' in numeric literal"],
  ["1.x", "invalid character 'x' after decimal point in numeric literal"],
])("refuses %j as Go does", (text, reason) => {
  expect(goJsonError(text)).toBe(reason);
});

test.each(["[", '{"a":'])("refuses what nests too deep, as Go does: %s", (open) => {
  const close = open === "[" ? "]" : "}";
  const nested = (depth: number) => `${open.repeat(depth - 1)}[]${close.repeat(depth - 1)}`;
  expect(goJsonError(nested(1_000))).toBeUndefined();
  expect(goJsonError(nested(1_001))).toBe("invalid character '[' exceeded max depth");
  expect(goJsonError(open.repeat(200_000))).toMatch(/exceeded max depth$/);
});
