/** CometBFT's RPC: JSON over HTTP and WebSocket (rules/clients 2, 3). */
import { RPC } from "../../base/limits.ts";
import { httpServer } from "./http.ts";
import { acceptUpgrades, type Bind, type ChainServer, listen, once } from "./listen.ts";
import { metricsOf } from "./metrics.ts";
import type { RpcAnswers } from "./rpc-answers.ts";
import type { Served } from "./served.ts";

/**
 * Serves the RPC of a chain.
 * @param unreadBytes maximum bytes buffered for a slow subscriber
 */
export async function openRpc(
  served: Served,
  bind: Bind,
  unreadBytes: number = RPC.unreadBytes,
): Promise<ChainServer> {
  const { chain } = served;
  // Counting of blocks starts now.
  metricsOf(chain);
  let open: RpcAnswers | undefined;
  const answers = once(async () => {
    const { rpcAnswers } = await import("./rpc-answers.ts");
    open = rpcAnswers(served, bind, listening.address, unreadBytes);
    return open;
  });
  const server = httpServer(bind, async (request, response) =>
    (await answers()).answer(request, response),
  );
  acceptUpgrades(server, async (...upgrade) => (await answers()).upgrade(...upgrade));
  const listening = await listen(server, bind);
  chain.ports.add(listening.port);
  chain.rpcAddress = `tcp://${listening.address}`;
  return {
    ...listening,
    load: async () => void (await answers()),
    close() {
      open?.close();
      return listening.close();
    },
  };
}
