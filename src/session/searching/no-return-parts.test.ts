import { expect, test } from "vitest";
import { JOBS, type JobName, type JobRequest, type JobResult } from "../../scenario/search/jobs.ts";
import { localWorkers } from "../../scenario/search/local-workers.ts";
import { runBatch } from "../../scenario/search/run-batch.ts";
import { firstViolated, noReturnOn } from "./no-return-parts.ts";
import type { SearchWorkers } from "./search-workers.ts";

const family = {
  file: "family.yaml",
  imports: {},
  text: `scenario: 1
name: stopped
genesis: { validators: 4 }
always: [{ name: live, chain: running }]
steps:
  - run: { rounds: 8 }
disturb: { kinds: [stop], from: 1, most: 2 }
`,
};

/** Workers in this thread that count their jobs. */
function workersOf(size: number) {
  const jobs: JobName[] = [];
  const workers: SearchWorkers = {
    ...localWorkers,
    size,
    async do<N extends JobName>(does: N, request: JobRequest<N>) {
      jobs.push(does);
      return JOBS[does](request as never) as JobResult<N>;
    },
  };
  return { workers, jobs };
}

test("the point of no return is the same for any number of workers, and how far it is is said", async () => {
  const number = await firstViolated(workersOf(1).workers, { family, seed: 1, among: 100 });
  expect(await firstViolated(workersOf(3).workers, { family, seed: 1, among: 100 })).toBe(number);
  const batch = { family, seed: 1, first: 0, count: 100, untilFirst: true };
  expect(number).toBe(runBatch(batch).violated[0]?.number);
  const request = { family, seed: 1, number, futures: 14 };
  const whole = JOBS.noReturn(request);
  for (const [size, parts] of [
    [1, 12],
    [3, 14],
    [5, 14],
  ] as const) {
    const { workers, jobs } = workersOf(size);
    const told: number[] = [];
    const found = await noReturnOn(workers, request, (done, of) => {
      expect(of).toBe(14);
      told.push(done);
    });
    expect(found).toEqual(whole);
    expect(jobs).toHaveLength(parts);
    expect(told.at(-1)).toBe(14);
    expect(told).toEqual([...told].sort((a, b) => a - b));
  }
});

test("the point of no return of a mutation is of that very case", async () => {
  const { workers } = workersOf(2);
  const corpus = [[0], [1], [2]];
  const { violated } = runBatch({
    ...{ family, seed: 1, first: 200, count: 40, untilFirst: false, corpus },
  });
  const [found] = violated;
  if (found === undefined) throw new Error("no case is violated");
  const options = corpus.map((ancestors) => ({ family, seed: 1, number: found.number, ancestors }));
  const ends = await Promise.all(
    options.map((one) => noReturnOn(workers, { ...one, futures: 2 }).catch(String)),
  );
  const text = ends.filter((end) => typeof end !== "string");
  expect(text.length).toBeGreaterThan(0);
  for (const [i, end] of ends.entries()) {
    if (typeof end === "string") expect(end).toContain(`in case ${i}/${found.number} of seed 1`);
    else expect(end).toMatchObject({ number: found.number, ancestors: [i] });
  }
});

test("where no case is violated there is none", async () => {
  const holds = { ...family, text: family.text.replace("most: 2", "most: 1") };
  await expect(
    firstViolated(workersOf(2).workers, { family: holds, seed: 1, among: 25 }),
  ).rejects.toThrow("every property holds in the first 25 cases of seed 1");
});
