/** One thread of the fuzzer: draws cases until it is terminated, and reports each kind of bug once. */
import { parentPort, workerData } from "node:worker_threads";
import { hashQuickly } from "../../src/node/quick-hashes.ts";
import { Draw } from "./draw.ts";
import { shrink } from "./shrink.ts";
import { CaseError, kindOf, type Target } from "./target.ts";
import { targetOf } from "./targets.ts";

/** Input of a thread. Its slots in `shared`: target, case number, cases of each target so far. */
export interface Work {
  readonly seed: number;
  readonly targets: readonly string[];
  /** The first case of each target, and how far apart a thread's cases are. */
  readonly from: readonly number[];
  readonly stride: number;
  readonly shared: Int32Array;
  /** Kinds of bugs that are known already. */
  readonly known: readonly string[];
}

/** A bug, with the smallest case that shows it. */
export interface Report {
  readonly target: string;
  /** The number of the drawn case. */
  readonly number: number;
  readonly kind: string;
  readonly text: string;
  readonly given: unknown;
}

/** Each target has its turn for so long, however quick its cases are. */
const TURN_MS = 2000;
const SHRINK_MS = 60_000;

/** The seed of one case: the same everywhere. */
export const drawOf = (seed: number, target: string, number: number): Draw =>
  new Draw(`${seed}/${target}/${number}`);

/** Draws and runs one case. Returns the bug that it shows, not yet shrunk. */
export async function tryCase(
  target: Target,
  seed: number,
  number: number,
): Promise<CaseError | undefined> {
  try {
    await target.draw(drawOf(seed, target.name, number));
    return undefined;
  } catch (error) {
    return error instanceof CaseError ? error : new CaseError(null, error);
  }
}

/** Shrinks a bug and says what it is. */
export async function reportOf(target: Target, number: number, found: CaseError): Promise<Report> {
  const end = performance.now() + SHRINK_MS;
  const small = await shrink(target, found, () => performance.now() > end);
  const { cause } = small;
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  const lines = text.split("\n").slice(0, 6).join("\n");
  return {
    target: target.name,
    number,
    kind: kindOf(found.cause),
    text: lines,
    given: small.given,
  };
}

async function fuzz({ seed, targets, from, stride, shared, known }: Work): Promise<void> {
  await hashQuickly();
  const next = [...from];
  const kinds = new Set(known);
  for (let turn = 0; ; turn = (turn + 1) % targets.length) {
    const target = targetOf(targets[turn] ?? "");
    const end = performance.now() + TURN_MS;
    do {
      const number = next[turn] ?? 0;
      next[turn] = number + stride;
      Atomics.store(shared, 0, turn);
      Atomics.store(shared, 1, number);
      const found = await tryCase(target, seed, number);
      Atomics.add(shared, 2 + turn, 1);
      if (found === undefined || kinds.has(kindOf(found.cause))) continue;
      kinds.add(kindOf(found.cause));
      // The watch over cases that do not end passes this by.
      Atomics.store(shared, 0, -1);
      parentPort?.postMessage(await reportOf(target, number, found));
    } while (performance.now() < end);
  }
}

if (parentPort !== null && workerData?.shared) await fuzz(workerData as Work);
