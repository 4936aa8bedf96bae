/** Additional threads: each runs the same command, in the role of its name. */
import { Worker } from "node:worker_threads";

export const SCENARIO_THREAD = "chainlab-scenarios";

/** Runs cases of a search. */
export const SEARCH_THREAD = "chainlab-search";

/** Serves gRPC's HTTP/2, without load on the chain's thread. */
export const GRPC_THREAD = "chainlab-grpc";

/** @param program the built command */
export const startThread = (
  program: URL,
  name: typeof SCENARIO_THREAD | typeof SEARCH_THREAD | typeof GRPC_THREAD,
): Worker => new Worker(program, { workerData: name });
