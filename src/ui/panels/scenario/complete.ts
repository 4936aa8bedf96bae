/** What can stand where one writes, by the published schema. */
import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { keysOf, type Schema, scenarioSchema, schemaAt, valuesOf } from "./schema.ts";

/** Where in a text one writes: the keys that lead there, and whether the value of the last one is written. */
export interface Place {
  readonly path: readonly string[];
  readonly writes: "key" | "value";
  readonly from: number;
}

const KEY = /^(\s*)((?:- )*)(?:"?([\w@.-]+)"?\s*:)?/;

/** The place of an offset; steps and other lists are passed over. */
export function placeAt(text: string, offset: number): Place {
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

/** The keys of the lines above that are less indented, the outermost first. */
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

/** The keys of maps in braces that are open at the end of a line, and whether a value follows there. */
function openMaps(written: string): { readonly path: readonly string[]; readonly value: boolean } {
  const path: string[] = [];
  let key = "";
  let value = true;
  let quoted = "";
  let word = "";
  for (const char of written) {
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

/** Completes keys and values that the schema lists. */
export async function complete(context: CompletionContext): Promise<CompletionResult | null> {
  const schema = await scenarioSchema().catch(() => undefined);
  if (schema === undefined) return null;
  const { path, writes, from } = placeAt(context.state.doc.toString(), context.pos);
  if (from === context.pos && !context.explicit) return null;
  const options = optionsAt(schema, path, writes);
  return options.length === 0 ? null : { from, options: [...options], validFor: /^[\w$@.-]*$/ };
}

export function optionsAt(schema: Schema, path: readonly string[], writes: Place["writes"]) {
  const at = schemaAt(schema, path);
  if (at === undefined) return [];
  if (writes === "value") {
    return valuesOf(at).map((label) => ({ label, type: "constant" }));
  }
  return Object.entries(keysOf(at)).map(([label, { description = "" }]) => ({
    label,
    type: "property",
    // What a step does stands first, what is said beside it last.
    boost: BESIDE.has(label) ? -1 : 0,
    apply: `${label}: `,
    info: description,
  }));
}

const BESIDE: ReadonlySet<string> = new Set(["as", "note", "show"]);
