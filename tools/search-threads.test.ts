import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { DOUBLE_SIGN } from "../src/scenario/search/families.testing.ts";
import { ran } from "./started-node.ts";

test("the command finds the same on one thread and on several", () => {
  const folder = mkdtempSync(join(tmpdir(), "chainlab-threads-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "family.yaml");
  writeFileSync(file, DOUBLE_SIGN.text);
  const search = (jobs: number, ...how: readonly string[]) => {
    const { status, stdout, stderr } = ran("search", file, "--json", "--jobs", `${jobs}`, ...how);
    expect(status, stderr).toBe(1);
    return JSON.parse(stdout);
  };
  const cases = inject("soak") ? 60 : 24;
  const runs = ["--runs", `${cases}`];
  const all = search(1, ...runs, "--all");
  expect(all.families[0]).toMatchObject({ cases, findings: [{ stepsBefore: 6 }] });
  expect(search(3, ...runs, "--all")).toEqual(all);
  expect(search(3, ...runs)).toEqual(search(1, ...runs));
});
