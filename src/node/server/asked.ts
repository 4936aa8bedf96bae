import type { AskedChain } from "../../doors/asked-chain.ts";
import { comparingOf, exported, recorded } from "../../session/recorded.ts";
import { reportBug } from "./log.ts";
import { metricsOf } from "./metrics.ts";
import type { Served } from "./served.ts";

/** A running chain as its doors ask it. */
export function askedChain({ chain, namespace }: Served): AskedChain {
  const metrics = metricsOf(chain);
  return {
    namespace,
    ask(question) {
      chain.requested();
      return chain.ask(question);
    },
    broadcast(tx) {
      chain.requested();
      return chain.broadcast(tx);
    },
    record() {
      chain.requested();
      return recorded(chain.session);
    },
    async compare(request) {
      chain.requested();
      return (await comparingOf(chain.session)).compare(request);
    },
    async find(request) {
      chain.requested();
      return (await comparingOf(chain.session)).find(request);
    },
    export(request) {
      chain.requested();
      return exported(chain.session, request);
    },
    get wallets() {
      const { rpcAddress: rpc, minGasPrices } = chain;
      return rpc === "" ? undefined : { rpc, minGasPrices };
    },
    metrics: () => metrics.text(),
    reportBug,
  };
}
