import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseScenario } from "../parse.ts";
import { runScenario } from "../report.ts";

const FOLDER = new URL("./", import.meta.url);

test.each(readdirSync(FOLDER).filter((file) => file.endsWith(".yaml")))(
  "%s goes as operators reported it",
  (file) => {
    const read = parseScenario(readFileSync(new URL(file, FOLDER), "utf8"), file);
    if ("problems" in read) throw new Error(JSON.stringify(read.problems, undefined, 2));
    const { ok, steps, violations } = runScenario(read.scenario, { file });
    expect(steps.filter((step) => !step.ok)).toEqual([]);
    expect({ ok, violations }).toEqual({ ok: true, violations: [] });
  },
);
