import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { WorldQueries } from "../api/lab/world-queries.ts";
import { toHexUpper } from "../engine/primitives/bytes.ts";
import { createContext } from "./create-context.ts";
import { parseScenario } from "./parse.ts";
import { drain } from "./report.ts";
import { runStep } from "./runner.ts";

const FOLDER = new URL("../../public/scenarios/", import.meta.url);
const RULES = new URL("../../docs/rules/", import.meta.url);
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith(".yaml"));

const rules = new Set(
  readdirSync(RULES).flatMap((file) =>
    [...readFileSync(new URL(file, RULES), "utf8").matchAll(/^\*\*(\d+\.\d+) /gm)].map(
      ([, number]) => `${file.replace(".md", "")} ${number}`,
    ),
  ),
);

/** Blocks that are asked about, the newest: some scenarios have thousands. */
const BLOCKS = 120;

test.each(FILES)(
  "all that %s leads to is explained, each reason by a rule that there is",
  (file) => {
    const read = parseScenario(readFileSync(new URL(file, FOLDER), "utf8"), file);
    if ("problems" in read) throw new Error(JSON.stringify(read.problems));
    const context = createContext(read.scenario);
    for (const [i, step] of read.scenario.steps.entries()) drain(runStep(context, step, i));
    const { sim } = context;
    const queries = new WorldQueries(sim, context.follow);
    const explain = (kind: string, id: string | number) => {
      const answer = queries.lab("getExplanation", { kind, id: String(id) });
      expect(answer.because).toMatch(/.\.?$/);
      for (const { rule, what, found } of answer.reasons) {
        expect([kind, id, rules.has(rule), what !== "", found !== ""]).toEqual([
          kind,
          id,
          true,
          true,
          true,
        ]);
      }
      return answer;
    };
    const first = Math.max(sim.initialHeight, sim.height - BLOCKS);
    for (let height = first; height <= sim.height; height++) {
      expect(explain("block", height).reasons.length).toBeGreaterThan(3);
      for (const tx of sim.block(height)?.txs ?? []) {
        const { reasons } = explain("tx", toHexUpper(tx.hash));
        expect(reasons.at(-1)?.outcome).toBe(tx.code === 0 ? "ok" : "refused");
      }
    }
    explain("block", sim.decidedHeight + 1);
    for (const { id } of queries.lab("getEvidence", {}).lines) explain("evidence", id);
    for (const { proposal } of queries.lab("getGovernance", {}).proposals) {
      explain("proposal", proposal?.id ?? 0);
    }
    for (const { name, tombstoned } of queries.lab("getValidators", {}).validators) {
      const told = explain("validator", name).reasons.map(({ rule }) => rule);
      if (tombstoned) expect(told).toContain("slashing 2.3");
    }
    const { plan, applied, endedPlans } = context.follow().frames.build({});
    for (const { name } of [...(plan?.name ? [plan] : []), ...applied, ...endedPlans]) {
      explain("plan", name);
    }
  },
);
