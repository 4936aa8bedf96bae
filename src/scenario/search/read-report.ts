/**
 * Parses the report of a search, which is untrusted: a report that no search can have written is
 * refused.
 */
import * as v from "valibot";
import { formatPath, problemsOf } from "../problems.ts";
import { readSource } from "../source.ts";
import { contradictions } from "./contradictions.ts";
import { type ReportProblem, reportSchema, type SearchReport } from "./report.ts";

/** Returns the report in a text, or its problem. */
export function readReport(
  content: string,
  file: string,
): { readonly report: SearchReport } | { readonly problems: readonly ReportProblem[] } {
  const read = readSource(content, file.endsWith(".json") ? file : `${file}.json`);
  if ("problems" in read) return { problems: read.problems.map((one) => ({ ...one, file })) };
  const found = v.safeParse(reportSchema, read.source.value);
  const all = found.success ? contradictions(found.output) : problemsOf(found.issues, []);
  if (found.success && all.length === 0) return { report: found.output };
  const problems = all.slice(0, MOST_PROBLEMS);
  const places = read.source.positionsOf(problems.map(({ path }) => path));
  return {
    problems: problems.map(({ path, message }, i) => ({
      file,
      path: formatPath(path),
      line: places[i]?.line ?? 1,
      message,
    })),
  };
}

const MOST_PROBLEMS = 10;
