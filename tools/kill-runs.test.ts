import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, inject, test } from "vitest";
import { Rng } from "../src/base/rng.ts";
import { killRuns } from "./kill-runs.ts";

const ROOT = mkdtempSync(join(tmpdir(), "chainlab-kills-"));
afterAll(() => rmSync(ROOT, { recursive: true, force: true }));

/** Every fourth step needs the result of one before it, which a restart must bring back. */
const STEPS = Array.from({ length: 12 }, (_, i) => [
  { run: 40 },
  { propose: { from: "val-0", title: `remark ${i}`, messages: [], metadata: "m" }, as: `p${i}` },
  { vote: { proposal: `$p${i}`, option: "yes" } },
  { run: { until: { proposal: `$p${i}`, is: "passed" } } },
]).flat();

test("a run that is killed at random moments loses no step that it had printed, and ends like one that is not", async () => {
  const file = join(ROOT, "remarks.json");
  writeFileSync(file, JSON.stringify({ scenario: 1, name: "remarks", steps: STEPS }));
  const rng = Rng.seeded(inject("propertySeed"));
  const folder = join(ROOT, "data");
  const kills = inject("soak") ? 10 : 4;
  const result = await killRuns(file, folder, kills, () => rng.nextFloat());
  const { acknowledged, lost, ends } = result;
  expect([result.kills, lost]).toEqual([kills, []]);
  // A kill between a write and the lines of its steps leaves some that are done and were not printed.
  expect(acknowledged).toBeGreaterThanOrEqual(STEPS.length / 2);
  expect(ends[0]).toMatch(/^passed at height \d+, app hash [0-9A-F]{64}$/);
  expect(new Set(ends).size).toBe(1);
}, 300_000);
