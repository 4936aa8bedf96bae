import fc from "fast-check";
import { expect, inject, test } from "vitest";
import { propertyRuns } from "../../base/property.testing.ts";
import { runCampaign, SearchStopped } from "./campaign.ts";
import { DOUBLE_SIGN, fileOf, STANDING, STOPPED } from "./families.testing.ts";
import { localWorkers } from "./local-workers.ts";
import { hasFound } from "./report.ts";
import { runBatch } from "./run-batch.ts";
import type { Batch, CaseWorkers } from "./search.ts";
import { shrink } from "./shrink.ts";

/** Cases of a repeated search. */
const RUNS = inject("soak") ? 60 : 20;
const FILES = [STANDING("never: [{ app_hash: diverged }]"), STOPPED];

/** Workers that answer in the scheduler's order. */
const scrambled = (scheduler: fc.Scheduler, size: number, batches: Batch[] = []): CaseWorkers => ({
  size,
  run(batch) {
    batches.push(batch);
    return scheduler.schedule(Promise.resolve()).then(() => runBatch(batch));
  },
  shrink: (request) => scheduler.schedule(Promise.resolve()).then(() => shrink(request)),
  close: async () => {},
});

test("what is found does not follow from the number of workers, their order or the size of batches", async () => {
  const whole = new Map<boolean, unknown>();
  for (const all of [true, false]) {
    whole.set(all, await runCampaign(localWorkers, FILES, { seed: 5, runs: RUNS, all }));
  }
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 1, max: 6 }),
      fc.boolean(),
      fc.array(fc.nat(2_000), { minLength: 1 }),
      async (scheduler, size, all, times) => {
        let now = 0;
        let requested = 0;
        const clock = (): number => {
          now += times[requested++ % times.length] ?? 0;
          return now;
        };
        const workers = scrambled(scheduler, size);
        const report = runCampaign(workers, FILES, { seed: 5, runs: RUNS, all, clock });
        await scheduler.waitFor(report);
        expect(await report).toEqual(whole.get(all));
      },
    ),
    { numRuns: propertyRuns(15) },
  );
});

test("a search ends with its first violation, and with --all has one finding for each property", async () => {
  const two = fileOf(
    DOUBLE_SIGN.text.replace(
      "never:",
      "never:\n  - { name: val-1 is down, node: val-0, is: stopped }",
    ),
  );
  const options = { seed: 1, runs: 40 };
  const [first] = (await runCampaign(localWorkers, [two], { ...options, all: false })).families;
  expect(first).toMatchObject({
    cases: 1,
    findings: [{ violation: { property: "val-1 is down" } }],
  });
  const [all] = (await runCampaign(localWorkers, [DOUBLE_SIGN], { ...options, all: true }))
    .families;
  expect(all?.cases).toBe(40);
  expect(all?.findings).toHaveLength(1);
  expect(all?.violated[0]?.cases).toBeGreaterThan(1);
});

test("with --all a property that does not hold early hides no other one", async () => {
  const masked = fileOf(`scenario: 1
name: mask
genesis: { validators: 4 }
never: [{ name: A, chain: running, height: 3 }, { name: B, chain: running, height: 6 }]
steps: [{ run: 10 }]
vary: [{ at: "steps[0].run", range: [8, 12] }]
`);
  const options = { seed: 1, runs: 40 };
  const [all] = (await runCampaign(localWorkers, [masked], { ...options, all: true })).families;
  expect(all?.violated).toEqual([
    { property: "A", kind: "never", cases: 5, first: 0 },
    { property: "B", kind: "never", cases: 5, first: 0 },
  ]);
  expect(all?.findings.map(({ violation: { height } }) => height)).toEqual([3, 6]);
  const [first] = (await runCampaign(localWorkers, [masked], { ...options, all: false })).families;
  expect(first?.violated).toMatchObject([{ property: "A" }]);
});

test("properties under sometimes that no case reached are listed once all cases are run", async () => {
  const [family] = (await runCampaign(localWorkers, [STOPPED], { seed: 1, runs: 30, all: true }))
    .families;
  expect(family).toMatchObject({ reached: ["first block"], unreached: ["two chains"] });
  const [ended] = (await runCampaign(localWorkers, [STOPPED], { seed: 1, runs: 99, all: false }))
    .families;
  expect(ended?.unreached).toEqual([]);
});

test("a file that lets nothing differ is one case", async () => {
  const one = fileOf("scenario: 1\nname: one\nsteps: [{ run: 2 }]\n");
  const { families } = await runCampaign(localWorkers, [one], { seed: 1, runs: 50, all: true });
  expect(families[0]).toMatchObject({ cases: 1, violated: [], findings: [] });
});

test("no batch begins once it is over, and those under way are counted", async () => {
  let left = 3;
  const isOver = (): boolean => left-- <= 0;
  const { families } = await runCampaign(
    { ...localWorkers, run: async (batch) => runBatch(batch) },
    [STANDING("always: [{ app_hash: agreed }]")],
    {
      seed: 1,
      all: true,
      isOver,
    },
  );
  expect(families[0]?.cases).toBe(30);
});

test("no case of a batch begins once it is over, and those that have run are counted", async () => {
  let requested = 0;
  const { families } = await runCampaign(
    localWorkers,
    [STANDING("always: [{ app_hash: agreed }]")],
    { seed: 1, all: true, batchCases: 1_000, isOver: () => ++requested > 4 },
  );
  // Called once before the batch, then after each of its cases.
  expect(families[0]?.cases).toBe(4);
});

test("the first batch is one case where a clock says how long that takes", async () => {
  const counts: number[] = [];
  const workers: CaseWorkers = {
    ...localWorkers,
    run: async (batch) => {
      counts.push(batch.count);
      return runBatch(batch);
    },
  };
  const clock = { seed: 1, runs: 20, all: true, clock: () => 0 };
  await runCampaign(workers, [STANDING("always: [{ app_hash: agreed }]")], clock);
  expect(counts).toEqual([1, 4, 15]);
});

test("what was found and could not be made small is told of, and counts as found", async () => {
  const workers: CaseWorkers = {
    ...localWorkers,
    shrink: () => Promise.reject(new Error("the queue is gone")),
  };
  const options = { seed: 1, runs: 40, all: true };
  const stopped: unknown = await runCampaign(workers, [DOUBLE_SIGN], options).catch((e) => e);
  if (!(stopped instanceof SearchStopped)) throw new Error("it has not stopped");
  const { report, unshrunk, message } = stopped;
  expect(message).toBe("the queue is gone");
  expect(unshrunk).toHaveLength(1);
  expect(report.families[0]?.findings).toEqual([]);
  expect(hasFound(report)).toBe(true);
  const { first = -1 } = report.families[0]?.violated[0] ?? {};
  expect(unshrunk[0]?.found.number).toBe(first);
});

test("a family that comes after all time is over has no case, and nothing is said of it", async () => {
  const late = { seed: 1, runs: 5, all: true, isOver: (place: number) => place > 0 };
  const [first, second] = (await runCampaign(localWorkers, [STOPPED, STOPPED], late)).families;
  expect(first?.cases).toBe(5);
  expect(second).toMatchObject({ cases: 0, violated: [], unreached: [], findings: [] });
});

test("what a worker fails with ends the search", async () => {
  const failing: CaseWorkers = {
    ...localWorkers,
    run: () => Promise.reject(new Error("it is gone")),
  };
  await expect(runCampaign(failing, FILES, { seed: 1, runs: 9, all: true })).rejects.toThrow(
    "it is gone",
  );
});

test("of what could be asked in no case, and of the first case without an end, the report says so", async () => {
  const file = STANDING(
    "never: [{ name: late, from: 5000, chain: halted }, { app_hash: diverged }]",
  );
  const { families } = await runCampaign(localWorkers, [file], { seed: 1, runs: 30, all: true });
  const [family] = families;
  expect(family?.unasked).toEqual(["late"]);
  expect(family?.unfinished).toBeGreaterThan(1);
  const { violated } = runBatch({
    ...{ family: STANDING(""), seed: 1, first: 0, count: 30, untilFirst: true },
  });
  expect(family?.firstUnfinished).toMatchObject({ number: violated[0]?.number, step: 1 });
  expect(family?.firstUnfinished?.message).toContain("the chain is halted at block 1");
});
