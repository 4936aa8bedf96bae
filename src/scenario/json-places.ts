/**
 * Finds the positions of values in a parsed JSON text; skips everything that is not on their paths.
 */
import type { Path } from "./problems.ts";

/** Paths to find in a text, as a tree. */
class Wanted {
  readonly inside = new Map<string | number, Wanted>();
  offset: number | undefined;

  at(key: string | number): Wanted {
    const known = this.inside.get(key) ?? new Wanted();
    this.inside.set(key, known);
    return known;
  }
}

/** Offsets of paths in a JSON text, or of the nearest enclosing value. */
export function offsetsInJson(text: string, paths: readonly Path[]): readonly number[] {
  const wanted = new Wanted();
  for (const path of paths) path.reduce((at: Wanted, key) => at.at(key), wanted);
  new Finder(text).find(wanted);
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

const MARK = /["[\]{}]/g;
const SPACE = /[ \t\r\n]*/y;
const SCALAR = /[^,\]} \t\r\n]*/y;

class Finder {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  find(wanted: Wanted): void {
    this.#skip(SPACE);
    wanted.offset = this.#at;
    this.#value(wanted);
  }

  /** Skips a value and the space after it, and records wanted paths. */
  #value(wanted: Wanted | undefined): void {
    const first = this.#text[this.#at];
    if (first === '"') this.#string();
    else if (first !== "{" && first !== "[") this.#skip(SCALAR);
    else if (wanted === undefined || wanted.inside.size === 0) this.#pass();
    else this.#parts(wanted, first === "{");
    this.#skip(SPACE);
  }

  #parts(wanted: Wanted, isMap: boolean): void {
    this.#next();
    for (let index = 0; !this.#ends(); index++) {
      const at = this.#at;
      const inside = wanted.inside.get(isMap ? this.#key() : index);
      if (inside) inside.offset = at;
      this.#value(inside);
      if (this.#text[this.#at] === ",") this.#next();
    }
    this.#at += 1;
  }

  #key(): string {
    const start = this.#at;
    this.#string();
    const source = this.#text.slice(start, this.#at);
    const key = source.includes("\\") ? (JSON.parse(source) as string) : source.slice(1, -1);
    this.#skip(SPACE);
    this.#next();
    return key;
  }

  /** Skips a list or map without looking into it. */
  #pass(): void {
    let depth = 0;
    do {
      MARK.lastIndex = this.#at;
      const mark = MARK.exec(this.#text);
      if (mark === null) {
        this.#at = this.#text.length;
        return;
      }
      this.#at = mark.index;
      if (mark[0] === '"') this.#string();
      else {
        this.#at += 1;
        depth += mark[0] === "{" || mark[0] === "[" ? 1 : -1;
      }
    } while (depth > 0);
  }

  #string(): void {
    const text = this.#text;
    for (let end = this.#at; ; ) {
      end = text.indexOf('"', end + 1);
      let escapes = end;
      while (text[escapes - 1] === "\\") escapes -= 1;
      if ((end - escapes) % 2 === 1) continue;
      this.#at = end < 0 ? text.length : end + 1;
      return;
    }
  }

  #ends(): boolean {
    const found = this.#text[this.#at];
    return found === "]" || found === "}" || found === undefined;
  }

  /** Skips a token and the space after it. */
  #next(): void {
    this.#at += 1;
    this.#skip(SPACE);
  }

  #skip(pattern: RegExp): void {
    // Most tokens have no space after them.
    if (pattern === SPACE && this.#text.charCodeAt(this.#at) > 0x20) return;
    pattern.lastIndex = this.#at;
    this.#at += pattern.exec(this.#text)?.[0].length ?? 0;
  }
}
