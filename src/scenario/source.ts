/** Parses YAML (JSON included) and keeps the line of every value. */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  parseDocument,
} from "yaml";
import { errorText } from "../engine/framework/errors.ts";
import type { Path, PlacedProblem } from "./problems.ts";

/** Size limit, far beyond any scenario, so that a wrong file does not exhaust memory. */
const MAX_LENGTH = 2_000_000;
const MAX_ALIASES = 100;
const MAX_BRACKETS = 64;
/** Columns before something that opens a new level. */
const MAX_INDENT = 128;

export interface Source {
  readonly value: unknown;
  /** Line of a place, or of the closest thing around it. */
  lineOf(path: Path): number;
}

export function readSource(
  text: string,
  file: string,
): { readonly source: Source } | { readonly problems: readonly PlacedProblem[] } {
  const problem = (line: number, message: string): PlacedProblem => ({
    file,
    path: "",
    line,
    message,
  });
  if (text.length > MAX_LENGTH) {
    return {
      problems: [problem(1, `expected at most ${MAX_LENGTH} characters, found ${text.length}`)],
    };
  }
  const tooDeep = firstTooDeep(text);
  if (tooDeep !== undefined) {
    return { problems: [problem(tooDeep, `expected less nesting`)] };
  }
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      stringKeys: true,
    });
    const wrong = [...document.errors, ...document.warnings];
    if (wrong.length > 0) {
      return {
        problems: wrong.map(({ pos, message }) =>
          problem(lines.linePos(pos[0]).line || 1, `expected YAML: ${message}`),
        ),
      };
    }
    return {
      source: {
        value: document.toJS({ maxAliasCount: MAX_ALIASES }),
        lineOf: (path) => lineOf(document, lines, path),
      },
    };
  } catch (error) {
    return { problems: [problem(1, `expected YAML: ${errorText(error)}`)] };
  }
}

/**
 * The line where nesting exceeds the limit, read from the tokens alone; undefined if nowhere. The parser
 * would overflow the stack there, which not every host survives.
 */
function firstTooDeep(text: string): number | undefined {
  let line = 1;
  let column = 0;
  let brackets = 0;
  let fresh = true;
  for (const token of new Lexer().lex(text)) {
    if (MARKS.includes(token)) continue;
    if (token === "[" || token === "{") brackets += 1;
    if (token === "]" || token === "}") brackets = Math.max(0, brackets - 1);
    const opens = fresh || token === "-" || token === "?";
    const isBlank = token.trim() === "" || token.startsWith("#");
    const tooWide = brackets === 0 && opens && !isBlank && column > MAX_INDENT;
    if (brackets > MAX_BRACKETS || tooWide) return line;
    const end = token.lastIndexOf("\n");
    line += token.split("\n").length - 1;
    column = end < 0 ? column + token.length : token.length - end - 1;
    // Indicators leave the line open for what they hold.
    fresh = end >= 0 || (fresh && (isBlank || token === "-" || token === "?" || token === ":"));
  }
  return undefined;
}

/** What the lexer puts between tokens: document start, end of flow, scalar. */
const MARKS = ["\u0002", "\u0018", "\u001f"];

/** The key's line, if there is one: a value may begin on the next. */
function lineOf(document: Document, lines: LineCounter, path: Path): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const key of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => (isScalar(item.key) ? String(item.key.value) : undefined) === String(key),
      );
      if (!pair) break;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node) && typeof key === "number") {
      node = node.items[key];
      offset = startOf(node) ?? offset;
    } else break;
  }
  return lines.linePos(offset).line || 1;
}

const startOf = (node: unknown): number | undefined =>
  (node as { range?: readonly number[] | null } | null | undefined)?.range?.[0];
