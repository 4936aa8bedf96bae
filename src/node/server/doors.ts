/** The HTTP/1 server of a running chain: the page, REST, gRPC-web and Connect. */
import { Access } from "./access.ts";
import { httpServer } from "./http.ts";
import { acceptUpgrades, type Bind, type ChainServer, listen, once } from "./listen.ts";
import type { Served } from "./served.ts";

/** Opens the HTTP/1 server for everything except the RPC. */
export async function openRest(served: Served, bind: Bind): Promise<ChainServer> {
  const { token, wrongTokenMs, chain } = served;
  const access = new Access(bind, token, wrongTokenMs, chain.guesses);
  const answers = once(async () =>
    (await import("./rest-answers.ts")).restAnswers(served, bind, access),
  );
  const server = httpServer(bind, async (request, response) =>
    (await answers()).answer(request, response),
  );
  acceptUpgrades(server, async (...upgrade) => (await answers()).attach(...upgrade));
  const listening = await listen(server, bind);
  chain.ports.add(listening.port);
  return { ...listening, load: async () => void (await answers()) };
}
