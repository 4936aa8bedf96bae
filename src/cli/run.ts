/** `chainlab run`: checks all files first, and only if all are sound runs them. */
import type {
  CliContext,
  ScenarioFault,
  ScenarioJob,
  ScenarioOutline,
  ScenarioReport,
} from "./context.ts";
import { type Shard, shardOf } from "./flags.ts";
import { faultLine, Progress, reportLines, summary, toJson, toJunit } from "./output.ts";

export interface RunFlags {
  readonly json: boolean;
  readonly junit?: string;
  readonly seeds?: readonly number[];
  readonly shard?: Shard;
  readonly jobs: number | "auto";
  readonly explain: boolean;
}

/** Exit statuses, as the scenario format has them. */
export const PASSED = 0;
export const FAILED = 1;
export const UNUSABLE = 2;

interface Planned {
  readonly job: ScenarioJob;
  readonly outline: ScenarioOutline;
}

/** Returns the exit status. */
export async function runFiles(
  context: CliContext,
  files: readonly string[],
  flags: RunFlags,
): Promise<number> {
  const { stdout, stderr } = context;
  const { planned, faults } = await plan(context, files, flags);
  if (faults.length > 0) {
    for (const fault of faults) stderr.write(faultLine(fault));
    if (flags.json)
      stdout.write(`${JSON.stringify({ scenarios: [], passed: 0, failed: 0, faults })}\n`);
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
      stderr.write(`${flags.junit}: cannot be written: ${(error as Error).message}\n`);
      return UNUSABLE;
    }
  }
  return failed > 0 ? FAILED : PASSED;
}

async function plan(
  { readFile, scenarios }: CliContext,
  files: readonly string[],
  flags: RunFlags,
): Promise<{ planned: readonly Planned[]; faults: readonly ScenarioFault[] }> {
  const faults: ScenarioFault[] = [];
  const planned: Planned[] = [];
  for (const file of files) {
    let text: string;
    try {
      text = await readFile(file);
    } catch (error) {
      faults.push({
        file,
        path: "",
        line: 1,
        message: `cannot be read: ${(error as Error).message}`,
      });
      continue;
    }
    const outline = scenarios.check(text, file);
    if (!("steps" in outline)) {
      faults.push(...outline);
      continue;
    }
    for (const seed of flags.seeds ?? [outline.seed]) {
      planned.push({ job: { file, text, seed, explain: flags.explain }, outline });
    }
  }
  return { planned: flags.shard ? shardOf(planned, flags.shard) : planned, faults };
}

/** Runs with as many workers as asked for; `onReport` is called in the order of the plan. */
async function runAll(
  { scenarios }: CliContext,
  planned: readonly Planned[],
  flags: RunFlags,
  progress: Progress,
  onReport: (report: ScenarioReport, planned: Planned) => void,
): Promise<readonly ScenarioReport[]> {
  const wanted = flags.jobs === "auto" ? scenarios.cores : flags.jobs;
  const jobs = Math.max(1, Math.min(wanted, planned.length));
  const reports: ScenarioReport[] = [];
  const pool = scenarios.open(jobs);
  let next = 0;
  let told = 0;
  const work = async (): Promise<void> => {
    while (next < planned.length) {
      const index = next++;
      const { job } = planned[index] as Planned;
      reports[index] = await pool.run(job, () => progress.step());
      for (; reports[told]; told++)
        onReport(reports[told] as ScenarioReport, planned[told] as Planned);
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
