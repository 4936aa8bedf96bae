import { sha256 } from "../../src/base/sha256.ts";

/** Returns how often `work` completes per second, measured for at least `ms` milliseconds. */
function rateOf(work: () => void, ms: number): number {
  const start = performance.now();
  let done = 0;
  let elapsed = 0;
  do {
    work();
    done++;
    elapsed = performance.now() - start;
  } while (elapsed < ms);
  return (done / elapsed) * 1000;
}

/** Milliseconds that `times` repetitions take. */
export function timeOf(work: () => void, times: number): number {
  const start = performance.now();
  for (let i = 0; i < times; i++) work();
  return performance.now() - start;
}

const HASHES_AT_ONCE = 1000;
const INPUT = new Uint8Array(64).fill(7);

/** SHA-256 of 64 bytes per second, by the function the engine hashes with. */
export function hashRate(ms: number): number {
  const hashSome = (): void => {
    for (let i = 0; i < HASHES_AT_ONCE; i++) sha256(INPUT);
  };
  return rateOf(hashSome, ms) * HASHES_AT_ONCE;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The value that this part of the others lie below. Throws for no values at all. */
export function quantile(values: readonly number[], part: number): number {
  const value = values.toSorted((a, b) => a - b)[Math.floor(part * values.length)];
  if (value === undefined) throw new Error("a quantile of nothing");
  return value;
}
