import { readdirSync, readFileSync } from "node:fs";
import type { TestProject } from "vitest/node";
import type {} from "../base/property.testing.ts";
import { Rng } from "../base/rng.ts";
import { type AppHashes, hashesOf } from "./scenario-hashes.testing.ts";

/** Result of a scenario file in Node. */
export interface NodeRun {
  readonly file: string;
  readonly text: string;
  readonly hashes: AppHashes;
}

declare module "vitest" {
  interface ProvidedContext {
    nodeRuns: readonly NodeRun[];
  }
}

const SCENARIOS = new URL("../../public/scenarios/", import.meta.url);

/**
 * Share of the scenarios that run in a browser for each change; all of them do in `npm run soak`.
 */
const SHARE = 1 / 3;

/**
 * Runs bundled scenarios in Node, for the tests that run them again in a browser.
 *
 * @param seed draws a third of them; without one all run
 */
export function nodeRuns(seed?: number): NodeRun[] {
  const all = readdirSync(SCENARIOS).filter((file) => file.endsWith(".yaml"));
  if (all.length === 0) throw new Error(`there are no scenarios in ${SCENARIOS.pathname}`);
  const files = seed === undefined ? all : drawn(all, seed);
  return files.map((file) => {
    const text = readFileSync(new URL(file, SCENARIOS), "utf8");
    return { file, text, hashes: hashesOf(text, file) };
  });
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
