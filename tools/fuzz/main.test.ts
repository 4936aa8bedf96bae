import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));

test.each([
  [["--bogus"], "Unknown option '--bogus'"],
  [["--again", "nofile"], "nofile: cannot be read: there is no such file"],
])("%j is refused in a sentence with exit status 2", (given, said) => {
  const ended = spawnSync(process.execPath, ["--import", "tsx", MAIN, ...given], {
    encoding: "utf8",
  });
  expect([ended.status, ended.stderr.trim()]).toEqual([2, said]);
});
