/** The `chainlab` command line. */
import {
  buildApplication,
  buildRouteMap,
  type Command,
  type CommandContext,
  proposeCompletions,
  type RouteMap,
  run,
  type StricliProcess,
  text_en,
} from "@stricli/core";
import { errorText, isBug } from "../base/error-text.ts";
import { visibleText } from "../base/visible-text.ts";
import { COMPLETE, completionCommands } from "./completion-commands.ts";
import type { CliContext, Output, RunContext, Screen } from "./context.ts";
import { FAILED, UNUSABLE } from "./run.ts";

interface Context extends CommandContext {
  readonly process: StricliProcess;
  readonly lab: RunContext;
}

/** Formats an unexpected error; for a bug also with its position in the code. */
function formatException(error: unknown): string {
  const stack = error instanceof Error && isBug(error) ? (error.stack ?? "") : "";
  const name = /^\s+at (.+)$/m.exec(stack)?.[1];
  return name === undefined ? errorText(error) : `${errorText(error)} (${name})`;
}

const screen = (output: Output): Screen => ({
  ...output,
  write: (text) => output.write(visibleText(text)),
  raw: (text) => output.write(text),
});

type Target = Command<Context> | RouteMap<Context>;
type Commands = Readonly<Record<string, () => Promise<Target>>>;

const query = () => import("./query-commands.ts");
const tx = () => import("./tx-commands.ts");
const lab = () => import("./lab-commands.ts");
const ofState = () => import("./state-commands.ts");
const ofPage = () => import("./page-commands.ts");
const ofSearch = () => import("./search-command.ts");
const ofNode = () => import("./node-commands.ts");

/** The commands of a shell, each loaded on demand: a script may run `status` many times. */
const SHELL: Commands = {
  run: async () => (await import("./run-command.ts")).runCommand,
  search: async () => (await ofSearch()).searchCommand,
  merge: async () => (await ofSearch()).mergeCommand,
  explore: async () => (await import("./explore.ts")).exploreCommand,
  worker: async () => (await ofSearch()).workerCommand,
  noReturn: async () => (await import("./no-return.ts")).noReturnCommand,
  coverage: async () => (await import("./coverage.ts")).coverageCommand,
  probe: async () => (await import("./probe.ts")).probeCommand,
  record: async () => (await import("./record.ts")).recordCommand,
  export: async () => (await ofState()).exportCommand,
  trace: async () => (await import("./chain-export.ts")).traceCommand,
  csv: async () => (await import("./chain-export.ts")).csvCommands,
  diff: async () => (await import("./diff.ts")).diffCommand,
  query: async () => (await query()).queryCommands("shell"),
  tx: async () => (await tx()).txCommands("shell"),
  lab: async () => (await lab()).labCommands("shell"),
  keys: async () => (await import("./keys-commands.ts")).keysCommands,
  genesis: async () => (await ofState()).genesisCommands,
  completion: async () => completionCommands,
  worlds: async () => (await import("./world-commands.ts")).worldCommands,
  init: async () => (await ofNode()).initCommand,
  start: async () => (await ofNode()).startCommand,
  status: async () => (await ofNode()).statusCommand,
  config: async () => (await ofNode()).configCommands,
  comet: async () => (await ofNode()).cometCommands,
  version: async () => (await ofNode()).versionCommand,
  preUpgrade: async () => (await ofNode()).preUpgradeCommand,
  cosmovisorHome: async () => (await ofNode()).cosmovisorHomeCommand,
};

/** The commands of a terminal in the page, which has no files, and whose node is not a process. */
const PAGE: Commands = {
  record: async () => (await import("./record.ts")).recordCommand,
  query: async () => (await query()).queryCommands("page"),
  tx: async () => (await tx()).txCommands("page"),
  lab: async () => (await lab()).labCommands("page"),
  keys: async () => (await ofPage()).keysCommands,
  status: async () => (await ofPage()).statusCommand,
  version: async () => (await ofPage()).versionCommand,
};

/** True if a command, as typed, is in a set. */
const isIn = (commands: Commands, text: string): boolean =>
  Object.hasOwn(
    commands,
    text.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  );

/** The application of a terminal: with one named command, or with all of them. */
async function applicationAt({ here, nodes }: CliContext, name = "") {
  const commands = here === undefined ? SHELL : PAGE;
  const named = Object.hasOwn(commands, name) ? [name] : Object.keys(commands);
  const loading = named.map(async (one) => [one, await commands[one]?.()] as const);
  const routes = Object.fromEntries(await Promise.all(loading)) as Record<string, Target>;
  const docs = { brief: "A blockchain simulator" };
  return buildApplication(buildRouteMap<string, Context>({ routes, docs }), {
    name: "chainlab",
    ...(nodes && { versionInfo: { getCurrentVersion: async () => nodes.version } }),
    documentation: { disableAnsiColor: true, caseStyle: "convert-camel-to-kebab" },
    localization: { text: { ...text_en, formatException, noCommandRegisteredForInput } },
    scanner: { caseStyle: "allow-kebab-for-camel" },
  });
}

/** A flag in place of the command means that the command is missing, not unknown. */
const noCommandRegisteredForInput: typeof text_en.noCommandRegisteredForInput = (defaults) =>
  defaults.input.startsWith("-")
    ? `expected a command before ${defaults.input}: --help lists them`
    : text_en.noCommandRegisteredForInput(defaults);

/** Common flags that may precede the command, each with a value. */
const ANYWHERE = /^(--(home|node|grpc-addr|lab-token|chain-id|output|binary)|-o)(=.*)?$/s;

/** The inputs from the command on, and the flags before it. */
function fromCommand(inputs: readonly string[]): Record<"command" | "flags", readonly string[]> {
  let start = 0;
  for (let match = ANYWHERE.exec(inputs[0] ?? ""); match; ) {
    start += match[3] === undefined ? 2 : 1;
    match = ANYWHERE.exec(inputs[start] ?? "");
  }
  return { command: inputs.slice(start), flags: inputs.slice(0, start) };
}

/** The inputs with the flags before the command moved after it. */
function behindCommand(inputs: readonly string[]): readonly string[] {
  const { command, flags } = fromCommand(inputs);
  // A launcher names its binary before every command, but only start uses it.
  const isLauncher = flags[0] === "--binary" && command[0] !== "start";
  return [...command, ...(isLauncher ? flags.slice(2) : flags)];
}

/** Commands of clients, to which a home's settings apply. */
const CLIENTS = ["query", "tx", "lab", "keys"];

/**
 * Flags with which the settings of a home are unused: the output format, help, and a scenario's
 * chain, which has no home.
 */
const NEEDS_NO_HOME = /^(--(output|help|help-all|helpAll|scenario)(=.*)?|-[a-zA-Z]*[ohH](=.*)?)$/s;

/** The default output format of a command line: from the settings of its home. */
async function usualOutputOf(line: readonly string[], { nodes }: CliContext) {
  const [name = ""] = line;
  if (nodes === undefined || !CLIENTS.includes(name)) return "text";
  if (line.some((word) => NEEDS_NO_HOME.test(word))) return "text";
  const at = line.findIndex((word) => /^--home(=|$)/.test(word));
  const [, home = line[at + 1]] = /^--home=(.*)$/s.exec(line[at] ?? "") ?? [];
  return nodes.output(at < 0 || home === undefined ? nodes.usualHome() : home);
}

/** Runs one command line, without the name of the command; returns the exit status. */
export async function main(inputs: readonly string[], initial: CliContext): Promise<number> {
  const { process, lab } = contextOf(initial);
  const [first, ...words] = inputs;
  if (first === COMPLETE) {
    const found = await completions(words, initial);
    lab.stdout.write(found.map((word) => `${word}\n`).join(""));
    return 0;
  }
  const line = behindCommand(inputs);
  const [name = ""] = line;
  if (initial.here !== undefined && !isIn(PAGE, name) && isIn(SHELL, name)) {
    lab.stderr.write(`${name} needs files or a process, which a page has not: run it in a shell\n`);
    return UNUSABLE;
  }
  let usualOutput: RunContext["usualOutput"];
  try {
    usualOutput = await usualOutputOf(line, initial);
  } catch (error) {
    lab.stderr.write(`${errorText(error)}\n`);
    return FAILED;
  }
  const context = { process, lab: { ...lab, usualOutput } };
  await run(await applicationAt(initial, line[0]), line, context);
  const { exitCode } = process;
  // Statuses below zero are the parser's own: the command line itself was invalid.
  return typeof exitCode === "number" && exitCode >= 0 ? exitCode : UNUSABLE;
}

/**
 * Completions of the last input, which may be empty, in order: flags if nothing else is valid, or
 * if one was started.
 */
export async function completions(
  inputs: readonly string[],
  input: CliContext,
): Promise<readonly string[]> {
  const { command, flags } = fromCommand(inputs);
  const requested = command.length > 0 ? command : flags.slice(-1);
  // An incomplete name may refer to any command.
  const application = await applicationAt(input, requested.length > 1 ? requested[0] : "");
  const proposed = await proposeCompletions(application, requested, contextOf(input));
  const words = proposed.map(({ completion }) => completion).sort();
  const others = words.filter((word) => !word.startsWith("-"));
  return others.length > 0 ? others : words;
}

function contextOf(input: CliContext): Context {
  const stdout = screen(input.stdout);
  const lab = { ...input, stdout, stderr: screen(input.stderr), usualOutput: "text" } as const;
  return { process: { stdout: lab.stdout, stderr: lab.stderr }, lab };
}
