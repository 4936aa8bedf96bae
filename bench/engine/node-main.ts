/** One side of a comparison in this Node process, started with --expose-gc and a channel to its parent. */
import { withQuickHashes } from "../../src/node/quick-hashes.ts";
import type { SideAnswer, SideCall } from "./side.ts";

const { Side, answer } = await withQuickHashes(import("./side.ts"));
/** Processor time of this process, including garbage collection on other threads. */
const side = new Side(() => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
});

/** Beside what a side does: bytes in use after a garbage collection, or as they are. */
export type NodeCall = SideCall | { readonly method: "used" | "held" };

process.on("message", async (requested: NodeCall) => process.send?.(await answerTo(requested)));
process.send?.({ result: "ready" });

async function answerTo(requested: NodeCall): Promise<SideAnswer> {
  if ("args" in requested) return answer(side, requested);
  if (requested.method === "used") await collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { result: heapUsed + arrayBuffers };
}

/** Buffers of dead arrays are let go after a collection, in a later turn. */
async function collect(): Promise<void> {
  for (let i = 0; i < 3; i++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
