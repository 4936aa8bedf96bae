import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const REFUSED = fileURLToPath(new URL("./refused.testing.ts", import.meta.url));

const LINES: readonly (readonly [line: readonly string[], said: string])[] = [
  [["--bogus"], "Unknown option '--bogus'"],
  [["--again", "nofile"], "nofile: cannot be read: there is no such file"],
  [
    ["--again", fileURLToPath(new URL("../tsconfig.json", import.meta.url))],
    "there is no target tools; there are worlds, storage, files, decoders, requests, calls",
  ],
  [["--workers", "0"], '--workers: expected a number from 1 on, found "0"'],
  [["--minutes", "0"], '--minutes: expected a number from 0.001 on, found "0"'],
];

test("a command line that makes no sense is refused in a sentence with exit status 2", () => {
  const lines = JSON.stringify(LINES.map(([line]) => line));
  const given = ["--import", "tsx", REFUSED, lines];
  const { status, stdout } = spawnSync(process.execPath, given, { encoding: "utf8" });
  expect(JSON.parse(stdout)).toEqual(LINES.map(([, text]) => [2, text]));
  // As the last of them has left it.
  expect(status).toBe(2);
});
