/** Addresses as text. The chain's human-readable prefixes all begin with `chain`. */
import { utf8 } from "./bytes.ts";

const ACCOUNT_PREFIX = "chain";
export const VALOPER_PREFIX = "chainvaloper";
const VALCONS_PREFIX = "chainvalcons";

const CHARSET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
/** As the SDK allows; far beyond BIP 173's 90, for addresses of up to 255 bytes. */
const MAX_LENGTH = 1023;
/** How many texts are remembered; the same few addresses come again and again. */
const REMEMBERED = 8192;

const decodings = new Map<string, { readonly prefix: string; readonly bytes: Uint8Array }>();

export const encodeBech32 = (prefix: string, bytes: Uint8Array): string =>
  encodeWords(prefix, toWords(bytes));

/** Throws with the texts of the Cosmos SDK and of the bech32 library beneath it. */
export function decodeBech32(prefix: string, text: string): Uint8Array {
  if (text.trim() === "") throw new Error("empty address string is not allowed");
  const decoded = remembered(text);
  if (decoded.prefix !== prefix) {
    throw new Error(
      `hrp does not match bech32 prefix: expected '${prefix}' got '${decoded.prefix}': internal logic error`,
    );
  }
  return decoded.bytes;
}

/** A decoded text, from the cache if it is there. The bytes are shared: addresses are never written to. */
function remembered(text: string): { readonly prefix: string; readonly bytes: Uint8Array } {
  const known = decodings.get(text);
  if (known !== undefined) return known;
  const decoded = decode(text);
  if (decodings.size >= REMEMBERED) decodings.clear();
  decodings.set(text, decoded);
  return decoded;
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
  const words = Uint8Array.from(lower.slice(separator + 1), (character) => {
    const word = CHARSET.indexOf(character);
    if (word < 0) throw failed(`invalid character not part of charset: ${character.charCodeAt(0)}`);
    return word;
  });
  const payload = words.subarray(0, -CHECKSUM_LENGTH);
  const expected = encodeWords(prefix, payload).slice(-CHECKSUM_LENGTH);
  const actual = lower.slice(-CHECKSUM_LENGTH);
  if (actual !== expected) throw failed(`invalid checksum (expected ${expected} got ${actual})`);
  const bytes = fromWords(payload);
  if (bytes === undefined) throw failed("invalid incomplete group");
  return { prefix, bytes };
}

function failed(reason: string): Error {
  return new Error(`decoding bech32 failed: ${reason}`);
}

const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const CHECKSUM_LENGTH = 6;

/** BIP 173, written out: cheaper than a lookup of addresses encoded before. */
function encodeWords(prefix: string, words: Uint8Array): string {
  let check = prefixChecksum(prefix);
  const codes: number[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as number;
    check = polymod(check) ^ word;
    codes.push(CHARSET.charCodeAt(word));
  }
  for (let i = 0; i < CHECKSUM_LENGTH; i++) check = polymod(check);
  check ^= 1;
  for (let i = CHECKSUM_LENGTH - 1; i >= 0; i--) {
    codes.push(CHARSET.charCodeAt((check >> (5 * i)) & 31));
  }
  return `${prefix}1${String.fromCharCode(...codes)}`;
}

function prefixChecksum(prefix: string): number {
  let check = 1;
  for (let i = 0; i < prefix.length; i++) check = polymod(check) ^ (prefix.charCodeAt(i) >> 5);
  check = polymod(check);
  for (let i = 0; i < prefix.length; i++) check = polymod(check) ^ (prefix.charCodeAt(i) & 31);
  return check;
}

function polymod(check: number): number {
  const top = check >> 25;
  let next = (check & 0x1ffffff) << 5;
  for (let i = 0; i < GENERATOR.length; i++) if ((top >> i) & 1) next ^= GENERATOR[i] as number;
  return next;
}

/** Bytes of eight bits as words of five; the last is filled up with zeros. */
function toWords(bytes: Uint8Array): Uint8Array {
  const words = new Uint8Array(Math.ceil((bytes.length * 8) / 5));
  let held = 0;
  let bits = 0;
  let at = 0;
  for (let i = 0; i < bytes.length; i++) {
    held = ((held << 8) | (bytes[i] as number)) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) words[at++] = (held >> (bits - 5)) & 31;
  }
  if (bits > 0) words[at] = (held << (5 - bits)) & 31;
  return words;
}

/** Words of five bits as bytes of eight; undefined if what is left over is a whole word, or is not zeros. */
function fromWords(words: Uint8Array): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.floor((words.length * 5) / 8));
  let held = 0;
  let bits = 0;
  let at = 0;
  for (const word of words) {
    held = ((held << 5) | word) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = held >> bits;
  }
  const left = held & ((1 << bits) - 1);
  return bits >= 5 || left !== 0 ? undefined : bytes;
}

export const accAddress = (bytes: Uint8Array): string => encodeBech32(ACCOUNT_PREFIX, bytes);
export const valAddress = (bytes: Uint8Array): string => encodeBech32(VALOPER_PREFIX, bytes);
export const consAddress = (bytes: Uint8Array): string => encodeBech32(VALCONS_PREFIX, bytes);

export const fromAccAddress = (text: string): Uint8Array => decodeBech32(ACCOUNT_PREFIX, text);
export const fromValAddress = (text: string): Uint8Array => decodeBech32(VALOPER_PREFIX, text);
export const fromConsAddress = (text: string): Uint8Array => decodeBech32(VALCONS_PREFIX, text);
