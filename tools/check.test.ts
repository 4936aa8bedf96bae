import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const CHECK = fileURLToPath(new URL("check.mjs", import.meta.url));
const run = (flag: string) => spawnSync(process.execPath, [CHECK, flag], { encoding: "utf8" });

test.each(["--help", "-h"])(
  "npm run check -- %s prints what it takes, and checks nothing",
  (flag) => {
    const { status, stdout, stderr } = run(flag);
    expect([status, stdout.split("\n")[0], stderr]).toEqual([
      0,
      expect.stringContaining("npm run check [-- --all]"),
      "",
    ]);
  },
);

test("a flag that npm run check does not have is refused with exit status 2", () => {
  const { status, stdout, stderr } = run("--al");
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("unknown flag --al");
});
