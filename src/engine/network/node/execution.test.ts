import { describe, expect, test } from "vitest";
import { fromHex } from "../../../base/from-hex.ts";
import type { HaltCause } from "../../framework/halt.ts";
import type { Applied } from "./applied.ts";
import { haltLines, hasDefaultFlags, headerMismatch, wrongAppHash } from "./execution.ts";

const applied = (appHash: string, resultsHash: string): Applied =>
  ({ appHash: fromHex(appHash), resultsHash: fromHex(resultsHash) }) as Applied;

describe("a header made on another state", () => {
  test("fits if app hash and results hash are the node's own", () => {
    expect(headerMismatch(applied("aa", "11"), applied("aa", "11"))).toBeUndefined();
  });

  test("differs in its app hash first", () => {
    const mismatch = { kind: "wrong_app_hash", expected: "AA", got: "BB" };
    expect(headerMismatch(applied("aa", "11"), applied("bb", "22"))).toEqual(mismatch);
    expect(wrongAppHash(fromHex("aa"), fromHex("bb"))).toEqual(mismatch);
  });

  test("else in the hash of the last results", () => {
    expect(headerMismatch(applied("aa", "1f"), applied("aa", "2f"))).toEqual({
      kind: "wrong_last_results_hash",
      expected: "1F",
      got: "2F",
    });
  });
});

describe("the last lines of a node's log", () => {
  const cause: HaltCause = { kind: "halt_height", height: 8, time: 0 };
  const text = "halt per configuration height 8 time 0";

  test("are the server's if the process exits", () => {
    expect(haltLines(cause, "exited")).toEqual([
      { level: "error", module: "server", text, last: true },
    ]);
  });

  test("are a panic behind those of the block if the process exits with its consensus", () => {
    const early: HaltCause = { kind: "binary_too_early", plan: "v2" };
    const lines = haltLines(early, "exited");
    const texts = (of: typeof lines): string[] => of.map(({ text }) => text);
    expect(texts(lines.slice(0, -1))).toEqual(texts(haltLines(early, "halted")));
    expect(lines.filter(({ last }) => last)).toEqual(lines.slice(-1));
    expect(lines.at(-1)?.text).toMatch(/^panic: BINARY UPDATED BEFORE TRIGGER! UPGRADE "v2"/);
    expect(haltLines({ ...early, onReplay: true }, "exited")).toHaveLength(1);
  });

  test("name the block that could not be applied if only consensus ends", () => {
    expect(haltLines(cause, "halted")).toEqual([
      {
        level: "error",
        module: "state",
        text: "error in proxyAppConn.FinalizeBlock",
        fields: { err: text },
      },
      {
        level: "error",
        module: "consensus",
        text: `CONSENSUS FAILURE!!! err="failed to apply block; error ${text}"`,
        last: true,
      },
    ]);
  });

  test("call a block invalid whose header does not fit", () => {
    const mismatch = wrongAppHash(fromHex("aa"), fromHex("bb"));
    expect(haltLines(mismatch, "halted")).toEqual([
      {
        level: "error",
        module: "consensus",
        text: 'CONSENSUS FAILURE!!! err="+2/3 committed an invalid block: wrong Block.Header.AppHash.  Expected AA, got BB"',
        last: true,
      },
    ]);
  });
});

test("neither skip heights nor a halt height are the default flags", () => {
  const skipUpgradeHeights = new Set<number>();
  const none = { skipUpgradeHeights, haltHeight: 0, haltTime: 0 };
  expect(hasDefaultFlags(none)).toBe(true);
  expect(hasDefaultFlags({ ...none, haltHeight: 1 })).toBe(false);
  expect(hasDefaultFlags({ ...none, haltTime: 1 })).toBe(false);
  expect(hasDefaultFlags({ ...none, skipUpgradeHeights: new Set([3]) })).toBe(false);
});
