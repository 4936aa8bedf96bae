/** Parses YAML 1.2 within limits, with positions and readable messages for errors. */
import {
  type Alias,
  Composer,
  type CST,
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type ParsedNode,
  Parser,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { INPUT } from "../base/limits.ts";
import {
  asInSource,
  emptyMap,
  soundKey,
  soundText,
  TextError,
  tooDeep,
  tooMany,
  tooManyKeys,
  twice,
  YamlErrors,
} from "../base/text-error.ts";
import type { Path } from "./problems.ts";

export interface YamlText {
  readonly value: unknown;
  readonly document: Document;
  /** Offset of the key or value at a path, or of the nearest enclosing one. */
  offsetOf(path: Path): number;
}

/** Throws a TextError, or YamlErrors. */
export function readYaml(text: string): YamlText {
  const errors: TextError[] = [];
  const composer = new Composer<ParsedNode>({
    prettyErrors: false,
    stringKeys: true,
    // It would compare every key with every other one; Values looks each up.
    uniqueKeys: false,
    // Known tags other than those of JSON create dates, bytes and sets.
    resolveKnownTags: false,
  });
  // By default it continues after any number of errors.
  Object.assign(composer, {
    onError(source: ErrorSource, code: ErrorCode) {
      // Thrown again and again, since every collection catches it.
      if (errors.length === INPUT.problems) throw new YamlErrors(firstOnLines(text, errors));
      errors.push(grammarErrorIn(text, offsetOfError(source), code));
    },
  });
  const [document, second] = composer.compose(tokensOf(text), true, text.length);
  if (second) throw grammarError(second.range[0], "MULTIPLE_DOCS");
  for (const { pos, code } of document?.errors ?? []) {
    errors.push(grammarErrorIn(text, pos[0], code));
  }
  if (!document || errors.length > 0) {
    throw new YamlErrors(firstOnLines(text, errors).slice(0, INPUT.problems));
  }
  return {
    document,
    value: new Values().read(document.contents),
    offsetOf: (path) => offsetOf(document, path),
  };
}

type ErrorSource = number | readonly number[] | { readonly offset: number };

function offsetOfError(source: ErrorSource): number {
  if (typeof source === "number") return source;
  return "offset" in source ? source.offset : (source[0] ?? 0);
}

/** Maximum columns before a token that opens a new level. */
const MAX_INDENT = 2 * INPUT.depth;

/** The lexer's marks between tokens: document start, end of flow, scalar. */
const MARKS = ["\u0002", "\u0018", "\u001f"];

/**
 * The tokens of a text for the composer, checked before each is used: deep nesting would overflow
 * the stack, which not every host survives, and many tokens take long.
 */
function* tokensOf(text: string): Generator<CST.Token, void> {
  const parser = new Parser();
  let offset = 0;
  let tokens = 0;
  let isStarted = false;
  let column = 0;
  let brackets = 0;
  let fresh = true;
  for (const token of new Lexer().lex(text)) {
    if (MARKS.includes(token)) {
      yield* parser.next(token);
      continue;
    }
    tokens += 1;
    // Twice the characters, for escapes and quotes.
    if (token.length > 2 * INPUT.text && token.trim() !== "" && !token.startsWith("#")) {
      throw new TextError(offset, `expected a text of at most ${INPUT.text} characters`);
    }
    if (tokens > INPUT.yamlTokens) {
      throw new TextError(offset, `expected at most ${INPUT.yamlTokens} words and marks of YAML`);
    }
    if (token === "---" && column === 0 && isStarted) throw grammarError(offset, "MULTIPLE_DOCS");
    if (token.startsWith("%") && column === 0 && token.trim() !== "%YAML 1.2") {
      throw grammarError(offset, "BAD_DIRECTIVE");
    }
    if (token === "[" || token === "{") brackets += 1;
    if (token === "]" || token === "}") brackets = Math.max(0, brackets - 1);
    const opens = fresh || token === "-" || token === "?";
    const isBlank = token.trim() === "" || token.startsWith("#");
    isStarted ||= !isBlank && !token.startsWith("%");
    const tooWide = brackets === 0 && opens && !isBlank && column > MAX_INDENT;
    if (brackets > INPUT.depth || tooWide) throw tooDeep(offset);
    const end = token.lastIndexOf("\n");
    offset += token.length;
    column = end < 0 ? column + token.length : token.length - end - 1;
    // Indicators leave the line open for their content.
    fresh = end >= 0 || (fresh && (isBlank || token === "-" || token === "?" || token === ":"));
    yield* parser.next(token);
  }
  yield* parser.end();
}

const grammarError = (offset: number, code: ErrorCode): TextError =>
  new TextError(offset, `expected YAML: ${MESSAGES[code]}`);

function grammarErrorIn(text: string, offset: number, code: ErrorCode): TextError {
  const isInText =
    code === "UNEXPECTED_TOKEN" && /^\w[[{]/.test(text.slice(offset - 1, offset + 1));
  if (!isInText) return grammarError(offset, code);
  return new TextError(
    offset,
    `expected YAML: expected quotes around a text with ${text[offset]} in it`,
  );
}

/** The first error on each line: later ones follow from it. */
function firstOnLines(text: string, errors: readonly TextError[]): readonly TextError[] {
  const sorted = errors.toSorted((a, b) => a.offset - b.offset);
  return sorted.filter(({ offset }, i) => {
    const before = sorted[i - 1];
    return before === undefined || text.slice(before.offset, offset).includes("\n");
  });
}

/** Messages of the grammar's errors. */
const MESSAGES: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: "expected no anchor and no tag before an alias",
  BAD_ALIAS: "expected an alias such as *name",
  BAD_COLLECTION_TYPE: "expected no tag",
  BAD_DIRECTIVE: "expected no line that begins with %",
  BAD_DQ_ESCAPE: "expected an escape of YAML after the backslash",
  BAD_INDENT: "expected the indentation of what stands around it",
  BAD_PROP_ORDER: "expected anchor and tag beside their value",
  BAD_SCALAR_START: "expected a text in quotes, for it begins with a mark of YAML",
  BLOCK_AS_IMPLICIT_KEY: "expected one key and its value on a line, or the value in quotes",
  BLOCK_IN_FLOW: "expected a list or map in brackets, for it stands in one",
  DUPLICATE_KEY: "expected every key once",
  IMPOSSIBLE: "expected something else",
  KEY_OVER_1024_CHARS: "expected a key of at most 1024 characters",
  MISSING_CHAR: "expected a closing quote or bracket, a comma, or a space after a colon",
  MULTILINE_IMPLICIT_KEY: "expected a key on one line",
  MULTIPLE_ANCHORS: "expected one anchor",
  MULTIPLE_DOCS: "expected one document, found a second one",
  MULTIPLE_TAGS: "expected one tag",
  NON_STRING_KEY: "expected a text as a key",
  RESOURCE_EXHAUSTION: "expected fewer aliases",
  TAB_AS_INDENT: "expected spaces, found a tab",
  TAG_RESOLVE_FAILED: "expected no tag",
  UNEXPECTED_TOKEN: "expected something else here, or a text in quotes",
};

/** The value of an alias: how many values it contains, and how many levels. */
interface Anchored {
  readonly value: unknown;
  readonly size: number;
  readonly height: number;
}

/** The values of a document. The value of an alias is shared, and counted at each alias. */
class Values {
  readonly #anchors = new Map<string, Anchored | "open">();
  #aliases = 0;

  read(root: ParsedNode | null): unknown {
    return this.#value(root, 1).value;
  }

  #value(node: ParsedNode | null, depth: number): Anchored {
    if (isAlias(node)) return this.#alias(node, depth);
    const anchor = node?.anchor;
    if (anchor !== undefined) this.#anchors.set(anchor, "open");
    const read = this.#plain(node, depth);
    if (anchor !== undefined) this.#anchors.set(anchor, read);
    return read;
  }

  #alias(node: Alias, depth: number): Anchored {
    const offset = node.range?.[0] ?? 0;
    const name = node.source;
    this.#aliases += 1;
    if (this.#aliases > INPUT.aliases) {
      throw new TextError(offset, `expected at most ${INPUT.aliases} aliases`);
    }
    const meant = this.#anchors.get(name);
    if (meant === undefined) {
      throw new TextError(offset, `expected an anchor &${name} before the alias *${name}`);
    }
    if (meant === "open") {
      throw new TextError(offset, `expected no alias *${name} in what it stands for`);
    }
    if (depth + meant.height - 1 > INPUT.depth) throw tooDeep(offset);
    return meant;
  }

  #plain(node: ParsedNode | null, depth: number): Anchored {
    if (isMap(node) || isSeq(node)) {
      if (depth > INPUT.depth) throw tooDeep(node.range[0]);
      return isMap(node) ? this.#map(node, depth) : this.#list(node, depth);
    }
    const value = isScalar(node) ? asInSource(node.value, node.source) : null;
    const read = typeof value === "string" ? soundText(value, node?.range[0] ?? 0) : value;
    return { value: read, size: 1, height: 0 };
  }

  #map({ items }: YAMLMap.Parsed, depth: number): Anchored {
    const map = emptyMap();
    const whole = new Sum();
    const first = items[INPUT.mapKeys];
    if (first !== undefined) throw tooManyKeys(first.key?.range[0] ?? 0);
    for (const { key: source, value } of items) {
      const offset = source?.range[0] ?? 0;
      if (!isScalar(source)) throw grammarError(offset, "NON_STRING_KEY");
      const key = soundKey(String(source.value), offset);
      if (key in map) throw twice(offset, key);
      map[key] = whole.add(this.#value(value, depth + 1), offset);
    }
    return { value: map, ...whole.sum };
  }

  #list({ items }: YAMLSeq.Parsed, depth: number): Anchored {
    const whole = new Sum();
    const list = items.map((item) => {
      // In brackets, `a: b` is a map with one key.
      const node = item as ParsedNode | null;
      return whole.add(this.#value(node, depth + 1), node?.range?.[0] ?? 0);
    });
    return { value: list, ...whole.sum };
  }
}

/** Adds up the content of a list or map. */
class Sum {
  #size = 1;
  #height = 0;

  add({ value, size, height }: Anchored, offset: number): unknown {
    this.#size += size;
    this.#height = Math.max(this.#height, height);
    if (this.#size > INPUT.yamlValues) throw tooMany(offset, INPUT.yamlValues);
    return value;
  }

  get sum(): Pick<Anchored, "size" | "height"> {
    return { size: this.#size, height: this.#height + 1 };
  }
}

/** The key's position, if there is one: a value may start on the next line. */
function offsetOf(document: Document, path: Path): number {
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
  return offset;
}

const startOf = (node: unknown): number | undefined =>
  (node as { range?: readonly number[] | null } | null | undefined)?.range?.[0];
