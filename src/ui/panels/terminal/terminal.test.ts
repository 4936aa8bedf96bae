import { describe, expect, test } from "vitest";
import { shellLine } from "../api/calls.ts";
import { completed, inColumns } from "./complete.ts";
import { keysOf, LineEditor } from "./line-editor.ts";
import { readLine } from "./words.ts";

describe("a line as words", () => {
  test.each([
    ["", []],
    ["  query   bank ", ["query", "bank"]],
    ["a 'b c' \"d e\" f\\ g", ["a", "b c", "d e", "f g"]],
    ["it\\'s '' a\"b\"c", ["it's", "", "abc"]],
    ['"a\\"b" \'c\\d\'', ['a"b', "c\\d"]],
  ])("%j", (line, words) => {
    expect(readLine(line)).toMatchObject({ words, open: "" });
  });

  test("that was written for a shell is read back", () => {
    const words = ["a b", "it's", "$HOME", '"', "\\", "", "a'b'c", "ä"];
    expect(readLine(shellLine(words)).words).toEqual(words);
  });

  test("that is not finished says where its last word begins, and which quote is open", () => {
    expect(readLine("query 'a b")).toMatchObject({ last: "a b", lastAt: 6, open: "'" });
    expect(readLine("query ")).toMatchObject({ last: "", lastAt: 6 });
  });
});

describe("the line being typed", () => {
  const typed = (data: string, editor = new LineEditor()) => {
    for (const key of keysOf(data)) if (editor.key(key) === "run") editor.submit();
    return editor;
  };
  const line = (data: string) => {
    const { text, at } = typed(data).line;
    return `${text.slice(0, at)}|${text.slice(at)}`;
  };
  const UP = "\x1b[A";
  const DOWN = "\x1b[B";
  const LEFT = "\x1b[D";

  test.each([
    ["characters go in where the cursor is", `ac${LEFT}b`, "ab|c"],
    ["and go out before and behind it", `abc${LEFT}\x7f\x1b[3~`, "a|"],
    ["a character of two halves is one", `a😀${LEFT}`, "a|😀"],
    ["or is deleted as one", "a😀\x7f", "a|"],
    ["to the start and the end", "abc\x01x\x05y", "xabcy|"],
    ["Home and End", "abc\x1b[Hx\x1b[Fy", "xabcy|"],
    ["by words", "query bank x\x1bb\x1b[1;5D", "query |bank x"],
    ["a word before is deleted", "query bank \x17", "query |"],
    ["all before is deleted", `abc${LEFT}\x15`, "|c"],
    ["all behind is deleted", `abc${LEFT}\x0b`, "ab|"],
    ["a sequence that means nothing does nothing", "a\x1b[99~\x1b[5~b\x00\u200b", "ab|"],
    ["the line before comes back", `one\rtwo\r${UP}${UP}`, "one|"],
    ["no further than the first", `one\r${UP}${UP}${UP}`, "one|"],
    ["and what was being typed, too", `one\rtw${UP}${DOWN}`, "tw|"],
    ["a line that was repeated is there once", `one\rtwo\rtwo\r \r${UP}${UP}`, "one|"],
  ])("%s", (_, data, expected) => {
    expect(line(data)).toBe(expected);
  });

  test("no more lines are remembered than anyone looks through", () => {
    const editor = typed(Array.from({ length: 600 }, (_, i) => `line ${i}\r`).join(""));
    expect(editor.history).toHaveLength(500);
    expect(editor.history[0]).toBe("line 100");
  });
});

describe("what is completed", () => {
  test.each([
    ["by the one word that fits", "query ba", ["bank"], "query bank ", []],
    ["as far as all that fit agree", "query s", ["staking", "status"], "query sta", []],
    [
      "by nothing where they differ",
      "query sta",
      ["staking", "status"],
      "query sta",
      ["staking", "status"],
    ],
    ["by nothing where none fits", "query x", ["bank"], "query x", []],
    ["from nothing", "query ", ["bank"], "query bank ", []],
  ])("%s", (_, text, proposed, longer, ways) => {
    expect(completed(text, proposed)).toEqual({ text: longer, ways });
  });

  test("ways stand in as many columns as fit, one below the other", () => {
    expect(inColumns(["a", "bb", "ccc", "d"], 12)).toBe("a    ccc\nbb   d");
    expect(inColumns(["a", "bb"], 2)).toBe("a\nbb");
  });
});
