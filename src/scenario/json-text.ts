/** Reads JSON within limits, with the place of what is wrong; protobuf's JSON takes no key twice. */
import { INPUT } from "../input/limits.ts";
import type { Path } from "./problems.ts";
import { emptyMap, soundKey, soundText, TextError, tooDeep, tooMany, twice } from "./text-error.ts";

/** Paths to be found in a text, as a tree. */
class Wanted {
  readonly inside = new Map<string | number, Wanted>();
  offset: number | undefined;

  at(key: string | number): Wanted {
    const known = this.inside.get(key) ?? new Wanted();
    this.inside.set(key, known);
    return known;
  }
}

const SPACE = /[ \t\r\n]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has none in texts
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** The value of a JSON text. Throws a TextError. */
export const readJson = (text: string): unknown => new Reader(text).read();

/** Where in a JSON text each of these paths is, or the closest thing around it. */
export function offsetsInJson(text: string, paths: readonly Path[]): readonly number[] {
  const wanted = new Wanted();
  for (const path of paths) path.reduce((at: Wanted, key) => at.at(key), wanted);
  new Reader(text).read(wanted);
  return paths.map((path) => {
    let at = wanted;
    for (const key of path) {
      const next = at.at(key);
      if (next.offset === undefined) break;
      at = next;
    }
    return at.offset ?? 0;
  });
}

class Reader {
  readonly #text: string;
  #at = 0;
  #values = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(wanted?: Wanted): unknown {
    this.#skip();
    if (wanted) wanted.offset = this.#at;
    const value = this.#value(1, wanted);
    if (this.#at < this.#text.length) throw this.#expected("nothing more");
    return value;
  }

  /** Reads a value and the space after it. */
  #value(depth: number, wanted: Wanted | undefined): unknown {
    this.#values += 1;
    if (this.#values > INPUT.jsonValues) throw tooMany(this.#at, INPUT.jsonValues);
    const value = this.#bare(depth, wanted);
    this.#skip();
    return value;
  }

  #bare(depth: number, wanted: Wanted | undefined): unknown {
    const first = this.#text[this.#at];
    if (first === '"') {
      const at = this.#at;
      return soundText(this.#string(), at);
    }
    if (first === "{" || first === "[") {
      if (depth > INPUT.depth) throw tooDeep(this.#at);
      this.#at += 1;
      this.#skip();
      return first === "{" ? this.#map(depth, wanted) : this.#list(depth, wanted);
    }
    const number = this.#match(NUMBER);
    if (number !== "") return Number(number);
    for (const [word, value] of WORDS) if (this.#takes(word)) return value;
    throw this.#expected("a value");
  }

  #map(depth: number, wanted: Wanted | undefined): unknown {
    const map = emptyMap();
    if (this.#takes("}")) return map;
    for (;;) {
      const at = this.#at;
      if (this.#text[at] !== '"') throw this.#expected("a key in quotes");
      const key = soundKey(this.#string(), at);
      if (key in map) throw twice(at, key);
      this.#skip();
      if (!this.#takes(":")) throw this.#expected('":"');
      this.#skip();
      const inside = wanted?.inside.get(key);
      if (inside) inside.offset = at;
      map[key] = this.#value(depth + 1, inside);
      if (this.#takes("}")) return map;
      if (!this.#takes(",")) throw this.#expected('"," or "}"');
      this.#skip();
    }
  }

  #list(depth: number, wanted: Wanted | undefined): unknown {
    const list: unknown[] = [];
    if (this.#takes("]")) return list;
    for (;;) {
      const inside = wanted?.inside.get(list.length);
      if (inside) inside.offset = this.#at;
      list.push(this.#value(depth + 1, inside));
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
    this.#match(SPACE);
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
    const said = found === "" ? "the end" : JSON.stringify(found);
    return new SyntaxTextError(this.#at, `expected ${what}, found ${said}`);
  }
}

/** A text that is no JSON; it may still be YAML. */
export class SyntaxTextError extends TextError {}
