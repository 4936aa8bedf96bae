import { expect, test } from "vitest";
import { batchFrom, findingOf, NotedCases, resultOf, violated } from "./cases.testing.ts";
import { deadlyCase, doNoted, Turns } from "./lost-jobs.ts";

const batch = { kind: "batch", data: batchFrom(0, 3) } as const;

/** A job of a queue that stores its progress. */
function lostJob(progress: unknown = 0) {
  const noted: unknown[] = [];
  const updateProgress = async (begun: unknown) => void noted.push(begun);
  return { stalledCounter: 3, progress, updateProgress, noted };
}

test("each case is noted before it is begun, and how often it was the last one", async () => {
  const cases = new NotedCases();
  const job = lostJob({ number: 1, times: 1 });
  expect(await doNoted(cases, batch, job)).toEqual(resultOf(batch.data));
  expect(cases.done).toEqual([0, 1, 2, 0]);
  expect(job.noted).toEqual([
    ...[{ number: 0, times: 1 }, { number: 1, times: 2 }, { number: 2, times: 1 }, {}],
  ]);
});

test("no case behind the first violated one is begun where that ends the job", async () => {
  const cases = new NotedCases();
  const data = { ...batchFrom(12, 3), untilFirst: true };
  await doNoted(cases, { kind: "batch", data }, lostJob());
  expect(cases.done).toEqual([12, 13, 12]);
});

test("a case that is made small is noted too", async () => {
  const request = { family: batch.data.family, seed: 7, found: violated(26) };
  const job = lostJob();
  expect(await doNoted(new NotedCases(), { kind: "shrink", data: request }, job)).toEqual(
    findingOf(request),
  );
  expect(job.noted).toEqual([{ number: 26, times: 1 }]);
});

test("a case that was begun last twice is named, unless what is noted is no note", () => {
  const named = (progress: unknown) => deadlyCase(batch, lostJob(progress));
  expect(named({ number: 2, times: 2 })).toBe(
    "case 2 of seed 7 ends the worker that runs it: 3 were lost",
  );
  for (const other of [0, {}, "2", { number: 2, times: 1 }, { number: "2", times: 2 }]) {
    expect(named(other)).toBeUndefined();
  }
});

test("what is done alone has nothing beside it", async () => {
  const turns = new Turns();
  const begun: string[] = [];
  const ends: Record<string, () => void> = {};
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<void>((resolve) => {
      ends[name] = resolve;
    });
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const all = [turns.beside(work("a")), turns.beside(work("b"))];
  await settled();
  all.push(turns.alone(work("c")), turns.beside(work("d")), turns.alone(work("e")));
  for (const [name, next] of Object.entries({
    a: "a b",
    b: "a b c",
    c: "a b c e",
    e: "a b c e d",
  })) {
    ends[name]?.();
    await settled();
    expect(begun.join(" ")).toBe(next);
  }
  ends.d?.();
  await Promise.all(all);
});
