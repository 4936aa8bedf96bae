/** Measures in this Node process, started with --expose-gc; the plan comes as JSON in the first argument. */
import { measure } from "./cases.ts";

const plan = JSON.parse(process.argv[2] ?? "");

async function usedBytes(): Promise<number | undefined> {
  if (globalThis.gc === undefined) return undefined;
  // Buffers of dead arrays are let go after a collection, in a later turn.
  for (let i = 0; i < 3; i++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const result = await measure(plan, { usedBytes, progress: (text) => console.error(text) });
process.stdout.write(JSON.stringify(result));
