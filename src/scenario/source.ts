/** Parses a file, JSON or YAML, and finds the positions of its values. */

import { readJson, SyntaxTextError } from "../base/json-text.ts";
import { INPUT } from "../base/limits.ts";
import { TextError, YamlErrors } from "../base/text-error.ts";
import { offsetsInJson } from "./json-places.ts";
import type { Path, PlacedProblem, TextPosition } from "./problems.ts";
import { readYaml } from "./yaml-text.ts";

export interface Source {
  readonly value: unknown;
  /** The positions of values, or of the closest enclosing ones. */
  positionsOf(paths: readonly Path[]): readonly TextPosition[];
}

/**
 * Invalid in both YAML and JSON: control characters except tab and line breaks, and non-characters.
 */
const UNREADABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to refuse
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]|\p{Cs}/u;

export function readSource(
  source: string,
  file: string,
): { readonly source: Source } | { readonly problems: readonly PlacedProblem[] } {
  const text = source.startsWith("\ufeff") ? source.slice(1) : source;
  try {
    return { source: sourceOf(text, file) };
  } catch (error) {
    if (!(error instanceof TextError || error instanceof YamlErrors)) throw error;
    const errors = error instanceof YamlErrors ? error.errors : [error];
    const places = positionsAt(
      text,
      errors.map(({ offset }) => offset),
    );
    const problems = errors.map(({ message }, i) => ({
      file,
      path: "",
      ...(places[i] ?? { line: 1 }),
      message,
    }));
    return { problems };
  }
}

function sourceOf(text: string, file: string): Source {
  checkLength(text, INPUT.fileBytes, "");
  const { 0: found, index: offset } = UNREADABLE.exec(text) ?? {};
  if (found !== undefined) {
    const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    throw new TextError(offset ?? 0, `expected text, found U+${code} in it`);
  }
  const [, opening, next] = /^\s*([[{])\s*(.)?/s.exec(text) ?? [];
  if (opening === undefined) return yaml(text);
  try {
    return json(text);
  } catch (error) {
    // YAML has lists and maps in brackets too.
    const isYaml =
      error instanceof SyntaxTextError && text.length <= INPUT.yamlCharacters && next !== '"';
    if (!isYaml || file.endsWith(".json")) throw error;
    return yaml(text);
  }
}

function json(text: string): Source {
  return {
    value: readJson(text),
    positionsOf: (paths) => positionsAt(text, offsetsInJson(text, paths)),
  };
}

function yaml(text: string): Source {
  checkLength(text, INPUT.yamlCharacters, " of YAML");
  const { value, offsetOf } = readYaml(text);
  return {
    value,
    positionsOf: (paths) => positionsAt(text, paths.map(offsetOf)).map(({ line }) => ({ line })),
  };
}

function checkLength({ length }: string, most: number, what: string): void {
  if (length <= most) return;
  throw new TextError(0, `expected at most ${most} characters${what}, found ${length}`);
}

/** Lines and columns, both from 1, of offsets in a text, in one pass over its lines. */
function positionsAt(text: string, offsets: readonly number[]): readonly Required<TextPosition>[] {
  const places: Required<TextPosition>[] = [];
  let line = 1;
  let start = 0;
  let next = text.indexOf("\n");
  for (const at of [...offsets.keys()].sort((a, b) => (offsets[a] ?? 0) - (offsets[b] ?? 0))) {
    const offset = offsets[at] ?? 0;
    for (; next >= 0 && next < offset; next = text.indexOf("\n", start)) {
      line += 1;
      start = next + 1;
    }
    places[at] = { line, column: offset - start + 1 };
  }
  return places;
}
