import { type DescMessage, fromBinary } from "@bufbuild/protobuf";
import { accAddress, consAddress, valAddress } from "../primitives/bech32.ts";
import { fromUtf8, readU64be, toHexUpper } from "../primitives/bytes.ts";
import { TIME_KEY_LENGTH } from "./keys.ts";

/** A store entry as people read it. */
export interface EntryText {
  /** What the entry is, e.g. `delegation`; empty if its module knows no such key. */
  readonly kind: string;
  /** What it belongs to, in the key's order: addresses in bech32, numbers, times and names. */
  readonly of: readonly string[];
  /** The value: a message's fields as JSON, else text; empty where there is nothing to show. */
  readonly value: string;
}

/** How the entries under one prefix read. */
export interface EntryKind {
  readonly kind: string;
  /** The parts of a key behind its prefix. */
  readonly of?: readonly KeyPart[];
  readonly value?: (value: Uint8Array) => string;
}

/** Reads one part of a key from an offset on: its text, and where the next part begins. */
export type KeyPart = (
  key: Uint8Array,
  at: number,
) => { readonly text: string; readonly end: number };

/**
 * Describes the entries of a store whose keys begin with one of `prefixes`, each by the kind of the same
 * name. Entries that no kind fits keep what can be read in them as text.
 */
export function describer<Name extends string>(
  prefixes: Readonly<Record<Name, number>>,
  kinds: Readonly<Record<NoInfer<Name>, EntryKind>>,
): (key: Uint8Array, value: Uint8Array) => EntryText {
  const byPrefix = new Map<number | undefined, EntryKind>();
  for (const name of Object.keys(prefixes) as Name[]) byPrefix.set(prefixes[name], kinds[name]);
  return (key, value) => {
    const known = byPrefix.get(key[0]);
    if (known === undefined) return { kind: "", of: [printable(key)], value: printable(value) };
    return {
      kind: known.kind,
      of: readable(() => partsOf(key, known.of)) ?? [],
      value: readable(() => known.value?.(value)) ?? "",
    };
  };
}

/** What `read` returns; undefined for bytes that no module has written so. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function partsOf(key: Uint8Array, parts: readonly KeyPart[] = []): string[] {
  let at = 1;
  return parts.map((part) => {
    const { text, end } = part(key, at);
    if (end > key.length) throw new RangeError("the key ends within a part");
    at = end;
    return text;
  });
}

/** An address behind its length in one byte. */
const addressPart =
  (format: (address: Uint8Array) => string): KeyPart =>
  (key, at) => {
    const end = at + 1 + (key[at] ?? 0);
    return { text: format(key.subarray(at + 1, end)), end };
  };

export const accountPart = addressPart(accAddress);
export const validatorPart = addressPart(valAddress);
export const consensusPart = addressPart(consAddress);

/** Eight bytes big-endian. */
export const numberPart: KeyPart = (key, at) => ({ text: `${readU64be(key, at)}`, end: at + 8 });

/** A `timeKey`. */
export const timePart: KeyPart = (key, at) => {
  const end = at + TIME_KEY_LENGTH;
  return { text: fromUtf8(key.subarray(at, end)), end };
};

/** All that is left of a key. */
export const restPart =
  (format: (rest: Uint8Array) => string): KeyPart =>
  (key, at) => ({ text: format(key.subarray(at)), end: key.length });

/** The fields of a message as JSON, with bytes in hex. */
export const messageText =
  (schema: DescMessage) =>
  (value: Uint8Array): string =>
    JSON.stringify(fromBinary(schema, value), plainField);

function plainField(name: string, value: unknown): unknown {
  if (name === "$typeName" || name === "$unknown") return undefined;
  if (typeof value === "bigint") return `${value}`;
  return value instanceof Uint8Array ? toHexUpper(value) : value;
}

/** Eight bytes big-endian. */
export const numberText = (value: Uint8Array): string => `${readU64be(value)}`;

/** Bytes as text if all of them can be seen; empty otherwise. */
const printable = (bytes: Uint8Array): string =>
  bytes.every((byte) => byte >= 0x20 && byte < 0x7f) ? fromUtf8(bytes) : "";
