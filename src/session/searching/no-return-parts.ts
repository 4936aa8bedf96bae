/** Computes the point of no return of a case on several workers: each runs some of the futures. */
import { differentCases } from "../../scenario/search/enumerate.ts";
import {
  mergedNoReturn,
  type NoReturn,
  type NoReturnRequest,
} from "../../scenario/search/no-return.ts";
import { soundFamily } from "../../scenario/search/run-batch.ts";
import type { CaseWorkers, FamilyFile } from "../../scenario/search/search.ts";
import { inParts } from "./in-parts.ts";
import type { SearchWorkers } from "./search-workers.ts";

/**
 * Parts for each worker, so that none waits long for the last one, and progress can be reported.
 */
const PARTS = 12;
/** Cases per batch while searching for a violated one. */
const CASES = 10;

/**
 * Runs all futures of a case; the result does not depend on the number of workers. Rejects with an
 * Error if the case is not violated.
 * @param onFutures called with the number of futures that have run, from every point
 * @param isOver true stops before the next part, checked after each; the result is then that of the
 * futures that have run
 */
export async function noReturnOn(
  workers: SearchWorkers,
  request: NoReturnRequest,
  onFutures: (done: number, of: number) => void = () => {},
  isOver: () => boolean = () => false,
): Promise<NoReturn> {
  const { futures } = request;
  const count = Math.min(futures, workers.size * PARTS);
  const begin = (part: number): number => Math.floor((part * futures) / count);
  const ranges = Array.from({ length: count }, (_, part) => {
    return { first: begin(part), futures: begin(part + 1) - begin(part) };
  });
  let done = 0;
  const parts = await inParts(
    workers,
    ranges,
    async (range) => {
      const part = await workers.do("noReturn", { ...request, ...range });
      done += range.futures;
      onFutures(done, futures);
      return part;
    },
    isOver,
  );
  return mergedNoReturn(parts as [NoReturn, ...NoReturn[]]);
}

/**
 * Number of the first violated one among the given number of cases; 0 if the file is a single case.
 * Rejects with an Error if there is none.
 */
export async function firstViolated(
  workers: CaseWorkers,
  {
    family,
    seed,
    among,
  }: { readonly family: FamilyFile; readonly seed: number; readonly among: number },
): Promise<number> {
  const read = soundFamily(family);
  if (read.vary.length + read.disturb.length === 0) return 0;
  const different = differentCases(read) ?? Number.POSITIVE_INFINITY;
  const last = Math.min(among, different);
  for (let begin = 0; begin < last; begin += CASES * workers.size) {
    const firsts = Array.from({ length: workers.size }, (_, i) => begin + i * CASES);
    const results = await Promise.all(
      firsts
        .filter((first) => first < last)
        .map((first) => {
          const count = Math.min(CASES, last - first);
          return workers.run({ family, seed, first, count, untilFirst: true });
        }),
    );
    const [found] = results.flatMap(({ violated }) => violated);
    if (found !== undefined) return found.number;
  }
  const which =
    last === different ? `all ${last} cases` : `the first ${last} cases of seed ${seed}`;
  throw new Error(`every property holds in ${which}`);
}
