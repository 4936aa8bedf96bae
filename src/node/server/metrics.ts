/** Metrics of a running chain, counted from the opening of its first server. */
import { PlayedMetrics } from "../../server/metrics.ts";
import type { RunningChain } from "./chain.ts";

/** One counter for all servers of a chain. */
const known = new WeakMap<RunningChain, PlayedMetrics>();

export function metricsOf(chain: RunningChain): PlayedMetrics {
  const before = known.get(chain);
  if (before !== undefined) return before;
  const metrics = new PlayedMetrics(chain.session);
  known.set(chain, metrics);
  // New blocks are still in memory.
  chain.onBlocks(() => metrics.observe());
  return metrics;
}
