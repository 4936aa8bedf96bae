/** All metrics of a chain as text. */
import type { BlockCounts } from "./block-counts.ts";
import { writeCometMetrics } from "./comet-metrics.ts";
import { Exposition } from "./exposition.ts";
import { writeWatcherMetrics } from "./watcher-metrics.ts";

/** Throws a StatusError or a ChainError if the chain's binary cannot read its own state. */
export function metricsText(counts: BlockCounts): string {
  const out = new Exposition({ chain_id: counts.sim.spec.chainId });
  writeCometMetrics(out, counts);
  writeWatcherMetrics(out, counts);
  return out.text;
}
