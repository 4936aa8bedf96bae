import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { batchFrom, resultOf } from "./queue/cases.testing.ts";
import { SearchPool } from "./search-pool.ts";

/** A pool whose threads run a program, and the threads that it has started. */
function poolOf(program: string, size: number) {
  const folder = mkdtempSync(join(tmpdir(), "chainlab-pool-"));
  const file = join(folder, "program.mjs");
  writeFileSync(file, `import { parentPort } from "node:worker_threads";\n${program}`);
  const threads: Worker[] = [];
  const note = (thread: Worker): void => void threads.push(thread);
  process.on("worker", note);
  const pool = new SearchPool(pathToFileURL(file), size);
  onTestFinished(async () => {
    await pool.close();
    process.off("worker", note);
    rmSync(folder, { recursive: true, force: true });
  });
  return { pool, threads };
}

/** Threads that return a result, and end when they receive anything but work. */
const ANSWERS = `
const result = ${JSON.stringify(resultOf(batchFrom(0)))};
parentPort.on("message", ({ does }) => {
  if (does === undefined) process.exit(0);
  parentPort.postMessage({ result });
});`;

test("a thread that ends while it is idle is given no more work: another does it", async () => {
  const { pool, threads } = poolOf(ANSWERS, 2);
  const result = resultOf(batchFrom(0));
  const both = () => Promise.all([pool.run(batchFrom(0)), pool.run(batchFrom(0))]);
  expect(await pool.run(batchFrom(0))).toEqual(result);
  for (const thread of threads.toReversed()) {
    const ended = once(thread, "exit");
    thread.postMessage({});
    await ended;
    expect(await both()).toEqual([result, result]);
  }
  expect(threads).toHaveLength(4);
});

test("a thread that fails before it has any work ends nothing else, and is not begun again at once", async () => {
  const begun = once(process, "worker");
  const { pool, threads } = poolOf('throw new Error("no memory for it");', 1);
  const [first] = (await begun) as [Worker];
  await new Promise((resolve) => first.once("exit", resolve));
  expect(threads).toHaveLength(1);
  await expect(pool.run(batchFrom(0))).rejects.toThrow("no memory for it");
  expect(threads).toHaveLength(2);
});

test("work that is under way is refused when its thread ends, or the pool is closed, and so is what comes after", async () => {
  const { pool } = poolOf('parentPort.once("message", () => process.exit(0));', 2);
  await expect(pool.run(batchFrom(0))).rejects.toThrow("a thread of the search ended");
  const { pool: other } = poolOf('parentPort.on("message", () => {});', 1);
  const waiting = other.run(batchFrom(0));
  expect(() => other.run(batchFrom(0))).toThrow("more work at once than threads");
  const refused = expect(waiting).rejects.toThrow("the search was given up");
  await other.close();
  await refused;
  await expect(other.run(batchFrom(0))).rejects.toThrow("the search was given up");
});

test("a batch ends with the case that its thread is at once it is told that all is over", async () => {
  // It waits for the memory to change, like a busy thread between two cases.
  const { pool } = poolOf(
    `parentPort.on("message", ({ ends }) => {
  while (Atomics.load(ends, 0) === 0);
  parentPort.postMessage({ result: Atomics.load(ends, 0) });
});`,
    1,
  );
  let requested = 0;
  expect(await pool.run(batchFrom(0), () => ++requested > 2)).toBe(1);
  expect(requested).toBe(3);
});
