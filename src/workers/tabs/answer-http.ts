/** Answers HTTP requests of another page of the browser from the world that this tab plays. */
import { type AnswerHttp, httpHandler } from "../../server/answer.ts";
import { type HttpAnswer, readRequest } from "../../server/http.ts";
import { PlayedMetrics } from "../../server/metrics.ts";
import type { QueriedChain } from "../../server/queried-chain.ts";
import { looking, watch } from "../../server/watch.ts";
import { broadcastTx } from "../../session/broadcast.ts";
import type { Serve } from "../../session/call.ts";
import type { SessionHost } from "../../session/session-host.ts";

const known = new WeakMap<SessionHost, AnswerHttp>();

/** Rejects with a StatusError for an invalid request, or if a sent transaction cannot be saved. */
export async function answerHttp(
  host: SessionHost,
  request: unknown,
  control: Serve,
): Promise<HttpAnswer> {
  let server = known.get(host);
  if (server === undefined) {
    server = handlerFor(host);
    known.set(host, server);
  }
  return server(readRequest(request), control);
}

function handlerFor(host: SessionHost): AnswerHttp {
  const { session } = host.play;
  const metrics = new PlayedMetrics(session);
  const chain: QueriedChain = {
    namespace: "both",
    query: (question) => session.query(question),
    async broadcast(tx) {
      const checked = await broadcastTx(session, tx);
      if (checked.code === 0) await host.settled();
      return checked;
    },
    metrics: () => metrics.text(),
    reportBug: (error) => host.reportBug(error),
  };
  return httpHandler(chain, (router) => watch(router, looking(session), host, chain));
}
