import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { WorkerPool } from "./worker-pool.ts";

/** A pool whose threads run a program, and the threads that it has started. */
function poolOf(program: string, size: number) {
  const folder = mkdtempSync(join(tmpdir(), "chainlab-pool-"));
  const file = join(folder, "program.mjs");
  writeFileSync(file, `import { parentPort } from "node:worker_threads";\n${program}`);
  const threads: Worker[] = [];
  const note = (thread: Worker): void => void threads.push(thread);
  process.on("worker", note);
  const pool = new WorkerPool(pathToFileURL(file), size);
  onTestFinished(async () => {
    await pool.close();
    process.off("worker", note);
    rmSync(folder, { recursive: true, force: true });
  });
  return { pool, threads };
}

const run = (pool: WorkerPool) =>
  pool.run({ file: "a.yaml", text: "", seed: 1, explain: false }, () => {});

/** Threads that report their input, and end when they receive anything but a job. */
const ANSWERS = `
parentPort.on("message", ({ file }) => {
  if (file === undefined) process.exit(0);
  parentPort.postMessage({ report: file });
});`;

test("a thread that ends while it is idle is given no more scenarios: another runs them", async () => {
  const begun = once(process, "worker");
  const { pool, threads } = poolOf(ANSWERS, 1);
  await begun;
  expect(await run(pool)).toBe("a.yaml");
  const [first] = threads as [Worker];
  const ended = once(first, "exit");
  first.postMessage({});
  await ended;
  expect(await run(pool)).toBe("a.yaml");
  expect(threads).toHaveLength(2);
});

test("a thread that fails before it has any scenario ends nothing else", async () => {
  const begun = once(process, "worker");
  const { pool, threads } = poolOf('throw new Error("no memory for it");', 1);
  const [first] = (await begun) as [Worker];
  await new Promise((resolve) => first.once("exit", resolve));
  expect(threads).toHaveLength(1);
  await expect(run(pool)).rejects.toThrow("no memory for it");
});

test("a scenario whose thread ends is refused by its name", async () => {
  const { pool } = poolOf('parentPort.once("message", () => process.exit(0));', 1);
  await expect(run(pool)).rejects.toThrow("the worker of a.yaml ended");
});
