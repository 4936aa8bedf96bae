/** Runs each bundled scenario once, and checks its results, its last block, its stored entries and its explanations. */
import { readdirSync, readFileSync } from "node:fs";
import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import { AnySchema, Int64ValueSchema, StringValueSchema } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toHexUpper } from "../base/bytes.ts";
import { describeEntry } from "../engine/app/describe.ts";
import { accelerateRecords } from "../engine/framework/codec.ts";
import { decodePlainly, encodePlainly } from "../engine/framework/records.ts";
import * as gov from "../gen/chain/gov/v1/gov_pb.ts";
import * as slashing from "../gen/chain/slashing/v1beta1/slashing_pb.ts";
import * as staking from "../gen/chain/staking/v1beta1/staking_pb.ts";
import { PlanSchema } from "../gen/chain/upgrade/v1beta1/upgrade_pb.ts";
import { bundledRun } from "../scenario/bundled-runs.testing.ts";
import { parseScenario } from "../scenario/parse.ts";
import { runScenario, type ScenarioReport } from "../scenario/report.ts";
import type { StepContext } from "../scenario/runner.ts";
import { type CoveredRun, coverageOf } from "../scenario/search/coverage.ts";
import { outcomesOf } from "../scenario/search/outcomes.ts";
import { WorldQueries } from "../view/lab/world-queries.ts";

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

/** Newest blocks that are queried: some scenarios have thousands. */
const BLOCKS = 120;

interface Ran {
  readonly report: ScenarioReport;
  readonly context: StepContext;
  readonly outcomes: CoveredRun["outcomes"];
}

const runs = new Map<string, Ran>();

/** The single run of a file, shared by all tests. */
function runOf(file: string): Ran {
  const known = runs.get(file);
  if (known !== undefined) return known;
  const read = parseScenario(readFileSync(new URL(file, FOLDER), "utf8"), file);
  if ("problems" in read) throw new Error(JSON.stringify(read.problems, undefined, 2));
  let context: StepContext | undefined;
  const report = runScenario(read.scenario, {
    file,
    onEnd: (end) => {
      context = end;
    },
  });
  if (context === undefined) throw new Error("it has no end");
  const ran = { report, context, outcomes: outcomesOf(context.sim) };
  runs.set(file, ran);
  return ran;
}

/** Every kind of entry that is a message. */
const MESSAGES: Readonly<Record<string, DescMessage>> = {
  "evidence: evidence": AnySchema,
  "gov: deposit": gov.DepositSchema,
  "gov: params": gov.ParamsSchema,
  "gov: proposal": gov.ProposalSchema,
  "gov: vote": gov.VoteSchema,
  "slashing: params": slashing.ParamsSchema,
  "slashing: public key": AnySchema,
  "slashing: signing info": slashing.ValidatorSigningInfoSchema,
  "staking: delegation": staking.DelegationSchema,
  "staking: last power": Int64ValueSchema,
  "staking: last total power": StringValueSchema,
  "staking: params": staking.ParamsSchema,
  "staking: redelegation": staking.RedelegationSchema,
  "staking: redelegation queue": staking.DVVTripletsSchema,
  "staking: unbonding": staking.UnbondingDelegationSchema,
  "staking: unbonding queue": staking.DVPairsSchema,
  "staking: validator": staking.ValidatorSchema,
  "staking: validator queue": staking.ValAddressesSchema,
  "upgrade: plan": PlanSchema,
};

/** Every other kind: texts, numbers, addresses, bits, or nothing. */
const OTHERS = [
  "bank: balance",
  "bank: denom owner",
  "bank: supply",
  "gov: end of deposit period",
  "gov: end of voting",
  "gov: in voting period",
  "gov: next proposal id",
  "oracle: version",
  "slashing: missed blocks",
  "staking: delegation by validator",
  "staking: power index",
  "staking: redelegation by destination",
  "staking: redelegation by source",
  "staking: unbonding by validator",
  "staking: validator by consensus address",
  "upgrade: done",
  "upgrade: protocol version",
  "upgrade: version",
];

/** Together these files store a message of every kind. */
const STORING = [
  "double-sign-then-redelegate.yaml",
  "downtime-jail-and-unjail.yaml",
  "removed-validator.yaml",
  "upgrade-with-handler.yaml",
  "veto-burns-deposit.yaml",
];

// With the generated record code, which determinism.browser.test.ts does without.
beforeAll(accelerateRecords);
afterAll(() => runs.clear());

describe("bundled scenarios", () => {
  test.each(FILES)("%s passes", (file) => {
    const { report } = runOf(file);
    expect(report.steps.filter(({ ok }) => !ok)).toEqual([]);
    expect(report.ok).toBe(true);
  });

  // After an intended change: npx vitest run --project node bundled-scenarios -u, then npm run gen
  test("each run comes to what is on file, as in every browser", async () => {
    const entries = FILES.map((file) => [file, bundledRun(runOf(file).context.sim)]);
    const text = `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`;
    await expect(text).toMatchFileSnapshot("../scenario/bundled-runs.json");
  });

  test.each([
    "evidence-submitted-by-client.yaml",
    "refused-by-governance.yaml",
    "tombstoned-key-created-anew-sdk.yaml",
    "upgrade-height-in-the-past.yaml",
  ])("%s comes to the same with types and paths under upstream's root", (file) => {
    const text = readFileSync(new URL(file, FOLDER), "utf8");
    const theirs = text.replace(/\/chain([./])/g, "/cosmos$1");
    const messages = text.replace(/(?<="@type": )\/chain\./g, "/cosmos.");
    expect(new Set([text, theirs, messages]).size).toBeGreaterThan(1);
    for (const renamed of [theirs, messages]) {
      const read = parseScenario(renamed, file);
      if ("problems" in read) throw new Error(JSON.stringify(read.problems));
      const report = runScenario(read.scenario, { file });
      expect(report.steps.filter(({ ok }) => !ok)).toEqual([]);
      expect(report.app_hash).toBe(runOf(file).report.app_hash);
    }
  });

  test.each(FILES)(
    "all that %s leads to is explained, each reason by a rule that there is",
    (file) => {
      const { context } = runOf(file);
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

  test("together they reach every outcome that a file can reach, and none that no file can", () => {
    const { outcomes, reached, reachable } = coverageOf(
      FILES.map((file) => ({ file, outcomes: runOf(file).outcomes })),
    );
    const named = (some: typeof outcomes) => some.map(({ name }) => name);
    expect(named(outcomes.filter(({ reachable: can, times }) => can && times === 0))).toEqual([]);
    expect(named(outcomes.filter(({ reachable: can, times }) => !can && times > 0))).toEqual([]);
    expect(reached).toBe(reachable);
  });

  test("what stores keep is written and read without the library", () => {
    const seen = new Set<string>();
    for (const file of STORING) {
      const { sim } = runOf(file).context;
      for (let height = sim.initialHeight; height <= sim.height; height++) {
        const state = sim.state(height);
        const app = sim.read((_, found) => found, height);
        for (const store of state.storeNames) {
          for (const { key, value, version } of state.reader(store).iterate()) {
            if (version !== height) continue;
            const kind = `${store}: ${describeEntry(app, store, key, value).kind}`;
            seen.add(kind);
            const schema = MESSAGES[kind];
            if (schema === undefined) continue;
            const message = decodePlainly(schema, value);
            if (message === undefined) throw new Error(`${kind} of ${file} is read by the library`);
            const init = message as MessageInitShape<DescMessage>;
            expect(encodePlainly(schema, init)).toEqual(value);
          }
        }
      }
    }
    expect([...seen].filter((kind) => kind in MESSAGES).sort()).toEqual(Object.keys(MESSAGES));
    expect([...seen].filter((kind) => !(kind in MESSAGES || OTHERS.includes(kind)))).toEqual([]);
  });
});
