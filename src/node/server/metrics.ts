/** Metrics of a running chain, counted from the moment that its first door opened. */
import type { ServerResponse } from "node:http";
import { BlockCounts } from "../../api/metrics/block-counts.ts";
import { METRICS_TYPE } from "../../api/metrics/exposition.ts";
import { metricsText } from "../../api/metrics/metrics.ts";
import type { RunningChain } from "./chain.ts";
import { send } from "./http.ts";

export async function answerMetrics(chain: RunningChain, response: ServerResponse): Promise<void> {
  send(response, 200, METRICS_TYPE, await metricsOf(chain).text());
}

/** One count for all doors of a chain. */
const known = new WeakMap<RunningChain, ChainMetrics>();

export function metricsOf(chain: RunningChain): ChainMetrics {
  const before = known.get(chain);
  if (before !== undefined) return before;
  const metrics = new ChainMetrics(chain);
  known.set(chain, metrics);
  return metrics;
}

class ChainMetrics {
  readonly #chain: RunningChain;
  #counts: BlockCounts;

  constructor(chain: RunningChain) {
    this.#chain = chain;
    this.#counts = new BlockCounts(chain.session.sim);
    // New blocks are in memory.
    chain.onBlocks(() => this.#current().observe());
  }

  /** The counts of the world that is played now; those of another begin anew. */
  #current(): BlockCounts {
    const { sim } = this.#chain.session;
    if (this.#counts.sim !== sim) this.#counts = new BlockCounts(sim);
    return this.#counts;
  }

  text(): Promise<string> {
    return this.#chain.session.ask(() => {
      const counts = this.#current();
      counts.observe();
      return metricsText(counts);
    });
  }
}
