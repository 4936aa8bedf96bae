/** Vitest's global set-up: draws the seed of a run's property tests, and says it, so that any run can be had again. */
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    propertySeed: number;
  }
}

export default function setUp(project: TestProject): void {
  const seed = Number(process.env.PROPERTY_SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`Properties run with PROPERTY_SEED=${seed}`);
  project.provide("propertySeed", seed);
}
