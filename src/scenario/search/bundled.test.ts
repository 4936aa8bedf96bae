import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readSourceObject } from "../parse.ts";
import { runScenario } from "../report.ts";
import { runBatch } from "./run-batch.ts";
import { shrink } from "./shrink.ts";
import { familyOf } from "./testing.ts";

const FOLDER = new URL("../../../public/families/", import.meta.url);
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith(".yaml"));
const textOf = (file: string) => readFileSync(new URL(file, FOLDER), "utf8");

/** Some cases come before the first that violates, of which shrinking takes no longer than of others. */
const SEED = 3;

/** The property that each family violates, and words of the necessary steps. */
const TRAPS: Readonly<Record<string, readonly [property: string, ...steps: string[]]>> = {
  "late-cancellation.yaml": [
    "the vote to call it off comes to its end",
    "name: v2",
    "cancel: true",
  ],
  "lost-signer-state.yaml": [
    "an honest validator is slashed for a double sign",
    "lose_signer_state",
    "binary: v2",
  ],
  "skipped-height.yaml": ["nodes come to different states", "skip_upgrades", "binary: v2"],
};

describe("bundled families", () => {
  test.each(FILES)("%s is told as it is written, and passes", (file) => {
    const { source, vary, disturb } = familyOf(textOf(file), file);
    expect(source).toMatchObject({ name: file.replace(".yaml", ""), title: expect.anything() });
    expect(vary.length + disturb.length).toBeGreaterThan(1);
    const read = readSourceObject(source);
    if ("problems" in read) throw new Error(JSON.stringify(read.problems));
    const { ok, steps, violations, unasked } = runScenario(read.scenario, { file });
    expect(steps.filter((step) => !step.ok)).toEqual([]);
    expect({ ok, violations, unasked }).toEqual({ ok: true, violations: [], unasked: [] });
  });

  test.each(FILES)("%s has a trap that few of its cases find, in at most 8 steps", (file) => {
    const family = { file, text: textOf(file), imports: {} };
    const { count, violated, unsound } = runBatch({
      family,
      seed: SEED,
      first: 0,
      count: 300,
      untilFirst: true,
    });
    const [found] = violated;
    if (found === undefined) throw new Error("the trap was not found");
    const [property, ...parts] = TRAPS[file] ?? [""];
    expect(found.violation.property).toBe(property);
    expect(unsound).toBe(0);
    const { steps, scenario, counterfactual } = shrink({ family, seed: SEED, found });
    expect(count).toBeLessThan(300);
    expect(steps.length).toBeLessThanOrEqual(8);
    for (const part of parts) expect(scenario).toContain(part);
    expect(counterfactual).toBeDefined();
  });
});
