import {
  accAddress,
  consAddress,
  fromAccAddress,
  fromConsAddress,
  fromValAddress,
  valAddress,
} from "../../base/bech32.ts";
import { concat, fromUtf8, readU64be, u64be, utf8 } from "../../base/bytes.ts";
import { lengthPrefixed, TIME_KEY_LENGTH } from "./keys.ts";

/** A store entry in readable form. */
export interface EntryText {
  /** Kind of the entry, e.g. `delegation`; empty if the key is unknown to its module. */
  readonly kind: string;
  /** Parts of the key, in order: addresses in bech32, numbers, times and names. */
  readonly of: readonly string[];
  /** The value: a message's fields as JSON, else text; empty where there is nothing to show. */
  readonly value: string;
}

/** Format of the entries under one prefix. */
export interface EntryKind {
  readonly kind: string;
  /** Parts of a key after its prefix. */
  readonly of?: readonly KeyPart[];
  readonly value?: (value: Uint8Array) => string;
}

/** One part of a key, as bytes and as text. */
export interface KeyPart {
  /** Returns the text of the part at an offset, and the offset of the next part. */
  read(key: Uint8Array, at: number): { readonly text: string; readonly end: number };
  /** Returns the bytes of a part from its text. Throws on invalid text. */
  write(text: string): Uint8Array;
}

/** Describes the entries of a store. */
export interface Describer {
  (key: Uint8Array, value: Uint8Array): EntryText;
  /**
   * Returns the key for a name such as `delegation alice val-1`, whether or not the store has it;
   * undefined for other names.
   * @param formsOf texts that a word of the name may represent, such as the addresses of an
   *   account
   */
  keyNamed(name: string, formsOf: (word: string) => readonly string[]): Uint8Array | undefined;
}

/**
 * Describes the entries of a store whose keys start with one of `prefixes`, each by the kind of the
 * same name. Entries without a kind are described by their readable text.
 */
export function describer<Name extends string>(
  prefixes: Readonly<Record<Name, number>>,
  kinds: Readonly<Record<NoInfer<Name>, EntryKind>>,
): Describer {
  const byPrefix = new Map<number | undefined, EntryKind>();
  for (const name of Object.keys(prefixes) as Name[]) byPrefix.set(prefixes[name], kinds[name]);
  const describe = (key: Uint8Array, value: Uint8Array): EntryText => {
    const known = byPrefix.get(key[0]);
    if (known === undefined) return { kind: "", of: [printable(key)], value: printable(value) };
    return {
      kind: known.kind,
      of: readable(() => partsOf(key, known.of)) ?? [],
      value: readable(() => known.value?.(value)) ?? "",
    };
  };
  const keyNamed: Describer["keyNamed"] = (name, formsOf) => {
    for (const [prefix, { kind, of: parts = [] }] of byPrefix) {
      if (prefix === undefined || !`${name} `.toLowerCase().startsWith(`${kind} `)) continue;
      const words = name.slice(kind.length).split(" ").filter(Boolean);
      if (words.length !== parts.length) continue;
      const found = parts.map((part, i) => encodedPart(part, formsOf(words[i] ?? "")));
      if (found.every((bytes) => bytes !== undefined)) {
        return concat(Uint8Array.of(prefix), ...found);
      }
    }
    return undefined;
  };
  return Object.assign(describe, { keyNamed });
}

/** Bytes of a part, from the first of these texts that is valid for it. */
const encodedPart = (part: KeyPart, forms: readonly string[]): Uint8Array | undefined =>
  forms.map((form) => readable(() => part.write(form))).find((bytes) => bytes !== undefined);

/** Returns the result of `read`; undefined if it throws, as for bytes that no module stores. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function partsOf(key: Uint8Array, parts: readonly KeyPart[] = []): string[] {
  let at = 1;
  const texts = parts.map((part) => {
    const { text, end } = part.read(key, at);
    if (end > key.length) throw new RangeError("the key ends within a part");
    at = end;
    return text;
  });
  return texts.filter((text) => text !== "");
}

/** An address, preceded by its length in one byte. */
const addressPart = (
  format: (address: Uint8Array) => string,
  parse: (text: string) => Uint8Array,
): KeyPart => ({
  read: (key, at) => {
    const end = at + 1 + (key[at] ?? 0);
    return { text: format(key.subarray(at + 1, end)), end };
  },
  write: (text) => lengthPrefixed(parse(text)),
});

export const accountPart = addressPart(accAddress, fromAccAddress);
export const validatorPart = addressPart(valAddress, fromValAddress);
export const consensusPart = addressPart(consAddress, fromConsAddress);

/** Eight bytes big-endian. */
export const numberPart: KeyPart = {
  read: (key, at) => ({ text: `${readU64be(key, at)}`, end: at + 8 }),
  write: (text) => u64be(numberOf(text)),
};

/** Parses a number in a part of a key. Throws for other text. */
export function numberOf(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new RangeError(`${text} is no number`);
}

/** A `timeKey`. */
export const timePart: KeyPart = {
  read: (key, at) => {
    const end = at + TIME_KEY_LENGTH;
    return { text: fromUtf8(key.subarray(at, end)), end };
  },
  write: (text) => {
    if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}$/.test(text)) return utf8(text);
    throw new RangeError(`${text} is no time`);
  },
};

/** The rest of a key. */
export const restPart = (
  format: (rest: Uint8Array) => string,
  parse: (text: string) => Uint8Array,
): KeyPart => ({
  read: (key, at) => ({ text: format(key.subarray(at)), end: key.length }),
  write: parse,
});

/** The rest of a key, as text. */
export const textRest = restPart(fromUtf8, utf8);

/** Eight bytes big-endian. */
export const numberText = (value: Uint8Array): string => `${readU64be(value)}`;

/** Bytes as text if all characters are printable; otherwise empty. */
const printable = (bytes: Uint8Array): string =>
  bytes.every((byte) => byte >= 0x20 && byte < 0x7f) ? fromUtf8(bytes) : "";
