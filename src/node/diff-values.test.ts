import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chainlabIn } from "./command-line.testing.ts";
import { otherValue } from "./scenario-lab.ts";

const run = (...line: readonly string[]) => chainlabIn({ withValue: otherValue }, "diff", ...line);

const folder = mkdtempSync(join(tmpdir(), "chainlab-diff-values-"));
function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const powerless = file(
  "powerless.yaml",
  "scenario: 1\nname: powerless\nsteps:\n  - run: 4\n  - misbehavior: { type: duplicate_vote, validators: [val-1], height: 2, power: 0 }\n  - run: 3\n",
);
const upgraded = file(
  "upgraded.yaml",
  "scenario: 1\nname: upgraded\nbinaries:\n  v2: { modules: { bank: 5 }, handlers: [v2] }\nsteps:\n  - upgrade: { name: v2, at: 20 }\n  - run: { until: halted }\n  - nodes: { which: all, binary: v2 }\n  - run: 3\n",
);

test("one file is compared with itself under another profile, down to the first event and key", async () => {
  const { status, stdout } = await run(powerless, "--with", "profile=sdk-0.53");
  expect(status).toBe(1);
  expect(stdout).toContain("genesis.profile: documented ≠ sdk-0.53");
  expect(stdout).toMatch(/Blocks that differ in more than hashes\n {2}5: /);
  expect(stdout).toMatch(/\nIn block 5, the first of them\n {2}event [^\n]+ ≠ [^\n]+\n {2}key /);
});

test("events that no hash covers come first where they differ in earlier blocks than hashes do", async () => {
  const { stdout } = await run(upgraded, "--with", "profile=sdk-0.53");
  expect(stdout).toMatch(
    /\nFirst difference: block 1\. Events .*\nHashes differ from block \d+ on\. .*\n\nSet otherwise/,
  );
});

test("of long values that begin alike the parts are said that differ", async () => {
  const idle = file(
    "idle.yaml",
    "scenario: 1\nname: idle\nbinaries:\n  v2: { modules: { bank: 5 }, handlers: [v2] }\nsteps: [{ run: 3 }]\n",
  );
  const { stdout } = await run(idle, "--with", "binaries.v2.migration=panic");
  expect(stdout).toMatch(/\nThey begin otherwise: binaries\.v2 is ….*"ok".* in A and ….*"panic"/);
});

test("another seed makes another chain, and the same one the same", async () => {
  const { status, stdout } = await run(powerless, "--with", "seed=2");
  expect(status).toBe(1);
  expect(stdout).toContain("seed is 1 in A and 2 in B. First difference: block 1.\n");
  expect(await run(powerless, powerless, "--with", "seed=1")).toMatchObject({ status: 0 });
});

test("a binary that does otherwise differs where it does", async () => {
  const { status, stdout } = await run(upgraded, "--with", "binaries.v2.migration=panic");
  expect(status).toBe(1);
  expect(stdout).toContain("block 19 of 19");
  expect(await run(upgraded, "--with", "binary=v2")).toMatchObject({ status: 1 });
});

test("several values are set together, and JSON has the first block that differs", async () => {
  const { stdout } = await run(
    ...[powerless, "--with", "profile=sdk-0.53", "--with", "slashing.signed_blocks_window=50"],
    ...["-o", "json"],
  );
  const { same, firstBlock } = JSON.parse(stdout);
  expect(same).toBe(false);
  expect(firstBlock.a.height).toBe(5);
});

test.each([
  [["--with", "profile"], "expected NAME=VALUE"],
  [["--with", "profile=other"], "--with profile=other: genesis.profile: "],
  [["--with", "walks=3"], "--with walks=3: genesis.walks: "],
  [["--with", "binary=v9"], "--with binary=v9: genesis.validators[0].binary: "],
  [["--with", "chain_id.deep=1", "--with", "chain_id.deep.er=1"], "genesis.chain_id"],
  [["--with", "__proto__.x=1"], "expected seed, binary, or keys with dots between them"],
  [[], "expected two to compare, or one with --with NAME=VALUE"],
])("%j is refused with what was expected", async (flags, expected) => {
  const { status, stderr } = await run(powerless, ...flags);
  expect(stderr).toContain(expected);
  expect(status).toBe(2);
});

test("worlds of a node have no other values", async () => {
  const { status, stderr } = await run("--home", folder, "a", "b", "--with", "seed=2");
  expect(stderr).toContain("--with: expected a scenario file, found the worlds of a node");
  expect(status).toBe(2);
});
