import { modelledText, plainError } from "../../framework/errors.ts";

/**
 * Maximum nesting depth of arrays and objects. Go's limit is 10 000; the scanner here recurses, and
 * that many levels do not fit on every browser's stack.
 */
const MAX_DEPTH = 1_000;

/**
 * Returns the error of Go's encoding/json for a text; undefined if the text is JSON. Nodes log it,
 * and the errors of JavaScript engines differ.
 */
export function goJsonError(text: string): string | undefined {
  const scanner = new Scanner(text);
  try {
    scanner.value();
    scanner.end();
    return undefined;
  } catch (error) {
    return modelledText(error);
  }
}

/** Returns Go's name for the type of a decoded value in `cannot unmarshal … into`. */
export function goKind(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value;
}

const LITERALS = ["true", "false", "null"];
const ESCAPES = '"\\/bfnrt';

class Scanner {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): void {
    const c = this.#peek();
    if (c === "{") this.#nested(() => this.#object());
    else if (c === "[") this.#nested(() => this.#array());
    else if (c === '"') this.#string();
    else if (c === "-" || isDigit(c)) this.#number();
    else this.#literal(c);
  }

  end(): void {
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#refuse("after top-level value");
  }

  #nested(scan: () => void): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) this.#refuse("exceeded max depth");
    scan();
    this.#depth -= 1;
  }

  #object(): void {
    this.#at += 1;
    if (this.#takes("}")) return;
    for (;;) {
      if (this.#peek() !== '"') this.#refuse("looking for beginning of object key string");
      this.#string();
      if (this.#peek() !== ":") this.#refuse("after object key");
      this.#at += 1;
      this.value();
      const c = this.#peek();
      if (c !== "," && c !== "}") this.#refuse("after object key:value pair");
      this.#at += 1;
      if (c === "}") return;
    }
  }

  #array(): void {
    this.#at += 1;
    if (this.#takes("]")) return;
    for (;;) {
      this.value();
      const c = this.#peek();
      if (c !== "," && c !== "]") this.#refuse("after array element");
      this.#at += 1;
      if (c === "]") return;
    }
  }

  #string(): void {
    this.#at += 1;
    for (let c = this.#char(); c !== '"'; c = this.#char()) {
      if (c < " ") this.#refuse("in string literal");
      this.#at += 1;
      if (c === "\\") this.#escape();
    }
    this.#at += 1;
  }

  #escape(): void {
    const c = this.#char();
    if (c !== "u" && !ESCAPES.includes(c)) this.#refuse("in string escape code");
    this.#at += 1;
    for (let i = 0; c === "u" && i < 4; i++) {
      if (!/[0-9a-fA-F]/.test(this.#char())) {
        this.#refuse("in \\u hexadecimal character escape");
      }
      this.#at += 1;
    }
  }

  #number(): void {
    if (this.#text[this.#at] === "-") this.#at += 1;
    if (this.#char() === "0") this.#at += 1;
    else this.#digits("in numeric literal");
    if (this.#text[this.#at] === ".") {
      this.#at += 1;
      this.#digits("after decimal point in numeric literal");
    }
    if (/[eE]/.test(this.#text[this.#at] ?? "")) {
      this.#at += 1;
      if (/[+-]/.test(this.#char())) this.#at += 1;
      this.#digits("in exponent of numeric literal");
    }
  }

  #digits(context: string): void {
    if (!isDigit(this.#char())) this.#refuse(context);
    while (isDigit(this.#text[this.#at] ?? "")) this.#at += 1;
  }

  #literal(first: string): void {
    const word = LITERALS.find((literal) => literal.startsWith(first));
    if (word === undefined) this.#refuse("looking for beginning of value");
    for (const expected of word ?? "") {
      if (this.#char() !== expected) {
        this.#refuse(`in literal ${word} (expecting ${quoted(expected)})`);
      }
      this.#at += 1;
    }
  }

  /** Consumes a character if it is next. */
  #takes(c: string): boolean {
    const found = this.#peek() === c;
    if (found) this.#at += 1;
    return found;
  }

  /** Returns the next character that is not whitespace. */
  #peek(): string {
    this.#skipSpace();
    return this.#char();
  }

  #char(): string {
    const c = this.#text[this.#at];
    if (c === undefined) throw plainError("unexpected end of JSON input");
    return c;
  }

  #skipSpace(): void {
    while (/[ \t\r\n]/.test(this.#text[this.#at] ?? "")) this.#at += 1;
  }

  #refuse(context: string): void {
    throw plainError(`invalid character ${quoted(this.#char())} ${context}`);
  }
}

const isDigit = (c: string): boolean => c >= "0" && c <= "9" && c.length === 1;

/**
 * Quotes a byte like Go does in these errors: a character in single quotes, escaped where needed.
 */
function quoted(c: string): string {
  if (c === "'") return "'\\''";
  if (c === '"') return `'"'`;
  if (c === "\n") return "'\\n'";
  if (c === "\r") return "'\\r'";
  if (c === "\t") return "'\\t'";
  if (c === "\\") return "'\\\\'";
  return c < " " ? `'\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}'` : `'${c}'`;
}
