import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseScenario } from "./parse.ts";
import { runScenario } from "./report.ts";
import type { Scenario } from "./scenario.ts";

const FOLDER = new URL("../../public/scenarios/", import.meta.url);
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith(".yaml"));

function load(file: string): Scenario {
  const read = parseScenario(readFileSync(new URL(file, FOLDER), "utf8"), file);
  if ("problems" in read) throw new Error(JSON.stringify(read.problems, undefined, 2));
  return read.scenario;
}

describe("bundled scenarios", () => {
  test.each(FILES)("%s passes, and twice the same", (file) => {
    const scenario = load(file);
    const report = runScenario(scenario, { file });
    expect(report.steps.filter(({ ok }) => !ok)).toEqual([]);
    expect(report.ok).toBe(true);
    expect(runScenario(scenario, { file })).toEqual(report);
  });

  test.each(FILES)("%s tells a newcomer what it is about", (file) => {
    const { name, title, about, steps } = load(file);
    expect(`${name}.yaml`).toBe(file);
    expect(title).not.toBe(name);
    expect(about).not.toBe("");
    expect(steps.some(({ note }) => note !== undefined)).toBe(true);
  });
});
