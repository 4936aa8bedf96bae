/**
 * Vitest's global set-up: finds the seed of a run's property tests and their share of runs, and prints both. The seed
 * follows from what is committed: the same sources pass or fail alike everywhere, and every change draws anew.
 */
import { execFileSync } from "node:child_process";
import type { TestProject } from "vitest/node";
import type {} from "../src/base/property.testing.ts";
import { SOAK } from "./test-class.ts";

const SHARE = 0.3;

let printed = false;

export default function setUp(project: TestProject): void {
  const seed = Number(process.env.PROPERTY_SEED ?? seedOfSources());
  const share = SOAK ? 1 : SHARE;
  // Each project of a run has the same.
  if (!printed) console.log(`Properties run with PROPERTY_SEED=${seed}, ${share} of their runs`);
  printed = true;
  project.provide("propertySeed", seed);
  project.provide("propertyShare", share);
  project.provide("soak", SOAK);
}

export function seedOfSources(): number {
  try {
    const tree = execFileSync("git", ["rev-parse", "HEAD^{tree}"], { encoding: "utf8" });
    return Number.parseInt(tree.slice(0, 7), 16);
  } catch {
    // Not a checkout.
    return Math.floor(Math.random() * 2 ** 31);
  }
}
