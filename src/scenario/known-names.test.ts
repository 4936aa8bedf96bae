import { describe, expect, test } from "vitest";
import { parseScenario } from "./parse.ts";

const file = (...lines: string[]): string => ["scenario: 1", "name: test", ...lines].join("\n");

const withSteps = (...steps: string[]): string =>
  file(
    "genesis: { accounts: { alice: 1000000000stake } }",
    "steps:",
    ...steps.map((step) => `  - ${step}`),
  );

function faults(text: string): string[] {
  const read = parseScenario(text, "file.yaml");
  if ("scenario" in read) return [];
  return read.problems.map(({ path, line, message }) => `${line} ${path}: ${message}`);
}

describe("what a file says of its own world", () => {
  test("a block that the file's steps cannot have made yet is a fault; where it may be there it is none", () => {
    const early = "misbehavior: { type: duplicate_vote, validators: [val-0], height: 8 }";
    const made = "misbehavior: { type: duplicate_vote, validators: [val-0], height: 7 }";
    const text = (...steps: string[]) => faults(withSteps(...steps));
    expect(text("run: 3", "run: { to: 7 }", made)).toEqual([]);
    expect(text("run: 3", "run: { to: 7 }", "double_sign: { node: val-0 }", early)).toEqual([
      "8 steps[3].misbehavior.height: there is no block 8 yet: the chain is at height 7",
    ]);
    expect(text("run: { until: halted }", early)).toEqual([]);
    expect(text(early.replace(" }", ", time: 2026-01-01T00:00:00Z }"))).toEqual([]);
  });

  test("a store of any of the file's binaries has a name", () => {
    const step = '  - expect: { store: oracle, key: "00", value: absent }';
    const binaries = "binaries: { v2: { modules: { oracle: 1 } } }";
    expect(faults(file(binaries, "steps:", step))).toEqual([]);
    expect(faults(file("steps:", step))).toHaveLength(1);
  });

  test("a proposal of words only is for the chain to judge", () => {
    expect(
      faults(
        withSteps(
          "propose: { from: alice, title: words, messages: [], metadata: more }",
          "pass: { title: words, messages: [] }",
        ),
      ),
    ).toEqual([]);
  });
});
