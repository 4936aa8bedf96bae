import type { QueriedChain } from "../../server/queried-chain.ts";
import { reportBug } from "./log.ts";
import { metricsOf } from "./metrics.ts";
import type { Served } from "./served.ts";

/** Adapts a running chain for its servers. */
export function queriedChain({ chain, namespace }: Served): QueriedChain {
  const metrics = metricsOf(chain);
  return {
    namespace,
    query: (question, caller) => chain.query(question, caller),
    broadcast: (tx) => chain.broadcast(tx),
    get wallets() {
      const { rpcAddress: rpc, minGasPrices } = chain;
      return rpc === "" ? undefined : { rpc, minGasPrices };
    },
    metrics: () => metrics.text(),
    reportBug,
  };
}
