import { Simulation } from "../../engine/simulation/simulation.ts";
import { runRounds, worldSpec } from "../../engine/simulation/testing.ts";
import type { Json } from "../../view/json.ts";
import { lazyObserver } from "../../view/lab/frame/observed.ts";
import { answerOf, atOnce } from "../../view/lab/reading.ts";
import { WorldQueries } from "../../view/lab/world-queries.ts";
import type { Namespace } from "../../view/namespaces.ts";
import { checkTx } from "../../view/tx/check-tx.ts";
import { answerRequest } from "./answer.ts";
import type { RpcNode } from "./node.ts";

export const nodeOf = (sim: Simulation, namespace: Namespace = "both"): RpcNode => {
  const queries = new WorldQueries(sim, lazyObserver(sim));
  return {
    turn: async () => {},
    query: async (question) => atOnce(answerOf(question(queries))),
    async broadcast(tx) {
      const checked = checkTx(sim, tx);
      if (checked.code === 0) sim.apply({ type: "signed_tx", bytes: tx });
      return checked;
    },
    async committed(hash) {
      runRounds(sim, 1);
      return sim.tx(hash);
    },
    reportBug: (error) => console.error(error),
    namespace,
    address: "tcp://127.0.0.1:1",
  };
};

/** A world after some rounds with its node, and a function that calls its methods. */
export function rpcWorld(rounds = 5) {
  const sim = Simulation.create(worldSpec());
  runRounds(sim, rounds);
  const node = nodeOf(sim);
  const call = (method: string, params?: Json) => answerRequest(node, { id: 1, method, params });
  const result = async (method: string, params?: Json) => {
    const answer = await call(method, params);
    if (answer.error !== undefined) throw new Error(JSON.stringify(answer.error));
    return answer.result;
  };
  return { sim, node, call, result };
}
