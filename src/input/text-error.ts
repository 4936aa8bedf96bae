import { INPUT } from "./limits.ts";

/** A problem in a text, with its position. */
export class TextError extends Error {
  /** Characters before the place. */
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.name = "TextError";
    this.offset = offset;
  }
}

/** All that the grammar of YAML finds wrong with a text. */
export class YamlErrors extends Error {
  readonly errors: readonly TextError[];

  constructor(errors: readonly TextError[]) {
    super("not YAML");
    this.errors = errors;
  }
}

/** Text of a value. Throws a TextError if it is none that a chain could hold. */
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

/** A key of a map. Throws a TextError if it is too long to be a name, or no text. */
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
 * Prototype of maps, from which they inherit nothing. It keeps small maps compact, which objects
 * without a prototype are not.
 */
class OwnKeys {
  [key: string]: unknown;
}
Object.setPrototypeOf(OwnKeys.prototype, null);
Reflect.deleteProperty(OwnKeys.prototype, "constructor");

/** An empty map in which every key is like any other: it inherits none. */
export const emptyMap = (): Record<string, unknown> => new OwnKeys();

/** More than any number may be here: JavaScript writes it in another form, without its last digits. */
const BEYOND = 1e22;

/**
 * Returns a value as it appears in its source: an integer beyond the accepted range as its digits.
 */
export function asWritten(value: unknown, source: string): unknown {
  const isBeyond =
    typeof value === "number" && Number.isInteger(value) && Math.abs(value) >= BEYOND;
  return isBeyond && /^-?[0-9]+$/.test(source) ? source : value;
}
