/** The command lines of `chainlab lab`, built from its table. */
import {
  buildCommand,
  buildRouteMap,
  type Command,
  type CommandContext,
  type StricliProcess,
  type TypedCommandParameters,
} from "@stricli/core";
import { errorText } from "../base/error-text.ts";
import type { ReachedChain, RunContext } from "./context.ts";
import { CLIENT_OUTPUT, withOutput } from "./flags.ts";
import type { LabEntry, Values } from "./lab-entry.ts";
import { LAB, LAB_NODE } from "./lab-table.ts";
import { LAB_WORLD } from "./lab-worlds.ts";
import { printedJson } from "./output.ts";
import { type NodeFlags, nodeLocation } from "./query.ts";
import type { Terminal } from "./query-commands.ts";
import { FAILED, PASSED, UNUSABLE } from "./run.ts";
import { describeValue } from "./values.ts";

interface Context extends CommandContext {
  readonly process: StricliProcess;
  readonly lab: RunContext;
}

interface LabFlags extends NodeFlags {
  readonly output: "text" | "json";
}

type Flags = LabFlags & Readonly<Record<string, unknown>>;
type Args = readonly (string | undefined)[];

const text = (brief: string, placeholder: string) =>
  ({ kind: "parsed", brief, parse: String, placeholder }) as const;
const optional = (brief: string, placeholder: string) =>
  ({ ...text(brief, placeholder), optional: true }) as const;

/** The chain to control. */
const PLACES = {
  grpcAddr: optional("The address of the node's gRPC, such as 127.0.0.1:9090", "ADDRESS"),
  home: optional("The home of the node; the usual one unless given", "DIR"),
  labToken: optional("Shows a node with a token that one may steer it", "TOKEN"),
} as const;

function command(entry: LabEntry, terminal: Terminal): Command<Context> {
  const { brief, example, params } = entry;
  const flags = params.filter((one) => one.startsWith("--")).map((one) => one.slice(2));
  const positional = params.filter((one) => !one.startsWith("--"));
  const parameters = {
    aliases: { o: "output" },
    flags: {
      ...Object.fromEntries(flags.map((name) => [name, optional(describeValue(name), "VALUE")])),
      ...(terminal === "shell" ? PLACES : {}),
      ...CLIENT_OUTPUT,
    },
    positional: {
      kind: "tuple",
      parameters: positional.map((place) => {
        const [name = "", open] = place.split("?");
        return open === undefined
          ? text(describeValue(name), name)
          : optional(describeValue(name), name);
      }),
    },
  };
  return buildCommand<Flags, Args, Context>({
    docs: {
      brief,
      fullDescription: `${brief}. Example: ${terminal === "shell" ? "chainlab " : ""}lab ${example}`,
    },
    // The types distinguish flags by name, which is impossible for those of a table.
    parameters: parameters as unknown as TypedCommandParameters<Flags, Args, Context>,
    async func(input, ...args) {
      const values: Values = Object.fromEntries([
        ...positional.map((name, i) => [name.replace("?", ""), args[i]] as const),
        ...flags.map((name) => [name, input[name] as string | undefined] as const),
      ]);
      this.process.exitCode = await control(this.lab, entry, values, withOutput(input, this.lab));
    },
  });
}

/** Runs it on a running chain, and prints the result. Returns the exit status. */
async function control(
  context: RunContext,
  { step, call }: LabEntry,
  values: Values,
  flags: LabFlags,
): Promise<number> {
  const { stderr } = context;
  let written: object | undefined;
  let called: ReturnType<NonNullable<typeof call>> | undefined;
  try {
    written = step?.(values);
    called = call?.(values);
  } catch (error) {
    stderr.write(`${errorText(error)}\n`);
    return UNUSABLE;
  }
  try {
    const { lab } = context.here ?? (await reached(context, flags));
    const answer = await called?.(lab);
    if (answer !== undefined)
      context.stdout.write(flags.output === "json" ? printedJson(answer.json) : answer.text);
    return written === undefined ? PASSED : await run(context, lab, written, flags);
  } catch (error) {
    stderr.write(`${errorText(error)}\n`);
    return FAILED;
  }
}

function reached({ nodes }: RunContext, flags: LabFlags): Promise<ReachedChain> {
  if (nodes === undefined) throw new Error("no node can be reached from here");
  const home = { home: flags.home ?? nodes.usualHome() };
  return nodes.reach(nodeLocation(flags.grpcAddr ? flags : { ...flags, ...home }) ?? home);
}

async function run(
  { stdout, stderr }: RunContext,
  lab: ReachedChain["lab"],
  step: object,
  { output }: LabFlags,
): Promise<number> {
  const { ok, height, message, path, value } = await lab.runStep({ step: JSON.stringify(step) });
  if (output === "json") stdout.write(printedJson({ ok, height, message, path, value }));
  else if (ok) stdout.write(`height ${height}${value === "" ? "" : `  ${value}`}\n`);
  if (ok) return PASSED;
  stderr.write(`${path === "" ? "" : `${path}: `}${message}\n`);
  return FAILED;
}

const commands = (entries: Readonly<Record<string, LabEntry>>, terminal: Terminal) =>
  Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [name, command(entry, terminal)]),
  );

export const labCommands = (terminal: Terminal) =>
  buildRouteMap<string, Context>({
    docs: {
      brief:
        "Controls a running chain: blocks, time, faults, attacks, nodes, binaries and branches",
    },
    routes: {
      ...commands(LAB, terminal),
      node: buildRouteMap<string, Context>({
        docs: { brief: "Stops, starts, upgrades and changes nodes, by name or all" },
        routes: commands(LAB_NODE, terminal),
      }),
      world: buildRouteMap<string, Context>({
        docs: {
          brief: "Lists, opens, renames and deletes saved worlds, such as branches",
        },
        routes: commands(LAB_WORLD, terminal),
      }),
    },
  });
