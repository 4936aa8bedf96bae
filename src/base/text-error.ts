import { INPUT } from "./limits.ts";

/** Error in a text, with its position. */
export class TextError extends Error {
  /** Position in characters. */
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.name = "TextError";
    this.offset = offset;
  }
}

/** All syntax errors of a YAML text. */
export class YamlErrors extends Error {
  readonly errors: readonly TextError[];

  constructor(errors: readonly TextError[]) {
    super("not YAML");
    this.errors = errors;
  }
}

/** Checks the text of a value. Throws a TextError if a chain could not store it. */
export function soundText(text: string, offset: number, most: number = INPUT.text): string {
  if (text.length > most) {
    const message = `expected a text of at most ${most} characters, found ${text.length}`;
    throw new TextError(offset, message);
  }
  if (text.includes("\u0000")) throw new TextError(offset, "expected text, found U+0000 in it");
  if (!text.isWellFormed()) {
    throw new TextError(offset, "expected text, found half of a surrogate pair in it");
  }
  return text;
}

/** Checks a key of a map. Throws a TextError if it is too long for a name, or invalid text. */
export function soundKey(key: string, offset: number): string {
  if (key.length <= INPUT.key) return soundText(key, offset);
  const message = `expected a key of at most ${INPUT.key} characters, found ${key.length}`;
  throw new TextError(offset, message);
}

export const tooDeep = (offset: number): TextError =>
  new TextError(offset, `expected at most ${INPUT.depth} levels of lists and maps`);

export const tooMany = (offset: number, most: number): TextError =>
  new TextError(offset, `expected at most ${most} values`);

export const tooManyKeys = (offset: number): TextError =>
  new TextError(offset, `expected at most ${INPUT.mapKeys} keys in a map`);

export const twice = (offset: number, key: string): TextError =>
  new TextError(offset, `expected every key once, found "${key}" again`);

/**
 * Empty prototype of maps. With their own prototype small maps use little memory, unlike maps
 * without a prototype.
 */
class OwnKeys {
  [key: string]: unknown;
}
Object.setPrototypeOf(OwnKeys.prototype, null);
Reflect.deleteProperty(OwnKeys.prototype, "constructor");

/** Returns an empty map without inherited keys. */
export const emptyMap = (): Record<string, unknown> => new OwnKeys();

/** Larger than any accepted number: JavaScript formats it differently, without its last digits. */
const BEYOND = 1e22;

/**
 * Returns the value; for an integer beyond all accepted ones, its digits, so that it is shown as in
 * the source.
 */
export function asInSource(value: unknown, source: string): unknown {
  const isBeyond =
    typeof value === "number" && Number.isInteger(value) && Math.abs(value) >= BEYOND;
  return isBeyond && /^-?[0-9]+$/.test(source) ? source : value;
}
