/** Threads beside the first one: each runs the one command again, as what its name says. */
import { Worker } from "node:worker_threads";

/** Runs scenarios. */
export const SCENARIO_THREAD = "chainlab-scenarios";

/** Runs cases of a search. */
export const SEARCH_THREAD = "chainlab-search";

/** Serves gRPC's HTTP/2, so that it costs the chain nothing. */
export const GRPC_THREAD = "chainlab-grpc";

/** @param program the built command */
export const startThread = (
  program: URL,
  name: typeof SCENARIO_THREAD | typeof SEARCH_THREAD | typeof GRPC_THREAD,
): Worker => new Worker(program, { workerData: name });
