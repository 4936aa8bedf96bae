import { expect, test } from "vitest";
import { clausesIn, coinagesIn, namesIn, patternsOverSentences, shapeOf } from "./source-words.ts";

const coinages = (file: string, text: string) => coinagesIn(file, namesIn(file, text));

test("a coinage is found as a word of a name, however the name is written", () => {
  const text = "const lastVain = 1;\nlet LAST_HEARD = 2;\nclass Node { #takeOver() {} }";
  expect(coinages("x.ts", text)).toEqual([
    "x.ts:1  lastVain (failed round)",
    "x.ts:2  LAST_HEARD (delivered)",
    "x.ts:3  takeOver (copy from, merge)",
  ]);
});

test("a coinage is found in the name of a file and on the wire", () => {
  expect(coinages("src/network/second-votes.ts", "")).toHaveLength(1);
  expect(coinages("x.proto", "// a machine\nmessage Standing {}")).toEqual([
    "x.proto:2  Standing (chain status)",
  ]);
});

test("parts of words, texts and comments are no names", () => {
  expect(coinages("x.ts", '// hearing\nconst block = "away", seating = 1, rewarded = 2;')).toEqual(
    [],
  );
});

test("a pattern over a phrase is found; one over a form is not", () => {
  const text =
    "const a = /^[0-9]+ of ([0-9]+) bonded/;\nconst b = /proposal (\\d+): no quorum/;\nconst c = /^\\d+$/;";
  expect(patternsOverSentences("x.ts", text)).toEqual([
    "x.ts:1  /^[0-9]+ of ([0-9]+) bonded/",
    "x.ts:2  /proposal (\\d+): no quorum/",
  ]);
});

test("long functions are found wherever they stand, and casts but for those to a constant", () => {
  const text =
    "const a = () => {\n\n};\nclass B {\n  c() {\n\n\n    return 1 as unknown as B;\n  }\n}\nconst d = [1] as const;";
  expect(shapeOf("x.ts", text, 3)).toEqual({
    functions: ["x.ts:5  5"],
    casts: ["x.ts:8", "x.ts:8"],
  });
});

test("a comment that begins with a clause is found; one that goes on with it is not", () => {
  const text =
    "/** What it is. */\n// Whether it is.\n/**\n * What else. */\n// Says what it is. What more?\n";
  expect(clausesIn("x.ts", text).map((one) => one.split(" ")[0])).toEqual([
    "x.ts:1",
    "x.ts:2",
    "x.ts:3",
  ]);
});
