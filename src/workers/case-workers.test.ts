import { beforeEach, expect, test, vi } from "vitest";
import { CasePool } from "./case-workers.ts";
import type { JobAnswer, PostedJob } from "./cases.ts";

/** A worker that answers on request. */
class FakeWorker extends EventTarget {
  static all: FakeWorker[] = [];
  readonly asked: PostedJob[] = [];
  isTerminated = false;

  constructor() {
    super();
    FakeWorker.all.push(this);
  }

  postMessage(requested: PostedJob): void {
    this.asked.push(requested);
  }

  terminate(): void {
    this.isTerminated = true;
  }

  says(data: JobAnswer): void {
    this.dispatchEvent(Object.assign(new Event("message"), { data }));
  }
}

beforeEach(() => {
  FakeWorker.all = [];
  vi.stubGlobal("Worker", FakeWorker);
  vi.stubGlobal("location", { href: "https://lab.example/engine.js" });
  vi.stubGlobal("navigator", { hardwareConcurrency: 4 });
  return () => vi.unstubAllGlobals();
});

const ask = (pool: CasePool, file: string) => pool.do("cover", { file, text: "" });
const idOf = (worker: FakeWorker | undefined): number => worker?.asked.at(-1)?.id ?? 0;

test("a pool has a worker for each core but one, and no more than are of use", () => {
  expect([new CasePool().size, FakeWorker.all.length]).toEqual([3, 3]);
  expect([new CasePool(2).size, FakeWorker.all.length]).toEqual([2, 5]);
  expect(new CasePool(0).size).toBe(1);
});

test("jobs wait for workers that can be asked, and each gets its own answer", async () => {
  const pool = new CasePool(2);
  const [a, b] = FakeWorker.all;
  const jobs = ["a", "b", "c"].map((file) => ask(pool, file));
  expect([a?.asked.length, b?.asked.length]).toEqual([0, 0]);
  a?.says({ ready: true });
  b?.says({ ready: true });
  expect([a?.asked.length, b?.asked.length]).toEqual([1, 1]);
  b?.says({ id: idOf(b), result: "of b" });
  expect(b?.asked.length).toBe(2);
  b?.says({ id: idOf(b), failure: "it is not sound" });
  a?.says({ id: idOf(a), result: "of a" });
  expect(await Promise.allSettled(jobs)).toMatchObject([
    { value: "of a" },
    { value: "of b" },
    { reason: new Error("it is not sound") },
  ]);
});

test("a pool that is closed ends its workers, and refuses what it has and what comes", async () => {
  const pool = new CasePool(1);
  const [worker] = FakeWorker.all;
  worker?.says({ ready: true });
  const jobs = ["under way", "waiting"].map((file) => ask(pool, file));
  const refused = Promise.allSettled(jobs);
  await pool.close();
  expect(worker?.isTerminated).toBe(true);
  const reason = new Error("the search was given up");
  expect(await refused).toMatchObject([{ reason }, { reason }]);
  await expect(ask(pool, "later")).rejects.toThrow(reason);
});

test("a worker that cannot be started ends the pool with why", async () => {
  const pool = new CasePool(2);
  const job = expect(ask(pool, "a")).rejects.toThrow("no memory");
  FakeWorker.all[0]?.dispatchEvent(Object.assign(new Event("error"), { message: "no memory" }));
  await job;
  expect(FakeWorker.all.every(({ isTerminated }) => isTerminated)).toBe(true);
});
