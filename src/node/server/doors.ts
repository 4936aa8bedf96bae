/** The HTTP/1 server of a running chain: the page, REST, gRPC-web and Connect. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { answerPath } from "../../doors/rest.ts";
import { Access } from "./access.ts";
import { askedChain } from "./asked.ts";
import { attachPages } from "./attached.ts";
import { answerServices } from "./grpc/server.ts";
import { allowOrigin, flatHeaders, httpServer, readBody, send } from "./http.ts";
import { type Bind, type Listening, listen } from "./listen.ts";
import { answerPage } from "./page.ts";
import type { Served } from "./served.ts";

/** REST and what else is asked over HTTP/1 beside the RPC. */
export function openRest(served: Served, bind: Bind): Promise<Listening> {
  const { chain, page, token } = served;
  const asked = askedChain(served);
  const access = new Access(bind, token);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (allowOrigin(request, response, served.cors)) return;
    const { method = "GET", url: path = "/" } = request;
    const headers = flatHeaders(request);
    // What was sent is taken whatever the answer is: the next request comes after it.
    const body = await readBody(request);
    send(response, await answerPath(asked, { method, path, headers, body }));
  };
  const services = answerServices(served, access, (request, response) =>
    answer(request as IncomingMessage, response as ServerResponse),
  );
  const server = httpServer(bind, (request, response) => {
    chain.requested();
    const [path = "/"] = (request.url ?? "/").split("?", 1);
    const isPages = page && isAsked(request) && !NO_FILE.test(path);
    if (isPages && answerPage(page, served.doors, request, response)) return undefined;
    if (!METHOD.test(path)) return answer(request, response);
    // What steers is for the node's own page alone.
    if (!path.startsWith("/lab.") && allowOrigin(request, response, served.cors)) return undefined;
    return services(request, response);
  });
  attachPages(server, bind, chain, asked, access);
  return listen(server, bind);
}

/** `/chain.bank.v1beta1.Query/Balance`. */
const METHOD = /^\/\w+(\.\w+)+\/\w+$/;

/** Paths for which no file of the page is looked for. */
const NO_FILE = /^\/(chain|cosmos|lab)\/|^\/(health|metrics)$/;

const isAsked = ({ method }: IncomingMessage): boolean => method === "GET" || method === "HEAD";
