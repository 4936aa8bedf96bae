import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { importLines, runLine, testOf } from "./same-run.ts";

test.each(["upgrade.yaml", "my file's $HOME `x`.yaml", 'a"b.yaml', "ü ; rm.yaml"])(
  "a shell hands %j over as one word",
  (file) => {
    const script = `npx() { printf '%s\\n' "$@"; }\n${runLine(file)}`;
    const words = execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\n");
    expect(words).toEqual(["chainlab", "run", file, ""]);
  },
);

test.each(["-h.yaml", "--json", "-rf *.yaml"])("%j is a file and no option", (file) => {
  const script = `npx() { printf '%s\\n' "$@"; }\n${runLine(file)}\n${importLines(file)}`;
  const words = execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\n");
  expect(words[2]).toBe(`./${file}`);
  expect(words[6]).toBe(`./${file}`);
});

test("the commands for a world's file import it and ask it", () => {
  expect(importLines("otter.chainlab").split("\n")).toEqual([
    "npx chainlab worlds import otter.chainlab --data lab",
    "npx chainlab query chain-status --data lab",
    "",
  ]);
});

test("a test names its file and its title as they are", () => {
  const text = testOf('A "double" sign', "it's.yaml");
  expect(text).toContain('test("A \\"double\\" sign", { timeout: 600_000 }, () => {');
  expect(text).toContain('join(import.meta.dirname, "it\'s.yaml")');
});
