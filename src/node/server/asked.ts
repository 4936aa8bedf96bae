import type { AskedChain } from "../../server/asked-chain.ts";
import { reportBug } from "./log.ts";
import { metricsOf } from "./metrics.ts";
import type { Served } from "./served.ts";

/** Adapts a running chain for its servers. */
export function askedChain({ chain, namespace }: Served): AskedChain {
  const metrics = metricsOf(chain);
  return {
    namespace,
    ask: (question, asker) => chain.ask(question, asker),
    broadcast: (tx) => chain.broadcast(tx),
    get wallets() {
      const { rpcAddress: rpc, minGasPrices } = chain;
      return rpc === "" ? undefined : { rpc, minGasPrices };
    },
    metrics: () => metrics.text(),
    reportBug,
  };
}
