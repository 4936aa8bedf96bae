/** `chainlab coverage`: the outcomes that files reach, and steps for the missing ones. */
import { buildCommand, type CommandContext, type StricliProcess } from "@stricli/core";
import type { Coverage, RunContext } from "./context.ts";
import { printedJson } from "./output.ts";
import { FAILED, PASSED, soundText, UNUSABLE } from "./run.ts";

interface Context extends CommandContext {
  readonly process: StricliProcess;
  readonly lab: RunContext;
}

interface Flags {
  readonly json: boolean;
  readonly all: boolean;
}

const GROUPS: Readonly<Record<string, string>> = {
  error: "Errors of transactions",
  halt: "Causes of halts",
  evidence: "Evidence",
  proposal: "Ends of proposals",
  sidecar: "Sidecars",
  profile: "Rows of the profiles",
};

export const coverageCommand = buildCommand<Flags, string[], Context>({
  docs: {
    brief: "Lists the outcomes that scenario files reach, and hints for the others",
    fullDescription:
      "Runs scenario files and lists all outcomes: every registered error, cause of a halt, outcome of evidence and proposals, result of a sidecar and difference between the profiles. For each it prints the number of times and the files that reach it, or a hint how to reach it. Exit status 0: the files ran; 1: a step or an expectation failed, and the rest of its file did not run; 2: a file is invalid or could not be read, and nothing ran.",
  },
  parameters: {
    flags: {
      json: {
        kind: "boolean",
        brief: "Print one JSON object instead of lines",
        default: false,
        withNegated: false,
      },
      all: {
        kind: "boolean",
        brief: "Lists outcomes that no file can reach too, with the reason",
        default: false,
        withNegated: false,
      },
    },
    positional: {
      kind: "array",
      parameter: { brief: "Scenario files, YAML or JSON", parse: String, placeholder: "FILE" },
      minimum: 1,
    },
  },
  async func(flags, ...files) {
    this.process.exitCode = await coverage(this.lab, files, flags);
  },
});

/** Returns the exit status. */
async function coverage(
  context: RunContext,
  names: readonly string[],
  flags: Flags,
): Promise<number> {
  const { stdout, stderr } = context;
  if (context.coverage === undefined) throw new Error("there are no files here");
  const files: { readonly file: string; readonly text: string }[] = [];
  for (const file of names) {
    const text = await soundText(context, file);
    if (text !== undefined) files.push({ file, text });
  }
  if (files.length < names.length) return UNUSABLE;
  let failed = false;
  const found = await context.coverage(files, (file, failure) => {
    if (failure === undefined) return;
    failed = true;
    stderr.write(`${file}: ${failure}\n`);
  });
  stdout.write(flags.json ? printedJson(found) : `${lines(found, flags.all).join("\n")}\n`);
  return failed ? FAILED : PASSED;
}

function lines({ files, outcomes, ...counts }: Coverage, all: boolean): readonly string[] {
  const groups = Object.entries(GROUPS).flatMap(([group, title]) => {
    const own = outcomes.filter((one) => one.group === group);
    const reached = own.filter(({ times }) => times > 0);
    const open = own.filter(({ times, reachable }) => times === 0 && (reachable || all));
    const can = own.filter(({ reachable }) => reachable).length;
    return [
      `${title}: ${reached.length} of ${can}`,
      ...reached.map(({ name, words, times, files: by }) => {
        const often = times === 1 ? "once" : `${times} times`;
        const where = files.length === 1 ? "" : ` in ${by.length} of ${files.length} files`;
        return `  ✓ ${name}: ${words} (${often}${where})`;
      }),
      ...open.flatMap(({ name, words, reachable, by }) => [
        `  ${reachable ? "·" : "–"} ${name}: ${words}`,
        `      ${reachable ? "by" : "by no file:"} ${by}`,
      ]),
      "",
    ];
  });
  const { reached, reachable, total } = counts;
  const more = `${total - reachable} more can be reached by no file${all ? "" : "; --all lists them"}`;
  return [...groups, `${reached} of ${reachable} outcomes reached (${more})`];
}
