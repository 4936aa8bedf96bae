import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SERVER } from "../../base/limits.ts";
import { propertyRuns } from "../../base/property.testing.ts";
import { Admission } from "./admission.ts";

/** A thread whose clock advances only while it works. */
function thread() {
  let time = 0;
  const clock = (): number => time;
  const admission = new Admission({ now: clock, busy: clock });
  const work = (ms: number): void => {
    time += ms;
  };
  /** Runs one slice of blocks, which are always due. Returns its duration. */
  const slice = (): number => {
    const budget = admission.beginSlice(2);
    work(budget);
    admission.blocksIn(0);
    admission.endSlice();
    return budget;
  };
  return { admission, work, slice };
}

test("blocks that are due have at least half of the time, however many requests come and however long each takes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          /** Promises that are awaited before the work. */
          promises: fc.nat(5),
          takes: fc.integer({ min: 1, max: 400 }),
          /** Work after an await. */
          more: fc.integer({ min: 0, max: 400 }),
        }),
        { minLength: 1, maxLength: 60 },
      ),
      async (requests) => {
        const { admission, work, slice } = thread();
        admission.blocksIn(0);
        work(10);
        let [ofBlocks, ofRequests, last, answered] = [0, 0, 0, 0];
        const take = (ms: number): void => {
          work(ms);
          ofRequests += ms;
          last = ms;
        };
        let opened = (): void => {};
        const opening = new Promise<void>((resolve) => {
          opened = resolve;
        });
        const ask = async ({ promises, takes, more }: (typeof requests)[number]): Promise<void> => {
          await admission.turn();
          for (let i = 0; i < promises; i++) await undefined;
          take(takes);
          await opening;
          await admission.resume();
          take(more);
          answered += 1;
        };
        for (const one of requests) void ask(one);
        // No request waits while blocks are not due; here they are from the start.
        expect(admission.waiting).toBe(requests.length);
        while (answered < requests.length) {
          ofBlocks += slice();
          await nextTurn();
          // At most the last request is owed, besides the allowed lead before and after a slice.
          expect(ofRequests - ofBlocks).toBeLessThanOrEqual(last + 4);
          if (admission.waiting > 0) continue;
          // While no request waits, nothing is owed.
          [ofBlocks, ofRequests, last] = [0, 0, 0];
          opened();
        }
      },
    ),
    { numRuns: propertyRuns(30) },
  );
});

test("requests have turns beside blocks that are always due, whatever else the thread does between their slices", async () => {
  const { admission, work, slice } = thread();
  admission.blocksIn(0);
  work(50);
  let answered = 0;
  for (let i = 0; i < 20; i++) void admission.turn().then(() => (answered += 1));
  for (let round = 1; round <= 10; round++) {
    slice();
    // Saving, for example, and block listeners.
    work(50);
    await nextTurn();
  }
  expect(answered).toBeGreaterThanOrEqual(10);
});

test("what the thread did before any request came holds up none", async () => {
  const { admission, work, slice } = thread();
  for (let i = 0; i < 10; i++) {
    slice();
    work(50);
  }
  slice();
  const turn = admission.turn();
  expect(admission.waiting).toBe(0);
  await turn;
});

test("a block that has come due while a request was answered comes before the next request", async () => {
  const { admission, work, slice } = thread();
  admission.blocksIn(0);
  slice();
  admission.beginSlice(2);
  admission.endSlice();
  admission.blocksIn(5);
  await admission.turn();
  work(10);
  const next = admission.turn();
  expect(admission.waiting).toBe(1);
  slice();
  slice();
  await next;
});

test("where no block is due, no request waits", async () => {
  const { admission, work } = thread();
  admission.blocksIn(1_000);
  for (let i = 0; i < 50; i++) {
    const turn = admission.turn();
    expect(admission.waiting).toBe(0);
    await turn;
    work(10);
  }
});

test("requests beyond those that may wait are refused in words, until some have gone", async () => {
  const { admission, work } = thread();
  admission.blocksIn(0);
  work(10);
  let gone = false;
  const waiting = Array.from({ length: SERVER.waiting }, () => admission.turn(() => gone));
  await expect(admission.turn()).rejects.toMatchObject({
    code: 8,
    message: "1000 requests wait for their turn on this node; ask again later",
  });
  expect(admission.waiting).toBe(SERVER.waiting);
  gone = true;
  const last = admission.turn();
  expect(admission.waiting).toBe(1);
  admission.close();
  await Promise.all([...waiting, last]);
});
