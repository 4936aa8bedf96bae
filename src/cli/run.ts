/** `chainlab run`: checks all files first, and runs them only if all are valid. */

import { errorText } from "../base/error-text.ts";
import { FileError } from "../base/file-text.ts";
import type { RunContext, ScenarioJob, ScenarioOutline, ScenarioReport } from "./context.ts";
import { type Shard, shardOf } from "./flags.ts";
import {
  Progress,
  printedJson,
  problemLine,
  reportLines,
  summary,
  toJson,
  toJunit,
} from "./output.ts";
import type { ScenarioProblem } from "./scenario-problem.ts";

export interface RunFlags {
  readonly json: boolean;
  readonly junit?: string;
  readonly seeds?: readonly number[];
  readonly shard?: Shard;
  readonly jobs: number | "auto";
  readonly explain: boolean;
  readonly data?: string;
}

/** Exit statuses, as defined by the scenario format. */
export const PASSED = 0;
export const FAILED = 1;
export const UNUSABLE = 2;

interface Planned {
  readonly job: ScenarioJob;
  readonly outline: ScenarioOutline;
}

interface ReadScenario {
  readonly text: string;
  readonly outline: ScenarioOutline;
}

/** A file's text and its actions, or its problems. */
async function readScenario(
  { readFile, scenarios }: RunContext,
  file: string,
): Promise<ReadScenario | readonly ScenarioProblem[]> {
  let text: string;
  try {
    text = await readFile(file);
  } catch (error) {
    const line = error instanceof FileError ? error.line : 1;
    return [{ file, path: "", line, message: `cannot be read: ${errorText(error)}` }];
  }
  const outline = (await scenarios()).check(text, file);
  return "steps" in outline ? { text, outline } : outline;
}

/** The text of a valid file; otherwise undefined, with its problems on stderr. */
export async function soundText(context: RunContext, file: string): Promise<string | undefined> {
  const read = await readScenario(context, file);
  if ("text" in read) return read.text;
  for (const problem of read) context.stderr.write(problemLine(problem));
  return undefined;
}

/** Returns the exit status. */
export async function runFiles(
  context: RunContext,
  files: readonly string[],
  flags: RunFlags,
): Promise<number> {
  const { stdout, stderr } = context;
  if (flags.junit !== undefined) {
    try {
      await context.checkWritable(flags.junit);
    } catch (error) {
      return unwritten(context, flags.junit, error);
    }
  }
  const { planned, problems } = await plan(context, files, flags);
  if (problems.length > 0) {
    for (const problem of problems) stderr.write(problemLine(problem));
    if (flags.json) stdout.write(printedJson({ scenarios: [], passed: 0, failed: 0, problems }));
    return UNUSABLE;
  }
  const progress = new Progress(
    stderr,
    planned.reduce((sum, { outline }) => sum + outline.steps.length, 0),
  );
  const reports = await runAll(context, planned, flags, progress, (report, { outline }) => {
    if (flags.json) return;
    progress.hide();
    stdout.write(reportLines(report, outline, stdout.columns));
    progress.show();
  });
  progress.hide();
  const { passed, failed } = summary(reports);
  if (flags.json) stdout.write(toJson(reports));
  else stdout.write(`${passed} passed, ${failed} failed\n`);
  if (flags.junit !== undefined) {
    const runs = planned.map(({ outline }, index) => ({
      report: reports[index] as ScenarioReport,
      outline,
    }));
    try {
      await context.writeFile(flags.junit, toJunit(runs));
    } catch (error) {
      return unwritten(context, flags.junit, error);
    }
  }
  return failed > 0 ? FAILED : PASSED;
}

function unwritten({ stderr }: RunContext, file: string, error: unknown): number {
  stderr.write(`${file || "--junit"}: cannot be written: ${errorText(error)}\n`);
  return UNUSABLE;
}

async function plan(
  context: RunContext,
  files: readonly string[],
  flags: RunFlags,
): Promise<{ planned: readonly Planned[]; problems: readonly ScenarioProblem[] }> {
  const problems: ScenarioProblem[] = [];
  const planned: Planned[] = [];
  for (const file of files) {
    const read = await readScenario(context, file);
    if (!("text" in read)) {
      for (const problem of read) problems.push(problem);
      continue;
    }
    const { text, outline } = read;
    for (const seed of flags.seeds ?? [outline.seed]) {
      planned.push({ job: { file, text, seed, explain: flags.explain }, outline });
    }
  }
  return { planned: flags.shard ? shardOf(planned, flags.shard) : planned, problems };
}

/** Runs with the requested number of workers; `onReport` is called in the order of the plan. */
async function runAll(
  { scenarios }: RunContext,
  planned: readonly Planned[],
  flags: RunFlags,
  progress: Progress,
  onReport: (report: ScenarioReport, planned: Planned) => void,
): Promise<readonly ScenarioReport[]> {
  const lab = await scenarios();
  const wanted = flags.jobs === "auto" ? lab.cores : flags.jobs;
  const jobs = Math.max(1, Math.min(wanted, planned.length));
  const reports: ScenarioReport[] = [];
  const pool = lab.open(jobs);
  let next = 0;
  let reported = 0;
  const work = async (): Promise<void> => {
    while (next < planned.length) {
      const index = next++;
      const { job } = planned[index] as Planned;
      reports[index] = await pool.run(job, () => progress.step());
      for (; reports[reported]; reported++)
        onReport(reports[reported] as ScenarioReport, planned[reported] as Planned);
    }
  };
  try {
    progress.show();
    await Promise.all(Array.from({ length: jobs }, work));
  } finally {
    await pool.close();
  }
  return reports;
}
