import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));

test.each([
  [["--bogus"], "Unknown option '--bogus'"],
  [["--again", "nofile"], "nofile: cannot be read: there is no such file"],
  [
    ["--again", fileURLToPath(new URL("../tsconfig.json", import.meta.url))],
    "there is no target tools; there are worlds, storage, files, decoders, requests, calls",
  ],
  [["--workers", "0"], '--workers: expected a number from 1 on, found "0"'],
  [["--minutes", "0"], '--minutes: expected a number from 0.001 on, found "0"'],
])("%j is refused in a sentence with exit status 2", (given, said) => {
  const ended = spawnSync(process.execPath, ["--import", "tsx", MAIN, ...given], {
    encoding: "utf8",
  });
  expect([ended.status, ended.stderr.trim()]).toEqual([2, said]);
});
