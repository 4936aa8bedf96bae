import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { Rng } from "../src/base/rng.ts";
import { killNodes } from "./kill-nodes.ts";

test("a node that is killed at random moments, while clients send transactions and plan faults, loses nothing that it had acknowledged", async () => {
  const home = mkdtempSync(join(tmpdir(), "chainlab-kills-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const rng = Rng.seeded(inject("propertySeed"));
  const kills = inject("soak") ? 100 : 2;
  const { acknowledged, lost } = await killNodes(home, kills, () => rng.nextFloat());
  expect(lost).toEqual([]);
  // At least one before each kill.
  expect(acknowledged).toBeGreaterThanOrEqual(kills);
}, 1_200_000);
