/** The HTTP/1 server of a running chain: the page, REST, gRPC-web and Connect. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { openApi, openApiPage } from "../../api/openapi.ts";
import { Access } from "./access.ts";
import { attachPages } from "./attached.ts";
import { answerServices } from "./grpc/server.ts";
import { allowOrigin, httpServer, send } from "./http.ts";
import { type Bind, type Listening, listen } from "./listen.ts";
import { answerMetrics, metricsOf } from "./metrics.ts";
import { answerPage } from "./page.ts";
import { answerRest } from "./rest.ts";
import type { Served } from "./served.ts";

/** REST and what else is asked over HTTP/1 beside the RPC. */
export function openRest(served: Served, bind: Bind): Promise<Listening> {
  const { chain, page, token } = served;
  metricsOf(chain);
  const access = new Access(bind, token);
  const services = answerServices(served, access, (request, response) =>
    answerRest(chain, served, request as IncomingMessage, response as ServerResponse),
  );
  const server = httpServer(bind, (request, response) => {
    chain.requested();
    const [path = "/"] = (request.url ?? "/").split("?", 1);
    if (page && isAsked(request) && answerPage(page, served.doors, request, response))
      return undefined;
    if (METHOD.test(path)) {
      // What steers is for the node's own page alone.
      if (!path.startsWith("/lab.") && allowOrigin(request, response, served.cors))
        return undefined;
      return services(request, response);
    }
    if (path === "/openapi.json" || path === "/openapi")
      return answerOpenApi(path, request, response, served.cors);
    if (path === "/health") return send(response, 200, "application/json", "{}");
    if (path === "/metrics") return answerMetrics(chain, response);
    return answerRest(chain, served, request, response);
  });
  attachPages(server, bind, chain, access);
  return listen(server, bind);
}

/** The description of REST, for programs and for people. */
function answerOpenApi(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  cors: string,
): void {
  if (allowOrigin(request, response, cors)) return;
  if (path === "/openapi")
    send(response, 200, "text/html; charset=utf-8", openApiPage(API_VERSION));
  else send(response, 200, "application/json", JSON.stringify(openApi(API_VERSION)));
}

/** Of the interface: that of lab.v1. */
const API_VERSION = "1";

/** `/chain.bank.v1beta1.Query/Balance`. */
const METHOD = /^\/\w+(\.\w+)+\/\w+$/;

const isAsked = ({ method }: IncomingMessage): boolean => method === "GET" || method === "HEAD";
