import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../base/property.testing.ts";
import { type CampaignOptions, runCampaign } from "./campaign.ts";
import { inOrder } from "./disturbances.ts";
import { caseOf, drawChoices } from "./draw.ts";
import { DOUBLE_SIGN, fileOf, STOPPED } from "./families.testing.ts";
import type { Family } from "./family.ts";
import { ancestorsOf, caseName, choicesOfCase } from "./lineage.ts";
import { localWorkers } from "./local-workers.ts";
import { runBatch } from "./run-batch.ts";
import type { Batch, BatchResult, CaseWorkers, ShrinkRequest } from "./search.ts";
import { shrink } from "./shrink.ts";
import { familyOf } from "./testing.ts";

const NIGHT = `
scenario: 1
name: night
genesis: { validators: 7 }
never: [{ chain: halted }]
vary: [{ at: "steps[0].run.rounds", range: [20, 40] }]
disturb: { from: 1, most: 6, kinds: [crash, stop, restart, slow, mute, lose_signer_state] }
steps:
  - run: { rounds: 30 }
`;

/** Disturbances that a case must contain in this order. */
const TRAP = [
  ["restart", "val-2"],
  ["lose_signer_state", "val-0"],
  ["mute", "val-5"],
] as const;

/** Number of steps of the trap that a case contains. */
function depthOf(family: Family, { seed, corpus }: Batch, number: number): number {
  const choices = choicesOfCase(family, seed, number, ancestorsOf(seed, number, corpus));
  let depth = 0;
  for (const { kind, node } of inOrder(choices.disturb.flat())) {
    const [wanted, of] = TRAP[depth] ?? [];
    if (kind === wanted && node === of) depth += 1;
  }
  return depth;
}

/** Workers whose cases run no chain: a case's features are its steps of the trap. */
function trapped(family: Family, schedule: () => Promise<void> = async () => {}): CaseWorkers {
  return {
    size: 4,
    async run(batch): Promise<BatchResult> {
      await schedule();
      const violated: BatchResult["violated"][number][] = [];
      const features: Record<string, number> = {};
      for (let number = batch.first; number < batch.first + batch.count; number++) {
        const depth = depthOf(family, batch, number);
        if (depth < TRAP.length) features[`depth ${depth}`] ??= number;
        else violated.push({ number, violation: VIOLATION });
      }
      const { first, count } = batch;
      return {
        ...{ first, count, violated, unfinished: 0, unsound: 0, outcomes: {} },
        ...{ reached: [], asked: [], ...(batch.corpus && { features }) },
      };
    },
    async shrink({ seed, ancestors, found }: ShrinkRequest) {
      await schedule();
      const { number, violation } = found;
      const case_ = { seed, number, violation, ...(ancestors && { ancestors }) };
      return { ...case_, stepsBefore: 0, steps: [], scenario: "", log: [] };
    },
    close: async () => {},
  };
}
const VIOLATION = { property: "trap", kind: "never", height: 9, message: "it is there" } as const;

/** Number of cases until the trap is found. */
async function casesUntilFound(seed: number, how: Partial<CampaignOptions>): Promise<number> {
  const options = { seed, all: false, runs: 20_000, batchCases: 100, ...how };
  const report = await runCampaign(trapped(familyOf(NIGHT)), [fileOf(NIGHT)], options);
  const [first] = report.families[0]?.violated ?? [];
  return first?.first ?? Number.POSITIVE_INFINITY;
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;

describe("a coverage-guided search", () => {
  test("finds three things in their order in a tenth of the cases that blind draws take", async () => {
    const seeds = [1, 2, 3, 4, 5];
    const guided = await Promise.all(seeds.map((seed) => casesUntilFound(seed, { guided: true })));
    const blind = await Promise.all(seeds.map((seed) => casesUntilFound(seed, {})));
    expect(Math.max(...guided)).toBeLessThan(20_000);
    expect(median(guided) * 10).toBeLessThan(median(blind));
  });

  test("finds the same whatever the number of workers, their order and the size of batches", async () => {
    const family = familyOf(NIGHT);
    const options = { seed: 3, all: true, runs: 1_500, guided: true };
    const whole = await runCampaign(trapped(family), [fileOf(NIGHT)], options);
    expect(whole.families[0]?.coverage?.corpus.length).toBeGreaterThan(1);
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 70 }),
        async (scheduler, size, batchCases) => {
          const workers = trapped(family, () => scheduler.schedule(Promise.resolve()));
          const report = runCampaign({ ...workers, size }, [fileOf(NIGHT)], {
            ...{ ...options, batchCases },
          });
          await scheduler.waitFor(report);
          expect(await report).toEqual(whole);
        },
      ),
      { numRuns: propertyRuns(6) },
    );
  });

  test("ends when so many generations in a row have reached nothing new, and says after how many", async () => {
    const options = { seed: 1, all: true, guided: true, runs: 100_000, plateau: 3 };
    for (const size of [1, 5]) {
      // No case goes deeper than the first ones.
      const shallow: CaseWorkers = {
        ...localWorkers,
        size,
        run: async ({ first, count, corpus }) => ({
          ...{ first, count, violated: [], unfinished: 0, unsound: 0, outcomes: {} },
          ...{ reached: [], asked: [], ...(corpus && { features: { begun: first } }) },
        }),
      };
      const { families, plateau } = await runCampaign(shallow, [fileOf(NIGHT)], options);
      expect(plateau).toBe(3);
      expect(families[0]).toMatchObject({
        cases: 400,
        coverage: { features: { begun: 0 }, corpus: [[0]], generations: 4, quiet: 3 },
      });
    }
  });

  test("runs the chain, and learns from what it does", async () => {
    const options = { seed: 1, all: true, guided: true, runs: 240 };
    const { families, guided } = await runCampaign(localWorkers, [STOPPED], options);
    expect(guided).toBe(true);
    const { coverage, cases } = families[0] ?? {};
    expect(cases).toBe(240);
    expect(coverage).toMatchObject({ generations: 2, quiet: 1 });
    expect(Object.keys(coverage?.features ?? {})).toContain("first block");
    expect(families[0]?.findings[0]?.violation.property).toBe("at height 2");
  });
});

describe("a case that is a mutation", () => {
  const family = familyOf(NIGHT);

  test("follows from the seed, its number and those of the cases that it descends from", () => {
    const again = familyOf(NIGHT);
    for (let number = 100; number < 160; number++) {
      const ancestors = [7, 40];
      const choices = choicesOfCase(family, 5, number, ancestors);
      expect(choicesOfCase(again, 5, number, ancestors)).toEqual(choices);
    }
    expect(choicesOfCase(family, 5, 40)).toEqual(drawChoices(family, 5, 40));
    expect(caseName(160, [7, 40])).toBe("7/40/160");
  });

  test("differs from the one before it in little, and stays within what the file allows", () => {
    const parent = JSON.stringify(drawChoices(family, 5, 7));
    let changed = 0;
    for (let number = 100; number < 300; number++) {
      const choices = choicesOfCase(family, 5, number, [7]);
      expect(choices.disturb[0]?.length).toBeLessThanOrEqual(6);
      expect(() => caseOf(family, choices).text()).not.toThrow();
      if (JSON.stringify(choices) !== parent) changed += 1;
    }
    expect(changed).toBeGreaterThan(180);
  });

  test("is made from the corpus in three of four cases, and drawn afresh in the others", () => {
    const corpus = [[3], [3, 50]];
    const all = Array.from({ length: 1_000 }, (_, i) => ancestorsOf(1, 200 + i, corpus));
    const mutated = all.filter(({ length }) => length > 0);
    expect(mutated.length).toBeGreaterThan(680);
    expect(mutated.length).toBeLessThan(820);
    for (const ancestors of mutated) expect(corpus).toContainEqual(ancestors);
    expect(ancestorsOf(1, 200, [])).toEqual([]);
  });

  test("shrinks to a file of its own, with its name", () => {
    const seed = 1;
    const corpus = [[0], [1], [2], [3]];
    const batch = { family: DOUBLE_SIGN, seed, first: 100, count: 60, untilFirst: false, corpus };
    const found = runBatch(batch).violated.find(
      ({ number }) => ancestorsOf(seed, number, corpus).length > 0,
    );
    if (found === undefined) throw new Error("no mutation is violated");
    const ancestors = ancestorsOf(seed, found.number, corpus);
    const finding = shrink({ family: DOUBLE_SIGN, seed, ancestors, found });
    expect(finding).toMatchObject({ number: found.number, ancestors });
    expect(finding.steps).toHaveLength(2);
    expect(finding.scenario).toContain(
      `Found as case ${ancestors.join("/")}/${found.number} of seed 1`,
    );
  });
});
