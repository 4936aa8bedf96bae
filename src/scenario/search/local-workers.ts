import { runBatch } from "./run-batch.ts";
import type { CaseWorkers } from "./search.ts";
import { shrink } from "./shrink.ts";

/** Runs jobs in this thread. */
export const localWorkers: CaseWorkers = {
  size: 1,
  run: async (batch, isOver) => runBatch(batch, isOver),
  shrink: async (request) => shrink(request),
  close: async () => {},
};
