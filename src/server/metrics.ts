import type { Session } from "../session/session.ts";
import { BlockCounts } from "./metrics/block-counts.ts";
import { metricsText } from "./metrics/metrics.ts";

/** Metrics of the world that a session plays, counted from now on; another world starts anew. */
export class PlayedMetrics {
  readonly #session: Session;
  #counts: BlockCounts;

  constructor(session: Session) {
    this.#session = session;
    this.#counts = new BlockCounts(session.sim);
  }

  /** Counts the new blocks. Must be called while they are in memory. */
  observe(): void {
    this.#current().observe();
  }

  #current(): BlockCounts {
    const { sim } = this.#session;
    if (this.#counts.sim !== sim) this.#counts = new BlockCounts(sim);
    return this.#counts;
  }

  text(): Promise<string> {
    const counts = () => this.#current();
    return this.#session.query(function* () {
      yield* counts().reads();
      counts().observe();
      return metricsText(counts());
    });
  }
}
