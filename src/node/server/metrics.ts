/** Metrics of a running chain, counted from the moment that its first door opened. */
import { PlayedMetrics } from "../../doors/metrics.ts";
import type { RunningChain } from "./chain.ts";

/** One count for all doors of a chain. */
const known = new WeakMap<RunningChain, PlayedMetrics>();

export function metricsOf(chain: RunningChain): PlayedMetrics {
  const before = known.get(chain);
  if (before !== undefined) return before;
  const metrics = new PlayedMetrics(chain.session);
  known.set(chain, metrics);
  // New blocks are in memory.
  chain.onBlocks(() => metrics.observe());
  return metrics;
}
