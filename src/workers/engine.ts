/** The engine in a worker: the page's chain, or cases of a search. */

import { accelerateEd25519 } from "../base/ed25519.ts";
import { accelerateSha256 } from "../base/sha256.ts";
import { accelerateRecords } from "../engine/framework/codec.ts";
import { serveChain } from "./chain.ts";
import { CASES } from "./worker-name.ts";

// If one of them is unavailable, the chain is slower, with the same results.
for (const accelerate of [accelerateSha256, accelerateEd25519, accelerateRecords]) {
  accelerate().catch(() => {});
}

/** Starts this worker's task, selected by its name. */
export function begin(): void {
  if (self.name === CASES) void import("./cases.ts").then(({ serveCases }) => serveCases());
  else serveChain();
}
