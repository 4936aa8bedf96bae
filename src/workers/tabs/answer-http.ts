/** Answers HTTP requests of another page of the browser from the world that this tab plays. */
import { type AnswerHttp, doorOf } from "../../server/answer.ts";
import type { AskedChain } from "../../server/asked-chain.ts";
import { type HttpAnswer, readRequest } from "../../server/http.ts";
import { PlayedMetrics } from "../../server/metrics.ts";
import { looking, watch } from "../../server/watch.ts";
import { broadcastTx } from "../../session/broadcast.ts";
import type { Serve } from "../../session/call.ts";
import type { Place } from "../../session/place.ts";

const known = new WeakMap<Place, AnswerHttp>();

/** Rejects with a StatusError for an invalid request, or if a sent transaction cannot be saved. */
export async function answerHttp(
  place: Place,
  request: unknown,
  steer: Serve,
): Promise<HttpAnswer> {
  let door = known.get(place);
  if (door === undefined) {
    door = doorTo(place);
    known.set(place, door);
  }
  return door(readRequest(request), steer);
}

function doorTo(place: Place): AnswerHttp {
  const { session } = place.play;
  const metrics = new PlayedMetrics(session);
  const chain: AskedChain = {
    namespace: "both",
    ask: (question) => session.ask(question),
    async broadcast(tx) {
      const checked = await broadcastTx(session, tx);
      if (checked.code === 0) await place.settled();
      return checked;
    },
    metrics: () => metrics.text(),
    reportBug: (error) => place.reportBug(error),
  };
  return doorOf(chain, (router) => watch(router, looking(session), place, chain));
}
