/**
 * Vitest's global set-up: finds the seed of a run's property tests and their share of runs, and prints both. The seed
 * follows from what is committed: the same sources pass or fail alike everywhere, and every change draws anew.
 */
import { execFileSync } from "node:child_process";
import type { TestProject } from "vitest/node";
import type {} from "../src/base/property.testing.ts";
import { Rng } from "../src/base/rng.ts";
import { SOAK } from "./test-class.ts";

const SHARE = 0.3;

let printed = false;

export default function setUp(project: TestProject): void {
  const seed = propertySeed();
  const share = SOAK ? 1 : SHARE;
  // Each project of a run has the same.
  if (!printed) console.log(`Properties run with PROPERTY_SEED=${seed}, ${share} of their runs`);
  printed = true;
  project.provide("propertySeed", seed);
  project.provide("propertyShare", share);
  project.provide("soak", SOAK);
}

/** The seed that is asked for, or that of the sources. */
export const propertySeed = (): number => Number(process.env.PROPERTY_SEED ?? seedOfSources());

/** Numbers from 0 to below 1, the same in every run with that seed. */
export function seededRandom(seed = propertySeed()): () => number {
  const rng = Rng.seeded(seed);
  return () => rng.nextFloat();
}

function seedOfSources(): number {
  try {
    const tree = execFileSync("git", ["rev-parse", "HEAD^{tree}"], { encoding: "utf8" });
    return Number.parseInt(tree.slice(0, 7), 16);
  } catch {
    // Not a checkout.
    return Math.floor(Math.random() * 2 ** 31);
  }
}
