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
      "Draws cases of files with vary or disturb and runs each, up to the first in which a property does not hold. That case is made as small as can be and printed as a scenario file, with what would have to be otherwise. Exit status 0: nothing was found; 1: a property does not hold, or what must be true sometimes never was; 2: a file is invalid or could not be read, and nothing ran, or no case of one did.",
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
        brief: "How long to run cases, such as 60s, instead of how many",
        parse: readTimeout,
        placeholder: "TIME",
        optional: true,
      },
      seed: {
        kind: "parsed",
        brief: "The number that all draws follow from",
        parse: readSeed,
        placeholder: "SEED",
        default: "1",
      },
      jobs: {
        kind: "parsed",
        brief:
          "How many threads run cases; auto is one per core. What is found does not depend on it",
        parse: readJobs,
        placeholder: "JOBS",
        default: "auto",
      },
      queue: {
        ...QUEUE,
        brief:
          "Have the cases run by the workers at this Redis or Valkey, which chainlab worker starts, instead of threads here",
        optional: true,
      },
      wait: {
        kind: "parsed",
        brief: "How long to wait for a worker at the queue, such as 10s; 60s unless given",
        parse: readTimeout,
        placeholder: "TIME",
        optional: true,
      },
      all: {
        kind: "boolean",
        brief: "Go on after a violation, with one finding for each property",
        default: false,
        withNegated: false,
      },
      guided: {
        kind: "boolean",
        brief:
          "Coverage-guided: go on from cases that reached something new, by mutating what was drawn of them",
        default: false,
        withNegated: false,
      },
      plateau: {
        kind: "parsed",
        brief: "End when so many generations in a row reached nothing new; needs --guided",
        parse: readCount,
        placeholder: "G",
        optional: true,
      },
      ...OUTPUT,
      keep: {
        kind: "parsed",
        brief: "Keep the shrunk scenarios in this folder, and try those that it holds first",
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
    brief: "Puts the reports of all parts of a search together",
    fullDescription:
      "Puts the reports that search wrote with --shard and --report together, as if one search had run all cases. Exit status as that of search; 2 also if a part is missing, or a report belongs to another search.",
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
      "Runs the cases of every search that names the same Redis or Valkey with --queue, until SIGINT or SIGTERM; then it ends those it has begun. One that is killed loses nothing: its cases are run by another. Workers and searches have to be of one build. Needs the optional packages bullmq and ioredis. Exit status 0: it was told to end; 1: the Redis stayed away; 2: it could not begin. Example: chainlab worker --queue redis://127.0.0.1:6379",
  },
  parameters: {
    flags: {
      queue: { ...QUEUE, brief: "The address of the Redis, such as redis://127.0.0.1:6379" },
      jobs: {
        kind: "parsed",
        brief: "How many threads run cases; auto is one per core",
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
