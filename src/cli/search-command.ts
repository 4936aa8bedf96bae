/** The command lines of `chainlab search` and `chainlab merge`. */
import { buildCommand, type CommandContext, type StricliProcess } from "@stricli/core";
import type { RunContext } from "./context.ts";
import { readCount, readJobs, readSeed, readShard, readTimeout } from "./flags.ts";
import { mergeFiles, type SearchFlags, searchFiles, USUAL_RUNS, work } from "./search.ts";

interface Context extends CommandContext {
  readonly process: StricliProcess;
  readonly lab: RunContext;
}

const OUTPUT = {
  json: {
    kind: "boolean",
    brief: "Print the report as one JSON object instead of lines",
    default: false,
    withNegated: false,
  },
  junit: {
    kind: "parsed",
    brief:
      "Also write the properties as JUnit XML, with the shrunk scenario of one that does not hold",
    parse: String,
    placeholder: "FILE",
    optional: true,
  },
} as const;

const QUEUE = { kind: "parsed", parse: String, placeholder: "URL" } as const;

export const searchCommand = buildCommand<SearchFlags, string[], Context>({
  docs: {
    brief: "Searches the cases of scenario files for one in which a property does not hold",
    fullDescription:
      "Draws cases of files with vary or disturb and runs each, up to the first in which a property does not hold. That case is shrunk and printed as a scenario file, with the nearest case that holds. Exit status 0: nothing was found; 1: a property does not hold, or a sometimes property was never true; 2: a file is invalid or could not be read, and nothing ran, or no case of one did.",
  },
  parameters: {
    flags: {
      runs: {
        kind: "parsed",
        brief: `How many cases of each file to run; ${USUAL_RUNS} unless --for is given`,
        parse: readCount,
        placeholder: "N",
        optional: true,
      },
      for: {
        kind: "parsed",
        brief: "Time limit, such as 60s, instead of a number of cases",
        parse: readTimeout,
        placeholder: "TIME",
        optional: true,
      },
      seed: {
        kind: "parsed",
        brief: "Seed of all draws",
        parse: readSeed,
        placeholder: "SEED",
        default: "1",
      },
      jobs: {
        kind: "parsed",
        brief: "Number of threads; auto is one per core. The result does not depend on it",
        parse: readJobs,
        placeholder: "JOBS",
        default: "auto",
      },
      queue: {
        ...QUEUE,
        brief:
          "Runs the cases on the workers (chainlab worker) at this Redis or Valkey instead of local threads",
        optional: true,
      },
      wait: {
        kind: "parsed",
        brief: "Maximum time to wait for a worker at the queue, such as 10s. Default: 60s",
        parse: readTimeout,
        placeholder: "TIME",
        optional: true,
      },
      all: {
        kind: "boolean",
        brief: "Continues after a violation, with one finding for each property",
        default: false,
        withNegated: false,
      },
      guided: {
        kind: "boolean",
        brief: "Coverage-guided search: mutates cases that reached something new",
        default: false,
        withNegated: false,
      },
      plateau: {
        kind: "parsed",
        brief:
          "Ends the search after this number of generations in a row without anything new; needs --guided",
        parse: readCount,
        placeholder: "G",
        optional: true,
      },
      ...OUTPUT,
      keep: {
        kind: "parsed",
        brief: "Folder for the shrunk scenarios; those in it are tried first",
        parse: String,
        placeholder: "DIR",
        optional: true,
      },
      shard: {
        kind: "parsed",
        brief: "Run only this part of the cases, such as 1/4; needs --report",
        parse: readShard,
        placeholder: "PART",
        optional: true,
      },
      report: {
        kind: "parsed",
        brief: "Also write the report as JSON, for merge",
        parse: String,
        placeholder: "FILE",
        optional: true,
      },
    },
    positional: {
      kind: "array",
      parameter: { brief: "Scenario files, YAML or JSON", parse: String, placeholder: "FILE" },
      minimum: 1,
    },
  },
  async func(flags, ...files) {
    this.process.exitCode = await searchFiles(this.lab, files, flags);
  },
});

export const mergeCommand = buildCommand<Pick<SearchFlags, "json" | "junit">, string[], Context>({
  docs: {
    brief: "Merges the reports of all parts of a search",
    fullDescription:
      "Merges the reports that search wrote with --shard and --report, as if one search had run all cases. Exit status as that of search; 2 also if a part is missing, or a report belongs to another search.",
  },
  parameters: {
    flags: OUTPUT,
    positional: {
      kind: "array",
      parameter: { brief: "Reports of searches", parse: String, placeholder: "REPORT" },
      minimum: 1,
    },
  },
  async func(flags, ...files) {
    this.process.exitCode = await mergeFiles(this.lab, files, flags);
  },
});

interface WorkerFlags {
  readonly queue: string;
  readonly jobs: number | "auto";
}

export const workerCommand = buildCommand<WorkerFlags, [], Context>({
  docs: {
    brief: "Runs cases for searches on other machines",
    fullDescription:
      "Runs the cases of every search that names the same Redis or Valkey with --queue, until SIGINT or SIGTERM; then it completes its current cases. If it is killed, another worker runs its cases. Workers and searches must have the same build. Needs the optional packages bullmq and ioredis. Exit status 0: it ended on a signal; 1: the Redis was unavailable; 2: it could not start. Example: chainlab worker --queue redis://127.0.0.1:6379",
  },
  parameters: {
    flags: {
      queue: { ...QUEUE, brief: "The address of the Redis, such as redis://127.0.0.1:6379" },
      jobs: {
        kind: "parsed",
        brief: "Number of threads; auto is one per core",
        parse: readJobs,
        placeholder: "JOBS",
        default: "auto",
      },
    },
  },
  async func({ queue, jobs }) {
    this.process.exitCode = await work(this.lab, queue, jobs);
  },
});
