/**
 * Vitest's global set-up: finds the seed of a run's property tests, and says it. It follows from what
 * is committed: the same sources pass or fail alike everywhere, and every change draws anew.
 */
import { execFileSync } from "node:child_process";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    propertySeed: number;
  }
}

export default function setUp(project: TestProject): void {
  const seed = Number(process.env.PROPERTY_SEED ?? seedOfSources());
  console.log(`Properties run with PROPERTY_SEED=${seed}`);
  project.provide("propertySeed", seed);
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
