/**
 * Prints the call counts of the functions in which the engine spends its time, as JSON. It is
 * started with tsx, so that every function is found by its file and name. Calls are counted by the
 * JavaScript engine itself, which neither inlines nor optimizes meanwhile.
 */
import type { Profiler } from "node:inspector";
import { Session } from "node:inspector/promises";
import { withQuickHashes } from "../../src/node/quick-hashes.ts";
import { type Counted, type Counts, WHAT, WORKS } from "./counted.ts";
import { loadOf } from "./loads.ts";

/** By then the first entries have matured. */
const WARM_UP_ROUNDS = 20;
const ROUNDS = 10;

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await withQuickHashes(Promise.resolve());

const counts: Record<string, Counts> = {};
for (const name of WORKS) {
  const { transactions, prepare } = loadOf(name);
  const work = prepare();
  for (let i = 0; i < WARM_UP_ROUNDS; i++) work.once();
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  for (let i = 0; i < ROUNDS; i++) work.once();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  work.check();
  counts[name] = countsIn(result, ROUNDS * (transactions || 1));
}
process.stdout.write(JSON.stringify(counts));

function countsIn(scripts: readonly Profiler.ScriptCoverage[], rounds: number): Counts {
  const calls = (files: RegExp, functions: RegExp): number =>
    scripts
      .filter(({ url }) => files.test(url))
      .flatMap((script) => script.functions)
      .filter(({ functionName }) => functions.test(functionName))
      .reduce((sum, { ranges: [all] }) => sum + (all?.count ?? 0), 0);
  return Object.fromEntries(
    Object.entries(WHAT).map(([what, places]) => [
      what,
      places.reduce((sum, [files, functions]) => sum + calls(files, functions), 0) / rounds,
    ]),
  ) as Record<Counted, number>;
}
