/**
 * Parses JSON within limits, and reports the position of errors; duplicate keys are refused, as in
 * protobuf's JSON.
 */
import { INPUT } from "./limits.ts";
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
} from "./text-error.ts";

const SPACE = /[ \t\r\n]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has none in texts
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** Parses a JSON text. Throws a TextError. */
export const readJson = (text: string): unknown => new Reader(text, INPUT.text).read();

/**
 * Parses a request's body, without a limit on the length of its texts: a transaction is one text.
 * Throws a TextError with the position.
 */
export function readJsonBody(body: string): unknown {
  try {
    return new Reader(body, Number.POSITIVE_INFINITY).read();
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    const { offset, message } = error;
    throw new TextError(offset, `not JSON at character ${offset + 1}: ${message}`);
  }
}

class Reader {
  readonly #text: string;
  readonly #mostText: number;
  #at = 0;
  #values = 0;

  constructor(text: string, mostText: number) {
    this.#text = text;
    this.#mostText = mostText;
  }

  read(): unknown {
    this.#skip();
    const value = this.#value(1);
    if (this.#at < this.#text.length) throw this.#expected("nothing more");
    return value;
  }

  /** Parses a value and the whitespace after it. */
  #value(depth: number): unknown {
    this.#values += 1;
    if (this.#values > INPUT.jsonValues) throw tooMany(this.#at, INPUT.jsonValues);
    const value = this.#bare(depth);
    this.#skip();
    return value;
  }

  #bare(depth: number): unknown {
    const first = this.#text[this.#at];
    if (first === '"') {
      const at = this.#at;
      return soundText(this.#string(), at, this.#mostText);
    }
    if (first === "{" || first === "[") {
      if (depth > INPUT.depth) throw tooDeep(this.#at);
      this.#at += 1;
      this.#skip();
      return first === "{" ? this.#map(depth) : this.#list(depth);
    }
    const number = this.#match(NUMBER);
    if (number !== "") return asInSource(Number(number), number);
    for (const [word, value] of WORDS) if (this.#takes(word)) return value;
    throw this.#expected("a value");
  }

  #map(depth: number): unknown {
    const map = emptyMap();
    if (this.#takes("}")) return map;
    for (let keys = 1; ; keys++) {
      const at = this.#at;
      if (this.#text[at] !== '"') throw this.#expected("a key in quotes");
      if (keys > INPUT.mapKeys) throw tooManyKeys(at);
      const key = soundKey(this.#string(), at);
      if (key in map) throw twice(at, key);
      this.#skip();
      if (!this.#takes(":")) throw this.#expected('":"');
      this.#skip();
      map[key] = this.#value(depth + 1);
      if (this.#takes("}")) return map;
      if (!this.#takes(",")) throw this.#expected('"," or "}"');
      this.#skip();
    }
  }

  #list(depth: number): unknown {
    const list: unknown[] = [];
    if (this.#takes("]")) return list;
    for (;;) {
      list.push(this.#value(depth + 1));
      if (this.#takes("]")) return list;
      if (!this.#takes(",")) throw this.#expected('"," or "]"');
      this.#skip();
    }
  }

  #string(): string {
    const start = this.#at;
    this.#at += 1;
    const plain = this.#match(PLAIN);
    if (this.#takes('"')) return plain;
    while (this.#takes("\\")) {
      this.#at += 1;
      this.#match(PLAIN);
    }
    if (!this.#takes('"')) throw this.#expected('the end of a text, "');
    try {
      return JSON.parse(this.#text.slice(start, this.#at)) as string;
    } catch {
      throw new TextError(start, "expected a text with the escapes of JSON");
    }
  }

  #skip(): void {
    // Most tokens are not followed by whitespace.
    if (this.#text.charCodeAt(this.#at) <= 0x20) this.#match(SPACE);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  #takes(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  #expected(what: string): TextError {
    const found = this.#text.slice(this.#at, this.#at + 1);
    const shown = found === "" ? "the end" : JSON.stringify(found);
    return new SyntaxTextError(this.#at, `expected ${what}, found ${shown}`);
  }
}

/** The text is not JSON; it may still be YAML. */
export class SyntaxTextError extends TextError {}
