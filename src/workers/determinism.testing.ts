import { readdirSync, readFileSync } from "node:fs";
import type { TestProject } from "vitest/node";
import type {} from "../base/property.testing.ts";
import { Rng } from "../base/rng.ts";
import type { BundledRun } from "../scenario/bundled-runs.testing.ts";

/** A bundled scenario, and what it comes to in Node: node/bundled-scenarios.test.ts. */
export interface NodeRun {
  readonly file: string;
  readonly text: string;
  readonly run: BundledRun | undefined;
}

declare module "vitest" {
  interface ProvidedContext {
    nodeRuns: readonly NodeRun[];
  }
}

const SCENARIOS = new URL("../../public/scenarios/", import.meta.url);
const RUNS = new URL("../scenario/bundled-runs.json", import.meta.url);

/**
 * Share of the scenarios that run in a browser for each change; all of them do in `npm run soak`.
 */
const SHARE = 1 / 3;

/**
 * Bundled scenarios with their results in Node, for the tests that run them in a browser.
 *
 * @param seed draws a third of them; without one all are returned
 */
export function nodeRuns(seed?: number): NodeRun[] {
  const runs: Readonly<Record<string, BundledRun>> = JSON.parse(readFileSync(RUNS, "utf8"));
  const all = readdirSync(SCENARIOS).filter((file) => file.endsWith(".yaml"));
  if (all.length === 0) throw new Error(`there are no scenarios in ${SCENARIOS.pathname}`);
  return (seed === undefined ? all : drawn(all, seed)).map((file) => ({
    file,
    text: readFileSync(new URL(file, SCENARIOS), "utf8"),
    run: runs[file],
  }));
}

function drawn(files: readonly string[], seed: number): readonly string[] {
  const rng = Rng.seeded(seed).fork("scenarios in a browser");
  return files
    .map((file) => ({ file, lot: rng.nextFloat() }))
    .sort((a, b) => a.lot - b.lot)
    .slice(0, Math.ceil(files.length * SHARE))
    .map(({ file }) => file);
}

/** Must follow the set-up of tools/property-seed.ts, which provides the seed. */
export default function setup(project: TestProject): void {
  const { soak, propertySeed } = project.getProvidedContext();
  project.provide("nodeRuns", soak ? nodeRuns() : nodeRuns(propertySeed));
}
