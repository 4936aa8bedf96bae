/** Addresses as text. The chain's human-readable prefixes all begin with `chain`. */
import { bech32 } from "@scure/base";
import { utf8 } from "./bytes.ts";

export const ACCOUNT_PREFIX = "chain";
export const VALOPER_PREFIX = "chainvaloper";
export const VALCONS_PREFIX = "chainvalcons";

const CHARSET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
/** As the SDK allows; far beyond BIP 173's 90, for addresses of up to 255 bytes. */
const MAX_LENGTH = 1023;
const CACHED_ENCODINGS = 8192;

const encodings = new Map<string, string>();

/** Encodings are remembered: events and queries write the same few addresses again and again. */
export function encodeBech32(prefix: string, bytes: Uint8Array): string {
  let id = prefix;
  for (let i = 0; i < bytes.length; i++) id += String.fromCharCode(bytes[i] as number);
  const known = encodings.get(id);
  if (known !== undefined) return known;
  const text = bech32.encode(prefix, bech32.toWords(bytes), MAX_LENGTH);
  if (encodings.size >= CACHED_ENCODINGS) encodings.clear();
  encodings.set(id, text);
  return text;
}

/** Throws with the texts of the Cosmos SDK and of the bech32 library beneath it. */
export function decodeBech32(prefix: string, text: string): Uint8Array {
  if (text.trim() === "") throw new Error("empty address string is not allowed");
  const decoded = decode(text);
  if (decoded.prefix !== prefix) {
    throw new Error(`invalid Bech32 prefix; expected ${prefix}, got ${decoded.prefix}`);
  }
  return decoded.bytes;
}

function decode(text: string): { prefix: string; bytes: Uint8Array } {
  const input = utf8(text.toWellFormed());
  if (input.length < 8 || input.length > MAX_LENGTH) {
    throw failed(`invalid bech32 string length ${input.length}`);
  }
  const strange = input.find((byte) => byte < 33 || byte > 126);
  if (strange !== undefined) {
    throw failed(`invalid character in string: '${String.fromCharCode(strange)}'`);
  }
  const lower = text.toLowerCase();
  if (text !== lower && text !== text.toUpperCase()) {
    throw failed("string not all lowercase or all uppercase");
  }
  const separator = lower.lastIndexOf("1");
  if (separator < 1 || separator + 7 > lower.length) {
    throw failed(`invalid separator index ${separator}`);
  }
  const prefix = lower.slice(0, separator);
  const words = Array.from(lower.slice(separator + 1), (character) => {
    const word = CHARSET.indexOf(character);
    if (word < 0) throw failed(`invalid character not part of charset: ${character.charCodeAt(0)}`);
    return word;
  });
  const payload = words.slice(0, -6);
  const expected = bech32.encode(prefix, payload, MAX_LENGTH).slice(-6);
  const actual = lower.slice(-6);
  if (actual !== expected) throw failed(`invalid checksum (expected ${expected} got ${actual})`);
  const bytes = bech32.fromWordsUnsafe(payload);
  if (!bytes) throw failed("invalid incomplete group");
  return { prefix, bytes };
}

function failed(reason: string): Error {
  return new Error(`decoding bech32 failed: ${reason}`);
}

export const accAddress = (bytes: Uint8Array): string => encodeBech32(ACCOUNT_PREFIX, bytes);
export const valAddress = (bytes: Uint8Array): string => encodeBech32(VALOPER_PREFIX, bytes);
export const consAddress = (bytes: Uint8Array): string => encodeBech32(VALCONS_PREFIX, bytes);

export const fromAccAddress = (text: string): Uint8Array => decodeBech32(ACCOUNT_PREFIX, text);
export const fromValAddress = (text: string): Uint8Array => decodeBech32(VALOPER_PREFIX, text);
export const fromConsAddress = (text: string): Uint8Array => decodeBech32(VALCONS_PREFIX, text);
