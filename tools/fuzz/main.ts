/**
 * `npm run fuzz -- [--minutes N] [--seed S] [--only NAME] [--workers N] [--out FOLDER]`: draws cases and runs
 * them until the time is over. Every kind of bug is shrunk, printed with its seed and written to a folder;
 * then the exit status is 1. `--again FILE` runs a written case, `--only NAME --case N` a drawn one.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { errorText } from "../../src/base/error-text.ts";
import { hashQuickly } from "../../src/node/quick-hashes.ts";
import { type FoundCase, keep, readCase, written } from "./found.ts";
import { TARGETS, targetOf } from "./targets.ts";
import { type Report, reportOf, tryCase, type Work } from "./worker.ts";

/** A case that takes longer does not end: of processor time, since a busy machine gives a thread little of it. */
const TIMEOUT_MS = 120_000;
/** Nor does one that waits so long for what does not come. */
const WAITING_MS = 10 * TIMEOUT_MS;
const MEMORY_MB = 1500;
/** A thread does not inherit the loader of TypeScript. */
const BOOT = `import("tsx/esm/api").then(({ register }) => {
  register();
  return import(require("node:worker_threads").workerData.url);
})`;

const OPTIONS = {
  minutes: { type: "string", default: "1" },
  seed: { type: "string" },
  only: { type: "string", multiple: true },
  workers: { type: "string", default: "2" },
  out: { type: "string", default: join("test-results", "fuzz") },
  again: { type: "string" },
  case: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

const HELP = `npm run fuzz -- [--minutes N] [--seed S] [--only NAME]… [--workers N] [--out FOLDER]
npm run fuzz -- --again FILE           runs a case that was written down
npm run fuzz -- --only NAME --seed S --case N   draws one case again

${TARGETS.map(({ name, about }) => `  ${name.padEnd(10)} ${about}`).join("\n")}`;

/** Options of the command line; `output` is written when a bug is found. */
let values: ReturnType<typeof given>;
try {
  values = given();
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

function given() {
  return parseArgs({ options: OPTIONS }).values;
}

async function main(): Promise<number> {
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const targets = values.only ?? TARGETS.map(({ name }) => name);
  targets.forEach(targetOf);
  if (values.again !== undefined) return runAgain(values.again);
  const seed = number("seed", values.seed ?? `${Date.now() % 1_000_000_000}`);
  if (values.case !== undefined) return runOne(targets, seed, number("case", values.case));
  return fuzz(
    targets,
    seed,
    number("minutes", values.minutes, 0.001),
    number("workers", values.workers, 1),
  );
}

/** @param least the smallest that is taken: without time or threads nothing would be tried */
function number(name: string, text: string, least = 0): number {
  if (/^\d{1,9}(\.\d{1,3})?$/.test(text) && Number(text) >= least) return Number(text);
  throw new Error(`--${name}: expected a number from ${least} on, found "${text}"`);
}

async function runAgain(file: string): Promise<number> {
  await hashQuickly();
  const { target, given } = caseIn(file);
  const known = targetOf(target);
  try {
    await known.run(given);
  } catch (error) {
    console.error(error);
    return 1;
  }
  console.log(`${file}: nothing is wrong`);
  return 0;
}

function caseIn(file: string): FoundCase {
  try {
    return readCase(file);
  } catch (error) {
    throw new Error(`${file}: cannot be read: ${errorText(error)}`);
  }
}

async function runOne(targets: readonly string[], seed: number, at: number): Promise<number> {
  await hashQuickly();
  const target = targetOf(targets[0] ?? "");
  const found = await tryCase(target, seed, at);
  if (found === undefined) {
    console.log(`${target.name} ${at}: nothing is wrong`);
    return 0;
  }
  show(await reportOf(target, at, found), seed);
  return 1;
}

async function fuzz(
  targets: readonly string[],
  seed: number,
  minutes: number,
  workers: number,
): Promise<number> {
  console.log(`fuzzing ${targets.join(", ")} for ${minutes} min, ${workers} workers, seed ${seed}`);
  const kinds = new Set<string>();
  const end = performance.now() + minutes * 60_000;
  const counts = await Promise.all(
    Array.from({ length: workers }, (_, index) =>
      runWorker(targets, seed, workers, index, kinds, end),
    ),
  );
  const totals = targets.map((name, i) => {
    const total = counts.reduce((sum, each) => sum + (each[i] ?? 0), 0);
    return `${total} ${name}`;
  });
  console.log(`cases: ${totals.join(", ")}; kinds of bugs: ${kinds.size}`);
  return kinds.size > 0 ? 1 : 0;
}

/** Runs one thread, and another in its place if a case does not end or takes all memory. */
async function runWorker(
  targets: readonly string[],
  seed: number,
  stride: number,
  index: number,
  kinds: Set<string>,
  end: number,
): Promise<readonly number[]> {
  const shared = new Int32Array(new SharedArrayBuffer(4 * (2 + targets.length)));
  const counts = (): number[] => targets.map((_, i) => Atomics.load(shared, 2 + i));
  while (performance.now() < end) {
    const from = counts().map((done) => index + done * stride);
    const work: Work = { seed, targets, from, stride, shared, known: [...kinds] };
    const ended = await runThread(work, stride, kinds, end);
    if (ended === undefined) continue;
    const turn = Math.max(0, Atomics.load(shared, 0));
    const at = Atomics.load(shared, 1);
    Atomics.add(shared, 2 + turn, 1);
    const target = targets[turn] ?? "";
    const report = { target, number: at, kind: ended, text: ended, given: null };
    if (!kinds.has(`${target}: ${ended}`)) show(report, seed);
    kinds.add(`${target}: ${ended}`);
  }
  return counts();
}

/** The milliseconds of processor time that all threads have used. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Resolves with why a thread, one of so many, ended before the time, or undefined. */
async function runThread(
  work: Work,
  workers: number,
  kinds: Set<string>,
  end: number,
): Promise<string | undefined> {
  const worker = new Worker(BOOT, {
    eval: true,
    workerData: { ...work, url: new URL("./worker.ts", import.meta.url).href },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  worker.on("message", (report: Report) => {
    if (kinds.has(report.kind)) return;
    kinds.add(report.kind);
    show(report, work.seed);
  });
  const ended = new Promise<string>((resolve) => {
    worker.on("error", (error) => resolve(error.message));
    worker.on("exit", (code) => resolve(`the thread ended with ${code}`));
  });
  let last = "";
  let since = processorTime();
  let sinceTime = performance.now();
  for (;;) {
    const tick = new Promise<undefined>((resolve) => setTimeout(resolve, 500, undefined));
    const why = await Promise.race([ended, tick]);
    if (why !== undefined) return why;
    const [turn, at] = [Atomics.load(work.shared, 0), Atomics.load(work.shared, 1)];
    const now = `${turn}/${at}`;
    if (now !== last || turn < 0) {
      since = processorTime();
      sinceTime = performance.now();
    }
    last = now;
    const spent = (processorTime() - since) / workers;
    const hangs = spent > TIMEOUT_MS || performance.now() - sinceTime > WAITING_MS;
    if (!hangs && performance.now() < end) continue;
    worker.removeAllListeners();
    await worker.terminate();
    return hangs ? `a case did not end within ${TIMEOUT_MS / 1000} s` : undefined;
  }
}

/** Prints a bug, and writes its case to the folder. */
function show({ target, number: at, kind, text, given }: Report, seed: number): void {
  const again = `--only ${target} --seed ${seed} --case ${at}`;
  const about = `${target}: ${kind}\n${text}\nnpm run fuzz -- ${again}`;
  console.log(`\n── ${about}\n`);
  if (given === null) return;
  const path = keep(values.out, target, given, about);
  console.log(`${written(given)}\nnpm run fuzz -- --again ${path}`);
}
