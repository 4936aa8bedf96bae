import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chainlabIn } from "./command-line.testing.ts";
import { coverage } from "./scenario-lab.ts";

const folder = mkdtempSync(join(tmpdir(), "chainlab-coverage-"));
function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const run = (...line: readonly string[]) => chainlabIn({ coverage }, "coverage", ...line);
const slashed = file(
  "slashed.yaml",
  "scenario: 1\nname: slashed\nsteps:\n  - double_sign: { node: val-3 }\n  - run: 5\n",
);

test("what files reach is listed with how often, and beside the rest stands what would reach it", async () => {
  const quiet = file("quiet.yaml", "scenario: 1\nname: quiet\nsteps:\n  - run: 5\n");
  const { status, stdout } = await run(slashed, quiet);
  expect(status).toBe(0);
  expect(stdout).toContain(
    "  ✓ evidence/punished: slashed, jailed, tombstoned and stored (once in 1 of 2 files)\n",
  );
  expect(stdout).toContain(
    "  · evidence/ignored/tombstoned: ignored: the validator is tombstoned already\n      by a second double sign of one validator\n",
  );
  expect(stdout).not.toContain("error/staking/44");
  expect(stdout).toMatch(/\n3 of \d+ outcomes reached \(\d+ more can be reached by no file; --all/);
});

test("what no file can reach is listed with its reason, if it is asked for", async () => {
  const { stdout } = await run(slashed, "--all");
  expect(stdout).toContain(
    "  – error/staking/44: redelegation source validator not found\n      by no file: the delegation is looked up before the source, with staking 3\n",
  );
});

test("coverage is printed as one JSON object", async () => {
  const { status, stdout } = await run(slashed, "--json");
  expect(status).toBe(0);
  const { files, reached, reachable, total, outcomes } = JSON.parse(stdout);
  expect(files).toEqual([slashed]);
  expect([reached, outcomes.length, reachable < total]).toEqual([3, total, true]);
  expect(outcomes).toContainEqual(
    expect.objectContaining({ name: "evidence/punished", times: 1, files: [slashed] }),
  );
});

test("a step that fails is said, with status 1", async () => {
  const wrong = file(
    "wrong.yaml",
    "scenario: 1\nname: wrong\nsteps:\n  - run: 2\n  - expect: { chain: halted }\n",
  );
  const { status, stderr, stdout } = await run(wrong);
  expect(status).toBe(1);
  expect(stderr).toContain(`${wrong}: steps[1]: `);
  expect(stdout).toContain("0 of ");
});

test("a file that is not sound has its problems listed, nothing runs, and the status is 2", async () => {
  const broken = file("broken.yaml", "scenario: 1\nname: broken\nsteps:\n  - walk: 2\n");
  const { status, stderr, stdout } = await run(slashed, broken, join(folder, "missing.yaml"));
  expect(status).toBe(2);
  expect(stderr).toContain(`${broken}:4`);
  expect(stderr).toContain("missing.yaml:1: cannot be read");
  expect(stdout).toBe("");
});
