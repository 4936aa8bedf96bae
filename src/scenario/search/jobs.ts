/**
 * Jobs of a search in a thread or a page's worker, one at a time. Their data is plain when it is
 * sent.
 */

import { drain } from "../../base/drain.ts";
import { errorText } from "../../engine/framework/errors.ts";
import { parseScenario } from "../parse.ts";
import { type CoveredRun, coveredBy } from "./coverage.ts";
import { type NoReturn, type NoReturnRequest, noReturn } from "./no-return.ts";
import { runBatch } from "./run-batch.ts";
import type { FamilyFile } from "./search.ts";
import { readProbes, type SeriesOfRun, type SeriesRange, seriesOf } from "./series.ts";
import { shrink } from "./shrink.ts";

/** Job functions by name. */
export const JOBS = { run: runBatch, shrink, cover, noReturn: futures, series };

export type Jobs = typeof JOBS;
export type JobName = keyof Jobs;

/** A job, as sent. */
export type Job = {
  readonly [N in JobName]: { readonly does: N; readonly request: JobRequest<N> };
}[JobName];

export type JobRequest<N extends JobName> = Parameters<Jobs[N]>[0];
export type JobResult<N extends JobName> = ReturnType<Jobs[N]>;

/** Outcomes that a file reaches, and the problem of the file or its steps. */
function cover({ file, text }: Pick<FamilyFile, "file" | "text">): {
  readonly run?: CoveredRun;
  readonly problem?: string;
} {
  const read = parseScenario(text, file);
  if ("problems" in read) {
    const [first] = read.problems;
    return { problem: `${file}, line ${first?.line ?? 1}: ${first?.message ?? "it is not sound"}` };
  }
  try {
    const { run, failure } = coveredBy(read.scenario, file);
    return failure === undefined ? { run } : { run, problem: `${file}: ${failure}` };
  } catch (error) {
    return { problem: `${file}: ${errorText(error)}` };
  }
}

/** Runs some of the futures of a case. Throws an Error if the case is not violated. */
function futures(request: NoReturnRequest): NoReturn {
  return drain(noReturn(request));
}

/**
 * Evaluates expressions in a run of a file. Throws an Error if the file or one of them is invalid.
 */
function series({
  family,
  expressions,
  range,
}: {
  readonly family: FamilyFile;
  readonly expressions: readonly string[];
  readonly range: SeriesRange;
}): SeriesOfRun {
  const { file, text } = family;
  const scenario = parseScenario(text, file);
  if ("problems" in scenario) throw new Error(`${file} is not sound`);
  const read = readProbes(expressions, scenario.scenario);
  if ("problems" in read) throw new Error("an expression is not sound");
  return seriesOf(scenario.scenario, file, read.probes, range);
}
