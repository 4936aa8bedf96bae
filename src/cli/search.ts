/**
 * `chainlab search` and `chainlab merge`: checks all files first, and runs only if all are valid.
 */
import { errorText, isBug } from "../base/error-text.ts";
import { FileError } from "../base/file-text.ts";
import type { RunContext } from "./context.ts";
import type { Shard } from "./flags.ts";
import { printedJson, problemLine } from "./output.ts";
import { FAILED, PASSED, UNUSABLE } from "./run.ts";
import type { ScenarioProblem } from "./scenario-problem.ts";
import type {
  Finding,
  Searched,
  SearchedFamily,
  SearchLab,
  SearchReport,
} from "./search-context.ts";
import { searchJunit, searchLines, searchSummary } from "./search-output.ts";
import { SearchTable } from "./search-table.ts";

export interface SearchFlags {
  readonly runs?: number;
  readonly for?: number;
  readonly seed: number;
  readonly jobs: number | "auto";
  readonly queue?: string;
  readonly wait?: number;
  readonly all: boolean;
  readonly json: boolean;
  readonly junit?: string;
  readonly keep?: string;
  readonly shard?: Shard;
  readonly report?: string;
  readonly guided: boolean;
  readonly plateau?: number;
}

/** Default number of cases of a family without a time limit. */
export const USUAL_RUNS = 1_000;
/** Default limit of the time without a worker at the queue, in ms. */
const USUAL_WAIT_MS = 60_000;
/** The exit status of a program that Ctrl-C ended. */
const INTERRUPTED = 130;

/** Returns the exit status. */
export async function searchFiles(
  context: RunContext,
  files: readonly string[],
  flags: SearchFlags,
): Promise<number> {
  const { stderr } = context;
  if (flags.runs !== undefined && flags.for !== undefined) {
    return refused(context, "expected --runs or --for, found both");
  }
  if (flags.shard !== undefined && flags.report === undefined) {
    return refused(
      context,
      "a part of a search is of use with the others alone: expected --report FILE beside --shard",
    );
  }
  if (flags.wait !== undefined && flags.queue === undefined) {
    return refused(context, "expected --queue beside --wait: threads are there at once");
  }
  if (flags.guided && flags.shard !== undefined) {
    const text = "the cases of a guided search follow from all cases before them";
    return refused(context, `${text}: expected --guided or --shard, found both`);
  }
  if (flags.plateau !== undefined && !flags.guided) {
    return refused(
      context,
      "expected --guided beside --plateau: other searches have no generations",
    );
  }
  const lab = await labOf(context);
  try {
    if (flags.junit !== undefined) await context.checkWritable(flags.junit);
  } catch (error) {
    return refused(context, `${flags.junit || "--junit"}: cannot be written: ${errorText(error)}`);
  }
  try {
    if (flags.report !== undefined) lab.checkReport(flags.report);
  } catch (error) {
    return refused(context, `${flags.report}: cannot be written: ${errorText(error)}`);
  }
  let savedFiles: readonly string[] = [];
  try {
    // Only the first part of a sharded search reruns the stored scenarios.
    if (flags.keep !== undefined && (flags.shard?.index ?? 1) === 1)
      savedFiles = lab.savedCases(flags.keep);
  } catch (error) {
    return refused(context, `${flags.keep}: cannot be used: ${errorText(error)}`);
  }
  const families: SearchedFamily[] = [];
  const problems: ScenarioProblem[] = [];
  for (const file of [...savedFiles, ...files]) {
    const read = await readFamily(context, lab, file);
    if ("text" in read) families.push(read);
    else problems.push(...read);
  }
  if (problems.length === 0) problems.push(...families.flatMap((one) => lab.checkDraws(one) ?? []));
  if (problems.length > 0) return printProblems(context, problems, flags.json);
  const table = new SearchTable(stderr);
  const jobs = flags.jobs === "auto" ? lab.cores : flags.jobs;
  let searched: Searched;
  try {
    searched = await lab.run(
      families,
      {
        seed: flags.seed,
        jobs,
        all: flags.all,
        guided: flags.guided,
        ...(flags.plateau !== undefined && { plateau: flags.plateau }),
        ...(flags.for === undefined ? { runs: flags.runs ?? USUAL_RUNS } : { forMs: flags.for }),
        ...(flags.shard && { shard: flags.shard }),
        ...(flags.queue !== undefined && {
          queue: flags.queue,
          waitMs: flags.wait ?? USUAL_WAIT_MS,
        }),
      },
      {
        onProgress: (progress) => table.show(progress),
        log(words) {
          table.hide();
          stderr.write(`${words}\n`);
        },
        onFinding: (finding, file) => {
          if (flags.keep !== undefined && !savedFiles.includes(file))
            saveFinding(lab, flags.keep, finding);
        },
      },
    );
  } catch (error) {
    table.hide();
    if (isBug(error)) throw error;
    return refused(context, errorText(error));
  }
  const { report, seconds, interrupted, problem } = searched;
  table.hide();
  // A report claims that all its cases were run: after a merge, missing ones would go unnoticed.
  const { report: name, ...others } = flags;
  const isWhole = problem === undefined && !interrupted;
  const input = isWhole ? flags : others;
  const status = await writeReport(context, lab, report, input, seconds, isWhole);
  if (name !== undefined && !isWhole) stderr.write(`${name}: was not written\n`);
  if (problem !== undefined) {
    stderr.write(`${problem}: these are the cases up to then\n`);
    return status === PASSED ? UNUSABLE : status;
  }
  if (!interrupted) return status;
  stderr.write("interrupted: these are the cases up to then\n");
  return status === PASSED ? INTERRUPTED : status;
}

/** Stores a finding's scenario in a folder. Throws an Error that says why it cannot. */
function saveFinding(lab: SearchLab, folder: string, { scenario, number }: Finding): void {
  const name = /^ *"?name"?: "?([a-z0-9._-]+)"?,?$/m.exec(scenario)?.[1] ?? `case-${number}`;
  try {
    lab.saveCase(folder, name, scenario);
  } catch (error) {
    throw new Error(`${name} cannot be saved in ${folder}: ${errorText(error)}`);
  }
}

/** Runs cases of a queue; returns the exit status. */
export async function work(
  context: RunContext,
  queue: string,
  jobs: number | "auto",
): Promise<number> {
  const { stderr } = context;
  const lab = await labOf(context);
  let isStarted = false;
  const say = (line: string): void => {
    isStarted = true;
    stderr.write(`${line}\n`);
  };
  try {
    const done = await lab.serve(queue, jobs === "auto" ? lab.cores : jobs, say);
    stderr.write(`told to end; jobs done: ${done}\n`);
    return PASSED;
  } catch (error) {
    if (isBug(error)) throw error;
    stderr.write(`${errorText(error)}\n`);
    return isStarted ? FAILED : UNUSABLE;
  }
}

/** Returns the exit status. */
export async function mergeFiles(
  context: RunContext,
  files: readonly string[],
  flags: Pick<SearchFlags, "json" | "junit">,
): Promise<number> {
  const lab = await labOf(context);
  const reports: { file: string; report: SearchReport }[] = [];
  const problems: ScenarioProblem[] = [];
  for (const file of files) {
    const read = await textOf(context, file);
    const found = typeof read === "string" ? lab.readReport(read, file) : { problems: read };
    if ("report" in found) reports.push({ file, report: found.report });
    else problems.push(...found.problems);
  }
  if (problems.length > 0) return printProblems(context, problems, flags.json);
  const merged = lab.mergeReports(reports);
  if ("problems" in merged) return printProblems(context, merged.problems, flags.json);
  return writeReport(context, lab, merged.report, flags, 0, true);
}

/**
 * Writes the findings to all requested outputs; returns the exit status.
 * @param isWhole true if the search completed: otherwise the reason for missing cases is known
 */
async function writeReport(
  context: RunContext,
  lab: SearchLab,
  report: SearchReport,
  flags: Pick<SearchFlags, "json" | "junit" | "report">,
  seconds: number,
  isWhole: boolean,
): Promise<number> {
  const { stdout } = context;
  if (flags.json) stdout.write(printedJson(report));
  else stdout.write(`${searchLines(report)}\n${searchSummary(report, seconds)}`);
  try {
    if (flags.report !== undefined) lab.writeReport(flags.report, printedJson(report));
  } catch (error) {
    return refused(context, `${flags.report}: cannot be written: ${errorText(error)}`);
  }
  try {
    if (flags.junit !== undefined) {
      await context.writeFile(flags.junit, searchJunit(report));
    }
  } catch (error) {
    return refused(context, `${flags.junit || "--junit"}: cannot be written: ${errorText(error)}`);
  }
  if (lab.hasFound(report)) return FAILED;
  const empty = isWhole ? emptyFamily(report) : undefined;
  if (empty === undefined) return PASSED;
  const { file, cases } = empty;
  const why = cases === 0 ? "there was no time for any" : "each draw made an unsound scenario";
  return refused(context, `${file}: no case ran, so that nothing is known of it: ${why}`);
}

/** The first family without any case; one part of a search may have none of its cases. */
const emptyFamily = ({ families, shard }: SearchReport) =>
  shard === undefined ? families.find(({ cases, unsound: never }) => cases === never) : undefined;

export async function readFamily(
  context: RunContext,
  lab: SearchLab,
  file: string,
): Promise<SearchedFamily | readonly ScenarioProblem[]> {
  const text = await textOf(context, file);
  return typeof text === "string" ? lab.check(text, file) : text;
}

async function textOf(
  { readFile }: RunContext,
  file: string,
): Promise<string | readonly ScenarioProblem[]> {
  try {
    return await readFile(file);
  } catch (error) {
    const line = error instanceof FileError ? error.line : 1;
    return [{ file, path: "", line, message: `cannot be read: ${errorText(error)}` }];
  }
}

export function labOf({ search }: RunContext): Promise<SearchLab> {
  if (search === undefined) throw new Error("searching needs threads, which are not here");
  return search();
}

export function refused({ stderr }: RunContext, message: string): number {
  stderr.write(`${message}\n`);
  return UNUSABLE;
}

export function printProblems(
  { stdout, stderr }: RunContext,
  problems: readonly ScenarioProblem[],
  json: boolean,
): number {
  for (const problem of problems) stderr.write(problemLine(problem));
  if (json) stdout.write(printedJson({ families: [], problems }));
  return UNUSABLE;
}
