/** Answers of a running chain's HTTP/1 server: the page, REST, gRPC-web and Connect. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { answerPath } from "../../server/rest.ts";
import type { Access } from "./access.ts";
import { attachPages } from "./attached.ts";
import { answerServices } from "./grpc/services.ts";
import {
  type AnswerRequest,
  allowOrigin,
  flatHeaders,
  readBody,
  refuseForeign,
  send,
} from "./http.ts";
import type { Bind } from "./listen.ts";
import { answerPage } from "./page.ts";
import { queriedChain } from "./queried-chain.ts";
import type { Served } from "./served.ts";

export interface RestAnswers {
  readonly answer: AnswerRequest;
  /** Attaches a page by WebSocket. */
  attach(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
}

/** Answers a chain's HTTP/1 requests except the RPC's. */
export function restAnswers(served: Served, bind: Bind, access: Access): RestAnswers {
  const { chain, page } = served;
  const queried = queriedChain(served);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (allowOrigin(request, response, served)) return;
    const { method = "GET", url: path = "/" } = request;
    const headers = flatHeaders(request);
    // The body must be read: the next request follows it.
    const body = await readBody(chain, request, response);
    const gone = (): boolean => response.destroyed;
    send(response, await answerPath(queried, { method, path, headers, body, gone }));
  };
  const services = answerServices(served, access, (request, response) =>
    answer(request as IncomingMessage, response as ServerResponse),
  );
  return {
    attach: attachPages(bind, chain, queried, access),
    async answer(request, response) {
      const [path = "/"] = (request.url ?? "/").split("?", 1);
      const isPages = page && isRead(request) && !NO_FILE.test(path);
      if (isPages) {
        // Any site may show the embeddable page.
        if (request.headers.origin !== undefined) refuseForeign(request, served);
        await chain.turn(() => response.destroyed);
        if (answerPage(page, served.endpoints, request, response)) return;
      }
      if (!METHOD.test(path)) return answer(request, response);
      // Only the node's own page may call methods of the lab.
      if (path.startsWith("/lab.")) refuseForeign(request, served);
      else if (allowOrigin(request, response, served)) return;
      services(request, response);
    },
  };
}

/** `/chain.bank.v1beta1.Query/Balance`. */
const METHOD = /^\/\w+(\.\w+)+\/\w+$/;

/** Paths that are never files of the page. */
const NO_FILE = /^\/(chain|cosmos|lab)\/|^\/(health|metrics|keplr\.json)$/;

const isRead = ({ method }: IncomingMessage): boolean => method === "GET" || method === "HEAD";
