/** The command lines of `chainlab query`, built from its table. */
import type { DescMethod } from "@bufbuild/protobuf";
import {
  buildCommand,
  buildRouteMap,
  type Command,
  type CommandContext,
  type StricliProcess,
  type TypedCommandParameters,
} from "@stricli/core";
import type { ChainHere, RunContext } from "./context.ts";
import { CLIENT_OUTPUT, readCount, readHeight, readTimeout, withOutput } from "./flags.ts";
import { hasPages, isAddressField, type QueryFlags, type Request, runQuery } from "./query.ts";
import { camel, kebab, PAGE_FIELDS } from "./query-flags.ts";
import { type Entry, GROUPS, type Group, SINGLES } from "./query-table.ts";
import { UNUSABLE } from "./run.ts";
import { describeValue, exampleOf } from "./values.ts";

interface Context extends CommandContext {
  readonly process: StricliProcess;
  readonly lab: RunContext;
}

type Flags = QueryFlags & Readonly<Record<string, unknown>>;
type Args = readonly (string | undefined)[];

const text = (brief: string, placeholder: string) =>
  ({ kind: "parsed", brief, parse: String, placeholder }) as const;
const optional = (brief: string, placeholder: string) =>
  ({ ...text(brief, placeholder), optional: true }) as const;

/** The chain to query. */
const PLACES = {
  scenario: optional("Query the chain after this scenario file", "FILE"),
  data: optional("Query the chain of a world in this folder instead", "DIR"),
  world: optional("Its name or id, if there are several", "WORLD"),
  node: optional(
    "Query a running node at the address of its RPC, such as 127.0.0.1:26657",
    "ADDRESS",
  ),
  grpcAddr: optional("Query a running node at the address of its gRPC instead", "ADDRESS"),
  home: optional(
    "Query the running node of this home; beside an address, its keys have names",
    "DIR",
  ),
} as const;

const COMMON = {
  height: {
    kind: "parsed",
    brief: "State after this height. Default: the newest",
    parse: readHeight,
    placeholder: "HEIGHT",
    optional: true,
  },
  ...CLIENT_OUTPUT,
} as const;

const WAIT = {
  timeout: {
    kind: "parsed",
    brief: "Maximum time to wait, such as 15s",
    parse: readTimeout,
    placeholder: "TIME",
    default: "15s",
  },
} as const;

const yes = (brief: string) =>
  ({ kind: "boolean", brief, optional: true, withNegated: false }) as const;

const PAGE = {
  page: {
    ...optional("Number of the page, from 1 on, with --limit results each", "NUMBER"),
    parse: readCount,
  },
  limit: optional("Maximum number of results, 100 by default", "NUMBER"),
  offset: optional("Number of results to skip", "NUMBER"),
  pageKey: optional("The next_key of the previous page", "KEY"),
  countTotal: yes("Count all results, also with --limit"),
  reverse: yes("Reverse the order"),
} as const satisfies Readonly<Record<keyof typeof PAGE_FIELDS | "page", unknown>>;

/**
 * The kind of terminal: a shell, where flags select the chain, or one in the page with its own
 * chain.
 */
export type Terminal = "shell" | "page";

function command(path: string, entry: Entry, terminal: Terminal): Command<Context> {
  const { brief, method, without, params, called = {}, usages, waits, types } = entry;
  const flags = params.filter((field) => field.startsWith("--")).map((field) => field.slice(2));
  const positional = params.filter((field) => !field.startsWith("--"));
  const paged =
    !flags.includes("page") && [method, without].some((one) => one !== undefined && hasPages(one));
  const parameters = {
    aliases: { o: "output" },
    flags: {
      ...Object.fromEntries(
        flags.map((field) => [
          camel(field),
          optional(describeValue(called[field] ?? field), "VALUE"),
        ]),
      ),
      ...(paged ? PAGE : {}),
      ...(terminal === "shell" ? PLACES : {}),
      ...COMMON,
      ...(waits ? WAIT : {}),
      ...(types ? { type: typeOf(types) } : {}),
    },
    positional: {
      kind: "tuple",
      parameters: positional.map((name) => {
        const [field = "", open] = name.split("?");
        const placeholder = called[field] ?? field;
        const parameter = {
          brief: describeValue(placeholder),
          parse: String,
          placeholder,
          proposeCompletions(this: Context, partial: string) {
            return proposed(this.lab.here, method, field, partial);
          },
        };
        return open === undefined ? parameter : { ...parameter, optional: true };
      }),
    },
  };
  // If the request has its own field `height`, the flag sets that field.
  const ofHeight = params.includes("height?") || params.includes("--height");
  return buildCommand<Flags, Args, Context>({
    docs: {
      brief,
      fullDescription: `${brief}. Example: ${exampleIn(terminal, path, entry)}`,
      ...(usages && { customUsage: usages.map(usageIn(terminal)) }),
    },
    // The types distinguish flags by name, which is impossible for those of a table.
    parameters: parameters as unknown as TypedCommandParameters<Flags, Args, Context>,
    async func(set, ...args) {
      const { height, ...others } = set;
      const isField = ofHeight && args[positional.indexOf("height?")] === undefined;
      const input = isField ? others : set;
      const starts = paged ? startsOf(input) : [];
      if (starts.length > 1) {
        const flags = starts.map((flag) => `--${kebab(flag)}`).join(" or ");
        const found = starts.length > 2 ? "all" : "both";
        this.lab.stderr.write(`expected ${flags}, found ${found}\n`);
        this.process.exitCode = UNUSABLE;
        return;
      }
      const fields = new Map<string, string>();
      for (const [index, name] of positional.entries())
        note(fields, fieldAt(name, input), args[index]);
      if (isField) note(fields, "height", height);
      for (const field of flags) note(fields, field, input[camel(field)]);
      const request = { fields: Object.fromEntries(fields), pagination: pageOf(input, paged) };
      this.process.exitCode = await runQuery(this.lab, entry, request, withOutput(input, this.lab));
    },
  });
}

/** Flag that selects the field of a positional value. */
const typeOf = (types: readonly string[]) =>
  ({
    kind: "enum",
    brief: "What is given by position",
    values: types,
    optional: true,
  }) as const;

/** The field of a position, which `--type` may select. */
const fieldAt = (name: string, { type }: Flags): string =>
  typeof type === "string" ? type : name.replace("?", "");

/** Usage of a command; in the page without the file of a shell. */
const usageIn =
  (terminal: Terminal) =>
  ({ input, brief }: { readonly input: string; readonly brief: string }) => ({
    input: terminal === "shell" ? input : input.replace(/ ?--scenario FILE/, ""),
    brief,
  });

function note(fields: Map<string, string>, field: string, value: unknown): void {
  if (value !== undefined) fields.set(field, String(value));
}

function pageOf(input: Flags, paged: boolean): Request["pagination"] {
  if (!paged) return undefined;
  const requested = Object.entries(PAGE_FIELDS).flatMap(([flag, field]) =>
    input[flag] === undefined ? [] : [[field, input[flag]] as const],
  );
  const { page } = input;
  const size = Number(input.limit ?? 0) || USUAL_LIMIT;
  return {
    ...(typeof page === "number" && { offset: `${(page - 1) * size}` }),
    ...Object.fromEntries(requested),
  };
}

/** Default number of results on a page. */
const USUAL_LIMIT = 100;

/** The flags of a command line that set the start of its page. */
const startsOf = (input: Flags): readonly string[] =>
  ["page", "offset", "pageKey"].filter((flag) => input[flag] !== undefined);

/** Completions for a field from the terminal's chain: names in place of addresses. */
async function proposed(
  here: ChainHere | undefined,
  { parent, name }: DescMethod,
  field: string,
  partial: string,
): Promise<readonly string[]> {
  const known = (await here?.suggest(`${parent.typeName}/${name}`, field)) ?? [];
  return known
    .map(({ value, label }) => (label !== undefined && isAddressField(field) ? label : value))
    .filter((word) => word.startsWith(partial));
}

/** The command as typed, without optional parts. */
function exampleIn(
  terminal: Terminal,
  path: string,
  { params, called = {}, example }: Entry,
): string {
  const positional = params.filter((name) => !name.startsWith("--") && !name.endsWith("?"));
  const values = positional.map((name) => exampleOf(called[name] ?? name) ?? name);
  const line = ["query", path, ...values, ...(example ? [example] : [])].join(" ");
  return terminal === "shell" ? `chainlab ${line} --node 127.0.0.1:26657` : line;
}

/** @param above the words before each name */
const commands = (entries: Group["routes"], terminal: Terminal, above = "") =>
  Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [
      name,
      command(`${above}${kebab(name)}`, entry, terminal),
    ]),
  );

const groups = (terminal: Terminal) =>
  Object.fromEntries(
    Object.entries(GROUPS).map(([name, { brief, routes, aliases = {} }]) => [
      name,
      buildRouteMap<string, Context>({
        docs: { brief },
        routes: commands(routes, terminal, `${name} `),
        aliases,
      }),
    ]),
  );

export const queryCommands = (terminal: Terminal) =>
  buildRouteMap<string, Context>({
    docs: {
      brief:
        terminal === "shell"
          ? "Queries the chain and the nodes of a running node, or after a scenario"
          : "Queries this chain and its nodes",
      fullDescription:
        terminal === "shell"
          ? "Queries the chain and the nodes of a running node, or those that are there after a scenario. Examples: chainlab query bank balances val-1 --node 127.0.0.1:26657; chainlab query nodes --home ~/lab -o json; chainlab query upgrade plan --scenario story.yaml"
          : "Queries this chain and its nodes. Examples: query bank balances val-1; query block 5 -o json",
    },
    routes: { ...groups(terminal), ...commands(SINGLES, terminal) },
    aliases: Object.fromEntries(
      ["cometbft-validator-set", "tendermint-validator-set"].map((alias) => [
        alias,
        "comet-validator-set",
      ]),
    ),
  });
