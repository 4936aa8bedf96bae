/** Changes one value of a file, for the other side of a comparison. */

import type { ReadBeside } from "./files.ts";
import { parseScenario } from "./parse.ts";
import { readSource } from "./source.ts";

/**
 * The text of a checked scenario, as JSON, with another value: of `seed`, of `binary`, which is the
 * initial one of all nodes, of a path below `binaries`, or of a path in its genesis, such as
 * `profile` or `gov.voting_period`. Throws an Error that says why there is no such value. The value
 * itself is checked when the text is parsed.
 */
export function withValue(
  text: string,
  file: string,
  beside: ReadBeside | undefined,
  { name, value }: { readonly name: string; readonly value: string },
): string {
  const read = readSource(text, file);
  if ("problems" in read) throw new Error(read.problems[0]?.message);
  const whole = read.source.value as Record<string, unknown>;
  if (name === "binary") {
    const scenario = parseScenario(text, file, beside);
    if ("problems" in scenario) throw new Error(scenario.problems[0]?.message);
    const { start, validators } = scenario.scenario.spec;
    if (start !== undefined) {
      throw new Error("binary: a chain that goes on from an imported genesis says itself which");
    }
    const list = validators.map((one) => ({
      name: one.name,
      stake: `${one.stake}`,
      binary: value,
    }));
    put(whole, ["genesis", "validators"], list, name);
  } else {
    const path = name.split(".");
    const isWhole = name === "seed" || path[0] === "binaries" || path[0] === "genesis";
    put(whole, isWhole ? path : ["genesis", ...path], scalarOf(value), name);
  }
  return JSON.stringify(whole);
}

const KEY = /^[A-Za-z][A-Za-z0-9_-]*$/;

function put(
  whole: Record<string, unknown>,
  path: readonly string[],
  value: unknown,
  name: string,
): void {
  if (path.some((key) => !KEY.test(key))) {
    throw new Error(`${name}: expected seed, binary, or keys with dots between them`);
  }
  let at = whole;
  for (const key of path.slice(0, -1)) {
    if (!Object.hasOwn(at, key)) at[key] = {};
    const next = at[key];
    if (typeof next !== "object" || next === null || Array.isArray(next)) {
      throw new Error(`${name}: there is nothing below ${key} that could be set`);
    }
    at = next as Record<string, unknown>;
  }
  at[path.at(-1) as string] = value;
}

/** A value as in a file: integers and booleans are not text. */
function scalarOf(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}
