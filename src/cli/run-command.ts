/** The command line of `chainlab run`. */
import { buildCommand, type CommandContext, type StricliProcess } from "@stricli/core";
import type { RunContext } from "./context.ts";
import { readJobs, readSeeds, readShard } from "./flags.ts";
import { runInFolder } from "./folder.ts";
import { type RunFlags, runFiles } from "./run.ts";

interface Context extends CommandContext {
  readonly process: StricliProcess;
  readonly lab: RunContext;
}

export const runCommand = buildCommand<RunFlags, string[], Context>({
  docs: {
    brief: "Runs scenario files",
    fullDescription:
      "Runs scenario files and reports the result of every step. Exit status 0: all passed; 1: an expectation or a step failed; 2: a file is invalid or could not be read, and nothing ran.",
  },
  parameters: {
    flags: {
      json: {
        kind: "boolean",
        brief: "Print one JSON object instead of lines",
        default: false,
        withNegated: false,
      },
      junit: {
        kind: "parsed",
        brief: "Also write the results as JUnit XML",
        parse: String,
        placeholder: "FILE",
        optional: true,
      },
      seeds: {
        kind: "parsed",
        brief: "Run every file once with each of these seeds, such as 1..50",
        parse: readSeeds,
        placeholder: "SEEDS",
        optional: true,
      },
      shard: {
        kind: "parsed",
        brief: "Run only this part of all runs, such as 1/4",
        parse: readShard,
        placeholder: "PART",
        optional: true,
      },
      jobs: {
        kind: "parsed",
        brief: "Number of scenarios to run in parallel; auto is one per core",
        parse: readJobs,
        placeholder: "JOBS",
        default: "1",
      },
      explain: {
        kind: "boolean",
        brief: "Show the decisions behind every step",
        default: false,
        withNegated: false,
      },
      data: {
        kind: "parsed",
        brief: "Folder for the world of one file; the next run resumes it",
        parse: String,
        placeholder: "DIR",
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
    const { data } = flags;
    this.process.exitCode =
      data === undefined
        ? await runFiles(this.lab, files, flags)
        : await runInFolder(this.lab, files, flags, data);
  },
});
