import { expect, test } from "vitest";
import { csvRow } from "./csv.ts";

test("text is quoted where RFC 4180 has it so, and numbers are as they are", () => {
  expect(csvRow([1, -2.5, "a", ""])).toBe("1,-2.5,a,\r\n");
  expect(csvRow(['say "it"', "a,b", "two\nlines", "return\r"])).toBe(
    '"say ""it""","a,b","two\nlines","return\r"\r\n',
  );
});

test("what a spreadsheet would run has an apostrophe before it, and a number has none", () => {
  const formulas = ["=1+1", "+1", "-x", "@sum", "\t=1", "\r=1", "-1-1"];
  expect(formulas.map((text) => csvRow([text]).replaceAll('"', ""))).toEqual(
    formulas.map((text) => `'${text}\r\n`),
  );
  expect(csvRow(["-5", "-0.25", "5000000stake", "a=1"])).toBe("-5,-0.25,5000000stake,a=1\r\n");
});
