/** Completions at the cursor, from the published schema. */
import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { ScenarioNames } from "../../store/types.ts";
import { keysOf, type Schema, scenarioSchema, schemaAt, valuesOf } from "./schema.ts";

/** Cursor position in a scenario: the path of keys, and whether a key or a value is being typed. */
export interface CursorPosition {
  readonly path: readonly string[];
  readonly writes: "key" | "value";
  readonly from: number;
}

const KEY = /^(\s*)((?:- )*)(?:"?([\w@.-]+)"?\s*:)?/;

/** The position of an offset; steps and other lists are skipped. */
export function positionAt(text: string, offset: number): CursorPosition {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const before = text.slice(start, offset);
  const word = /[\w$@.-]*$/.exec(before)?.[0] ?? "";
  const from = offset - word.length;
  const [, space = "", dashes = "", key] = KEY.exec(before) ?? [];
  const path = above(text.slice(0, start), space.length + dashes.length);
  if (key === undefined) return { path, writes: "key", from };
  const inLine = before.slice((KEY.exec(before)?.[0] ?? "").length);
  const open = openMaps(inLine);
  const writesValue = open.value;
  return {
    path: [...path, key, ...open.path],
    writes: writesValue ? "value" : "key",
    from,
  };
}

/** The keys of the less indented lines above, the outermost first. */
function above(text: string, column: number): string[] {
  const path: string[] = [];
  let least = column;
  for (const line of text.split("\n").reverse()) {
    const [, space = "", dashes = "", key] = KEY.exec(line) ?? [];
    if (key === undefined) continue;
    const at = space.length + dashes.length;
    if (at >= least) {
      if (dashes !== "" && space.length < least && at === least) least = space.length + 1;
      continue;
    }
    path.unshift(key);
    least = dashes === "" ? at : space.length + 1;
    if (at === 0) break;
  }
  return path;
}

/**
 * The keys of maps in braces that are open at the end of a line, and true if a value follows there.
 */
function openMaps(source: string): { readonly path: readonly string[]; readonly value: boolean } {
  const path: string[] = [];
  let key = "";
  let value = true;
  let quoted = "";
  let word = "";
  for (const char of source) {
    if (quoted !== "") {
      if (char === quoted) quoted = "";
    } else if (char === '"' || char === "'") quoted = char;
    else if (char === "{") {
      path.push(key);
      [key, word, value] = ["", "", false];
    } else if (char === "}") {
      path.pop();
      value = true;
    } else if (char === ":") {
      [key, word, value] = [word.trim(), "", true];
    } else if (char === "," && path.length > 0) [key, word, value] = ["", "", false];
    else word += char;
  }
  const inner = value && path.length > 0 ? [key] : [];
  return { path: [...path.slice(1), ...inner].filter((one) => one !== ""), value };
}

/** Completes keys and values in the schema, and the names of the file where one is allowed. */
export async function complete(
  context: CompletionContext,
  names: ScenarioNames | undefined,
): Promise<CompletionResult | null> {
  const schema = await scenarioSchema().catch(() => undefined);
  if (schema === undefined) return null;
  const text = context.state.doc.toString();
  const { path, writes, from } = positionAt(text, context.pos);
  const isReference = text.slice(0, from).endsWith("${");
  if (from === context.pos && !context.explicit && !isReference) return null;
  const named = names === undefined ? [] : isReference ? referencesTo(names) : namesAt(path, names);
  const options = isReference
    ? named
    : [...(writes === "value" ? named : []), ...optionsAt(schema, path, writes)];
  return options.length === 0 ? null : { from, options: [...options], validFor: /^[\w$@.-]*$/ };
}

/** Returns the completions between the braces of a reference. */
export const referencesTo = ({ nodes, accounts, results }: ScenarioNames): Option[] => [
  ...results.map(optionOf),
  ...results.map((name) => optionOf(`${name}.evidence`)),
  ...accounts.map(optionOf),
  ...nodes
    .flatMap((name) => ["valoper", "valcons", "pub_key"].map((part) => `${name}.${part}`))
    .map(optionOf),
  ...["height", "time", "gov"].map(optionOf),
];

interface Option {
  readonly label: string;
  readonly type: string;
}

const optionOf = (label: string): Option => ({ label, type: "variable" });

/** The names allowed as the value of the last key of a path, by that key. */
export function namesAt(path: readonly string[], names: ScenarioNames): Option[] {
  const key = path.at(-1) ?? "";
  const of = path.at(-2) ?? "";
  const { nodes, accounts, binaries, plans, results } = names;
  if (key === "name" && of === "upgrade") return plans.map(optionOf);
  if (key === "name" && of === "release") return binaries.map(optionOf);
  if (path[0] === "binaries" && key === "from") return binaries.map(optionOf);
  if (key === "proposal" || key === "evidence") return results.map((name) => optionOf(`$${name}`));
  return (Object.hasOwn(NAMED_BY, key) ? (NAMED_BY[key] ?? []) : [])
    .flatMap((kind) => ({ nodes, accounts, binaries })[kind])
    .map(optionOf);
}

/** Kinds of names that the values of each key refer to. */
const NAMED_BY: Readonly<Record<string, readonly ("nodes" | "accounts" | "binaries")[]>> = {
  which: ["nodes"],
  node: ["nodes"],
  validators: ["nodes"],
  validator: ["nodes"],
  by: ["nodes"],
  groups: ["nodes"],
  partition: ["nodes"],
  state_sync: ["nodes"],
  double_sign: ["nodes"],
  clear: ["nodes"],
  from: ["accounts"],
  tokens: ["accounts"],
  submitter: ["accounts"],
  binary: ["binaries"],
  stage: ["binaries"],
};

export function optionsAt(
  schema: Schema,
  path: readonly string[],
  writes: CursorPosition["writes"],
) {
  const at = schemaAt(schema, path);
  if (at === undefined) return [];
  if (writes === "value") {
    return valuesOf(at).map((label) => ({ label, type: "constant" }));
  }
  return Object.entries(keysOf(at)).map(([label, { description = "" }]) => ({
    label,
    type: "property",
    // Keys that act come first, annotations last.
    boost: BESIDE.has(label) ? -1 : 0,
    apply: `${label}: `,
    info: description,
  }));
}

const BESIDE: ReadonlySet<string> = new Set(["as", "note", "show", "off"]);
