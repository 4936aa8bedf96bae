import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { errorText } from "../base/error-text.ts";
import type { ScenarioProblem } from "../cli/scenario-problem.ts";
import type { SearchedFamily, SearchLab } from "../cli/search-context.ts";
import { createContext } from "../scenario/create-context.ts";
import { genesisProblem, parseFamily, problemAt } from "../scenario/parse.ts";
import { type CampaignOptions, runCampaign, SearchStopped } from "../scenario/search/campaign.ts";
import { explore } from "../scenario/search/explore.ts";
import { JOBS, type JobName, type JobRequest, type JobResult } from "../scenario/search/jobs.ts";
import { unreachedDisturb } from "../scenario/search/places.ts";
import { readReport } from "../scenario/search/read-report.ts";
import { hasFound, mergeReports, type SearchReport } from "../scenario/search/report.ts";
import { runCases, soundFamily } from "../scenario/search/run-batch.ts";
import type { FamilyFile, Finding } from "../scenario/search/search.ts";
import { shrink } from "../scenario/search/shrink.ts";
import { firstViolated, noReturnOn } from "../session/searching/no-return-parts.ts";
import type { SearchWorkers } from "../session/searching/search-workers.ts";
import { checkWritable, makeFolder, type Replaced, writeTo } from "./files.ts";
import { turn } from "./host.ts";
import { QueuedWorkers, type QueueSettings } from "./queue/queued-workers.ts";
import { serveQueue } from "./queue/serve-queue.ts";
import { beside } from "./scenario-lab.ts";
import { SearchPool } from "./search-pool.ts";

const SEARCH_REPORT: Replaced = { begins: '{"search":', name: "a report of a search" };
const SCENARIO_FILE: Replaced = { begins: "scenario:", name: "a scenario in YAML" };
const SCENARIO_JSON: Replaced = { begins: "{", name: "a scenario in JSON" };

/** Cases of a job in a queue: some seconds of work. */
const JOB_CASES = 250;

/**
 * @param program the built command, which threads run
 * @param build identifies it by its content
 * @param patience delays with a queue, if not the default ones
 */
export function createSearchLab(
  program: URL,
  build: () => Promise<string>,
  patience: Pick<QueueSettings, "tries" | "delays"> = {},
): SearchLab {
  return {
    cores: availableParallelism(),
    check,
    checkDraws(family) {
      const { file, text } = family;
      const problem = unreachedDisturb(soundFamily(fileOf(family)));
      return problem && problemAt(text, file, problem, beside(file));
    },
    // Never in this thread, which has to renew the locks of its jobs.
    serve: async (url, jobs, say) =>
      serve(new SearchPool(program, jobs), { url, build: await build(), log: say, ...patience }),
    async explore(family, limits, onProgress) {
      let interrupted = false;
      const interrupt = (): void => {
        interrupted = true;
      };
      process.once("SIGINT", interrupt);
      const read = explore(fileOf(family), { ...limits, isOver: () => interrupted });
      if ("problems" in read) throw new Error("the file is not sound");
      try {
        for (;;) {
          const { done, value } = read.running.next();
          if (done) return value;
          onProgress(value);
          await turn();
        }
      } finally {
        process.off("SIGINT", interrupt);
      }
    },
    readReport,
    mergeReports,
    hasFound,
    async noReturn(family, { jobs, among, ...how }, onFutures) {
      const workers = threads(program, jobs);
      try {
        const requested = { ...how, family: fileOf(family) };
        const { vary, disturb } = soundFamily(requested.family);
        if (how.number !== undefined && vary.length + disturb.length === 0) {
          throw new Error("it lets nothing be drawn, so that it has no cases: expected no --case");
        }
        const number = how.number ?? (await firstViolated(workers, { ...requested, among }));
        return await noReturnOn(workers, { ...requested, number }, onFutures);
      } finally {
        await workers.close();
      }
    },
    checkReport: (path) => checkWritable(path, SEARCH_REPORT),
    writeReport: (path, text) => writeTo(path, text, SEARCH_REPORT),
    savedCases(folder) {
      makeFolder(folder);
      const names = readdirSync(folder).filter((name) => /\.(ya?ml|json)$/.test(name));
      return names.sort().map((name) => join(folder, name));
    },
    saveCase(folder, name, text) {
      const isJson = text.startsWith("{");
      const path = join(folder, `${name}.${isJson ? "json" : "yaml"}`);
      writeTo(path, text, isJson ? SCENARIO_JSON : SCENARIO_FILE);
      return path;
    },
    async run(families, { jobs, queue, waitMs, forMs, ...how }, { log, onProgress, onFinding }) {
      const startMs = performance.now();
      let interrupted = false;
      const workers =
        queue === undefined
          ? threads(program, jobs)
          : await QueuedWorkers.open({
              ...{ url: queue, build: await build(), log, ...patience },
              ...(waitMs !== undefined && { waitMs }),
            });
      const interrupt = (): void => {
        interrupted = true;
        // Threads soon finish their work; a queue may take long, or forever without a worker.
        if (queue !== undefined) void workers.close();
      };
      process.once("SIGINT", interrupt);
      // Each family gets an equal share of the remaining time.
      const end = (place: number): number =>
        startMs + ((forMs ?? Number.POSITIVE_INFINITY) * (place + 1)) / families.length;
      const seconds = (): number => (performance.now() - startMs) / 1_000;
      const options: CampaignOptions = {
        ...how,
        isOver: (place) => interrupted || performance.now() >= end(place),
        // Jobs of a queue wait for workers: their duration does not reflect their size.
        ...(queue === undefined ? { clock: () => performance.now() } : { batchCases: JOB_CASES }),
        onProgress: (progress) => onProgress({ ...progress, seconds: seconds() }),
        onFinding,
      };
      try {
        const report = await runCampaign(workers, families.map(fileOf), options);
        return { report, seconds: seconds(), interrupted };
      } catch (error) {
        if (!(error instanceof SearchStopped)) throw error;
        const { report, message: problem, unshrunk } = error;
        if (interrupted) return { report, seconds: seconds(), interrupted };
        if (queue === undefined) return { report, seconds: seconds(), interrupted, problem };
        // A finding follows from seed and number, so it can be shrunk here.
        const here = threads(program, jobs);
        const tried = await Promise.allSettled(unshrunk.map((request) => here.shrink(request)));
        await here.close();
        const findings = tried.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
        const { file = "" } = report.families.at(-1) ?? {};
        for (const finding of findings) onFinding(finding, file);
        return {
          report: withFindings(report, findings),
          ...{ seconds: seconds(), interrupted, problem },
        };
      } finally {
        process.off("SIGINT", interrupt);
        await workers.close();
      }
    },
  };
}

/** A report with additional findings in its last family. */
const withFindings = (report: SearchReport, findings: readonly Finding[]): SearchReport => ({
  ...report,
  families: report.families.map((family, i, { length }) =>
    i < length - 1
      ? family
      : {
          ...family,
          findings: [...family.findings, ...findings].sort((a, b) => a.number - b.number),
        },
  ),
});

/** Serves a queue until a signal asks the process to end. */
async function serve(
  pool: SearchPool,
  settings: Parameters<typeof serveQueue>[0],
): Promise<number> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  process.once("SIGINT", end).once("SIGTERM", end);
  try {
    return await serveQueue(settings, pool, stop.signal);
  } finally {
    process.off("SIGINT", end).off("SIGTERM", end);
    await pool.close();
  }
}

/** The part of a family that is sent to other threads and machines. */
const fileOf = ({ file, text, imports }: SearchedFamily): FamilyFile => ({ file, text, imports });

const threads = (program: URL, jobs: number): SearchWorkers =>
  jobs > 1 ? new SearchPool(program, jobs) : here;

/** This thread, which handles signals between two cases. */
const here: SearchWorkers = {
  size: 1,
  async run(batch, isOver) {
    const running = runCases(batch);
    for (let ends = false; ; ends = isOver?.() ?? false) {
      await turn();
      const { done, value } = running.next(ends);
      if (done) return value;
    }
  },
  async shrink(request) {
    await turn();
    return shrink(request);
  },
  async do<N extends JobName>(does: N, request: JobRequest<N>) {
    await turn();
    return JOBS[does](request as never) as JobResult<N>;
  },
  close: async () => {},
};

function check(text: string, file: string): readonly ScenarioProblem[] | SearchedFamily {
  const imports: Record<string, string> = {};
  const read = parseFamily(text, file, (path) => {
    const found = beside(file)(path);
    imports[path] = found.text;
    return found;
  });
  if ("problems" in read) return read.problems;
  try {
    createContext(read.scenario);
  } catch (error) {
    return [genesisProblem(text, file, errorText(error), beside(file))];
  }
  return { file, text, imports, name: read.scenario.name };
}
