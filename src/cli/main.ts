/** The `chainlab` command line. */
import {
  buildApplication,
  buildCommand,
  buildRouteMap,
  type Command,
  type CommandContext,
  proposeCompletions,
  type RouteMap,
  run,
  type StricliProcess,
  text_en,
} from "@stricli/core";
import { errorText, isBug } from "../input/error-text.ts";
import { visibleText } from "../input/visible-text.ts";
import type { CliContext, Output, RunContext, Screen } from "./context.ts";
import { type ExportFlags, exportFile, exportHome, validateGenesis } from "./export.ts";
import { readHeight, readJobs, readSeeds, readShard } from "./flags.ts";
import { runInFolder } from "./folder.ts";
import { keysCommands } from "./keys-commands.ts";
import { labCommands } from "./lab-commands.ts";
import {
  configCommands,
  cosmovisorHomeCommand,
  initCommand,
  preUpgradeCommand,
  startCommand,
  statusCommand,
  versionCommand,
} from "./node-commands.ts";
import { queryCommands } from "./query-commands.ts";
import { type RunFlags, runFiles, UNUSABLE } from "./run.ts";
import { txCommands } from "./tx-commands.ts";
import { worldCommands } from "./world-commands.ts";

interface Context extends CommandContext {
  readonly process: StricliProcess;
  readonly lab: RunContext;
}

const runCommand = buildCommand<RunFlags, string[], Context>({
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
        brief: "How many scenarios run at once; auto is one per core",
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
        brief: "Keep the world of one file in this folder, and go on with it when run again",
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

const exportCommand = buildCommand<ExportFlags & { readonly home?: string }, [string?], Context>({
  docs: {
    brief: "Prints the state of a chain as a genesis file: after a scenario, or of a home",
    customUsage: ["FILE [--height HEIGHT]", "--home DIR [--height HEIGHT]"],
    fullDescription:
      "Runs a scenario file, or takes the chain of a home, whether its node runs or not, and prints the state of its chain as the genesis of another one. Exit status 0: printed; 1: a step failed or there is no such height; 2: the file is invalid or could not be read. Examples: chainlab export story.yaml --height 12 > genesis.json; chainlab export --home ~/lab > genesis.json",
  },
  parameters: {
    flags: {
      height: {
        kind: "parsed",
        brief: "The state after this height instead of the last one",
        parse: readHeight,
        placeholder: "HEIGHT",
        optional: true,
      },
      home: {
        kind: "parsed",
        brief: "The home of the chain, instead of a file",
        parse: String,
        placeholder: "DIR",
        optional: true,
      },
    },
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "A scenario file, YAML or JSON",
          parse: String,
          placeholder: "FILE",
          optional: true,
        },
      ],
    },
  },
  async func({ home, ...flags }, file) {
    const { lab } = this;
    const both = home !== undefined && file !== undefined;
    if (both) lab.stderr.write("expected FILE or --home DIR, found both\n");
    const usual = home ?? lab.nodes?.usualHome() ?? "";
    if (both) this.process.exitCode = UNUSABLE;
    else if (file === undefined) this.process.exitCode = await exportHome(lab, usual, flags);
    else this.process.exitCode = await exportFile(lab, file, flags);
  },
});

const genesisCommands = buildRouteMap<string, Context>({
  docs: { brief: "Checks genesis files" },
  routes: {
    validate: buildCommand<Record<never, never>, [string], Context>({
      docs: {
        brief: "Says whether a chain can begin from a genesis file",
        fullDescription:
          "Reads a genesis file as chainlab start --genesis does, and lists all that is wrong with it. Exit status 0: a chain can begin from it; 2: it is invalid or could not be read. Example: chainlab genesis validate ~/lab/config/genesis.json",
      },
      parameters: {
        positional: {
          kind: "tuple",
          parameters: [{ brief: "A genesis file", parse: String, placeholder: "FILE" }],
        },
      },
      async func(_, file) {
        this.process.exitCode = await validateGenesis(this.lab, file);
      },
    }),
  },
});

const completionCommands = buildRouteMap<string, Context>({
  docs: { brief: "Prints what completes command lines in a shell" },
  routes: {
    bash: buildCommand<Record<never, never>, [], Context>({
      docs: {
        brief: "Prints a script for bash",
        fullDescription:
          "Prints a script that has bash complete commands and flags. Example: source <(chainlab completion bash)",
      },
      parameters: {},
      async func() {
        this.lab.stdout.write(BASH);
      },
    }),
  },
});

/** Asked by the script: all words so far, the last of them unfinished. */
const COMPLETE = "__complete";

const BASH = `_chainlab() {
  local IFS=$'\\n'
  COMPREPLY=($(chainlab ${COMPLETE} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _chainlab chainlab
`;

/** What is said of an error that no command expected; of a bug also where the code is wrong. */
function formatException(error: unknown): string {
  const stack = error instanceof Error && isBug(error) ? (error.stack ?? "") : "";
  const place = /^\s+at (.+)$/m.exec(stack)?.[1];
  return place === undefined ? errorText(error) : `${errorText(error)} (${place})`;
}

const screen = (output: Output): Screen => ({
  ...output,
  write: (text) => output.write(visibleText(text)),
  raw: (text) => output.write(text),
});

/** The commands of a shell. */
const COMMANDS = {
  run: runCommand,
  export: exportCommand,
  query: queryCommands("shell"),
  tx: txCommands("shell"),
  lab: labCommands("shell"),
  keys: keysCommands,
  genesis: genesisCommands,
  completion: completionCommands,
  worlds: worldCommands,
  init: initCommand,
  start: startCommand,
  status: statusCommand,
  config: configCommands,
  version: versionCommand,
  preUpgrade: preUpgradeCommand,
  cosmovisorHome: cosmovisorHomeCommand,
};

/** Those that a terminal in the page has no use for: it has no files, and its node is no process. */
const OF_A_SHELL: ReadonlySet<string> = new Set([
  "run",
  "export",
  "keys",
  "genesis",
  "completion",
  "worlds",
  "init",
  "start",
  "status",
  "config",
  "version",
  "preUpgrade",
  "cosmovisorHome",
]);

const application = (routes: Readonly<Record<string, RoutingTarget>>) =>
  buildApplication(
    buildRouteMap<string, Context>({
      routes,
      docs: { brief: "A blockchain that can be watched, halted, upgraded and punished" },
    }),
    {
      name: "chainlab",
      documentation: { disableAnsiColor: true, caseStyle: "convert-camel-to-kebab" },
      localization: { text: { ...text_en, formatException } },
      scanner: { caseStyle: "allow-kebab-for-camel" },
    },
  );

type RoutingTarget = Command<Context> | RouteMap<Context>;

const SHELL = application(COMMANDS);
const PAGE = application({
  ...Object.fromEntries(Object.entries(COMMANDS).filter(([name]) => !OF_A_SHELL.has(name))),
  query: queryCommands("page"),
  tx: txCommands("page"),
  lab: labCommands("page"),
});

/** What is understood where a terminal is. */
const applicationAt = ({ here }: CliContext) => (here === undefined ? SHELL : PAGE);

/** Flags of many commands that may stand before the command, each with a value. */
const ANYWHERE = /^(--(home|node|grpc-addr|lab-token|chain-id|output|binary)|-o)(=.*)?$/s;

/** The inputs from the command on, and the flags that stand before it. */
function fromCommand(inputs: readonly string[]): Record<"command" | "flags", readonly string[]> {
  let start = 0;
  for (let match = ANYWHERE.exec(inputs[0] ?? ""); match; ) {
    start += match[3] === undefined ? 2 : 1;
    match = ANYWHERE.exec(inputs[start] ?? "");
  }
  return { command: inputs.slice(start), flags: inputs.slice(0, start) };
}

/** The inputs with the flags before the command behind it. */
function behindCommand(inputs: readonly string[]): readonly string[] {
  const { command, flags } = fromCommand(inputs);
  // A launcher names its binary before every command, of which start alone has use for it.
  const isLauncher = flags[0] === "--binary" && command[0] !== "start";
  return [...command, ...(isLauncher ? flags.slice(2) : flags)];
}

/** Runs one command line, without the name of the command; returns the exit status. */
export async function main(inputs: readonly string[], given: CliContext): Promise<number> {
  const { process, lab } = contextOf(given);
  const [first, ...words] = inputs;
  if (first === COMPLETE) {
    const found = await completions(words, given);
    lab.stdout.write(found.map((word) => `${word}\n`).join(""));
    return 0;
  }
  await run(applicationAt(given), behindCommand(inputs), { process, lab });
  const { exitCode } = process;
  // Statuses below zero are the parser's own: the command line itself was unusable.
  return typeof exitCode === "number" && exitCode >= 0 ? exitCode : UNUSABLE;
}

/**
 * What the last of the inputs, which may be empty, can become, in order: flags where nothing else can stand, or where
 * one was begun.
 */
export async function completions(
  inputs: readonly string[],
  given: CliContext,
): Promise<readonly string[]> {
  const { command, flags } = fromCommand(inputs);
  const asked = command.length > 0 ? command : flags.slice(-1);
  const proposed = await proposeCompletions(applicationAt(given), asked, contextOf(given));
  const words = proposed.map(({ completion }) => completion).sort();
  const others = words.filter((word) => !word.startsWith("-"));
  return others.length > 0 ? others : words;
}

function contextOf(given: CliContext): Context {
  const lab = { ...given, stdout: screen(given.stdout), stderr: screen(given.stderr) };
  return { process: { stdout: lab.stdout, stderr: lab.stderr }, lab };
}
