import { availableParallelism } from "node:os";
import { Searching } from "../session/searching/searching.ts";
import { SearchPool } from "./search-pool.ts";

/**
 * The lab of a served chain: cases run on threads, on all cores but the chain's.
 * @param program the built command
 */
export const searchingOf = (program: URL): Searching =>
  new Searching({
    clock: () => performance.now(),
    workers: (most = Number.POSITIVE_INFINITY) =>
      new SearchPool(program, Math.max(1, Math.min(most, availableParallelism() - 1))),
  });
