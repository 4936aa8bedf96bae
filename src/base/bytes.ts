/** Byte strings: joining, ordering, text forms and fixed-width integers. */

/**
 * Exists on every platform on which the engine runs, and is pure, but is not part of the language's
 * own library.
 */
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const TextDecoder: new (
  label: "utf-8",
  options: { fatal: true; ignoreBOM: true },
) => { decode(bytes: Uint8Array): string };

export const EMPTY = new Uint8Array(0);

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const out = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    out.set(part, offset);
    offset += part.length;
  }
  return out;
}

export function equal(a: Uint8Array, b: Uint8Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Lexicographic order of unsigned bytes; a prefix sorts before its extensions. */
export function compare(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const difference = (a[i] as number) - (b[i] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

export function startsWith(bytes: Uint8Array, prefix: Uint8Array): boolean {
  if (bytes.length < prefix.length) return false;
  for (let i = 0; i < prefix.length; i++) if (bytes[i] !== prefix[i]) return false;
  return true;
}

/**
 * Returns the first key after all keys with this prefix; undefined if no such key exists (empty or
 * all 0xff).
 */
export function prefixEnd(prefix: Uint8Array): Uint8Array | undefined {
  for (let i = prefix.length - 1; i >= 0; i--) {
    const byte = prefix[i] as number;
    if (byte === 0xff) continue;
    const end = prefix.slice(0, i + 1);
    end[i] = byte + 1;
    return end;
  }
  return undefined;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function toHex(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i++) text += HEX[bytes[i] as number];
  return text;
}

export function toHexUpper(bytes: Uint8Array): string {
  return toHex(bytes).toUpperCase();
}

/**
 * Maximum length for inline encoding: most texts in the store are denoms and digits, for which
 * calling an encoder is expensive.
 */
const SHORT = 64;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Throws on text with a lone surrogate. */
export function utf8(text: string): Uint8Array {
  const short = text.length <= SHORT ? ascii(text) : undefined;
  if (short !== undefined) return short;
  if (!text.isWellFormed()) throw new Error("expected well-formed text, found a lone surrogate");
  return encoder.encode(text);
}

/** Encodes ASCII text; undefined for other characters. */
function ascii(text: string): Uint8Array | undefined {
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return undefined;
    out[i] = code;
  }
  return out;
}

/** Throws on bytes that are not UTF-8. */
export function fromUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Error("expected UTF-8, found other bytes");
  }
}

export function u64be(value: number | bigint): Uint8Array {
  const out = new Uint8Array(8);
  new DataView(out.buffer).setBigUint64(0, BigInt(value));
  return out;
}

export function u64le(value: number | bigint): Uint8Array {
  return u64be(value).reverse();
}

export function readU64be(bytes: Uint8Array, offset = 0): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigUint64(offset);
}
