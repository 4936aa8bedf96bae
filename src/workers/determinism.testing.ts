import { readdirSync, readFileSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { type AppHashes, hashesOf } from "./scenario-hashes.testing.ts";

/** What a scenario file came to in Node. */
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

/** Runs every bundled scenario in Node, for the tests that run them again in a browser. */
export function nodeRuns(): NodeRun[] {
  const files = readdirSync(SCENARIOS).filter((file) => file.endsWith(".yaml"));
  if (files.length === 0) throw new Error(`there are no scenarios in ${SCENARIOS.pathname}`);
  return files.map((file) => {
    const text = readFileSync(new URL(file, SCENARIOS), "utf8");
    return { file, text, hashes: hashesOf(text, file) };
  });
}

export default function setup(project: TestProject): void {
  project.provide("nodeRuns", nodeRuns());
}
