/** Addresses as text. */
import { moduleAddress } from "./address.ts";
import { prefixesOf, USUAL_PREFIX } from "./address-prefix.ts";
import { utf8 } from "./bytes.ts";

let prefix = USUAL_PREFIX;
let prefixes = prefixesOf(prefix);

/**
 * Sets the address prefix, one word or three (`ADDRESS_PREFIX`). It applies to the whole thread,
 * like upstream's configuration to a process: each world sets its own before every command and
 * query.
 */
export function setAddressPrefix(own = USUAL_PREFIX): void {
  if (own === prefix) return;
  prefix = own;
  prefixes = prefixesOf(own);
}

export const addressPrefix = (): string => prefix;

/** Runs `work` with an address prefix, returns its result, and restores the previous prefix. */
export function withAddressPrefix<T>(own: string, work: () => T): T {
  const before = prefix;
  setAddressPrefix(own);
  try {
    return work();
  } finally {
    setAddressPrefix(before);
  }
}

const CHARSET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
/** Indexes in the alphabet by character code. */
const WORDS: (number | undefined)[] = [];
for (let i = 0; i < 32; i++) WORDS[CHARSET.charCodeAt(i)] = i;
/** The SDK's limit; far above BIP 173's 90, for addresses of up to 255 bytes. */
const MAX_LENGTH = 1023;
/** Maximum number of cached texts; the same few addresses recur. */
const REMEMBERED = 8192;

const decodings = new Map<string, { readonly hrp: string; readonly bytes: Uint8Array }>();

export const encodeBech32 = (hrp: string, bytes: Uint8Array): string =>
  encodeWords(hrp, regrouped(bytes, 8, 5));

/**
 * An address with another prefix. The only address error that the SDK registers (rules/consensus
 * 8.3).
 */
export class PrefixError extends Error {}

/**
 * Decodes a text. The returned bytes are shared: addresses are never modified. Throws with the
 * texts of the Cosmos SDK and of its bech32 library; a PrefixError for another prefix.
 */
export function decodeBech32(hrp: string, text: string): Uint8Array {
  if (text.trim() === "") throw new Error("empty address string is not allowed");
  let decoded = decodings.get(text);
  if (decoded === undefined) {
    decoded = decode(text);
    if (decodings.size >= REMEMBERED) decodings.clear();
    decodings.set(text, decoded);
  }
  if (decoded.hrp === hrp) return decoded.bytes;
  throw new PrefixError(
    `hrp does not match bech32 prefix: expected '${hrp}' got '${decoded.hrp}': internal logic error`,
  );
}

function decode(text: string): { hrp: string; bytes: Uint8Array } {
  const input = utf8(text.toWellFormed());
  if (input.length < 8 || input.length > MAX_LENGTH) {
    throw failed(`invalid bech32 string length ${input.length}`);
  }
  for (const byte of input) {
    if (byte < 33 || byte > 126) {
      throw failed(`invalid character in string: '${String.fromCharCode(byte)}'`);
    }
  }
  const lower = text.toLowerCase();
  if (text !== lower && text !== text.toUpperCase()) {
    throw failed("string not all lowercase or all uppercase");
  }
  const separator = lower.lastIndexOf("1");
  if (separator < 1 || separator + 7 > lower.length) {
    throw failed(`invalid separator index ${separator}`);
  }
  const hrp = lower.slice(0, separator);
  const words = new Uint8Array(lower.length - separator - 1);
  let check = prefixChecksum(hrp);
  for (let i = 0; i < words.length; i++) {
    const character = lower.charCodeAt(separator + 1 + i);
    const word = WORDS[character];
    if (word === undefined) {
      throw failed(`invalid character not part of charset: ${character}`);
    }
    words[i] = word;
    check = step(check) ^ word;
  }
  const payload = words.subarray(0, -CHECKSUM_LENGTH);
  if (check !== 1) {
    const expected = encodeWords(hrp, payload).slice(-CHECKSUM_LENGTH);
    throw failed(`invalid checksum (expected ${expected} got ${lower.slice(-CHECKSUM_LENGTH)})`);
  }
  const bytes = regrouped(payload, 5, 8);
  const left = (payload.length * 5) % 8;
  if (left === 0) return { hrp, bytes };
  // The remaining bits must be fewer than a word, and zero.
  if (left >= 5 || bytes.at(-1) !== 0) throw failed("invalid incomplete group");
  return { hrp, bytes: bytes.slice(0, -1) };
}

function failed(reason: string): Error {
  return new Error(`decoding bech32 failed: ${reason}`);
}

const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const CHECKSUM_LENGTH = 6;

/** Changes of the checksum by the five bits shifted out of it. */
const STEPS = Int32Array.from({ length: 32 }, (_, top) =>
  GENERATOR.reduce((sum, term, i) => ((top >> i) & 1 ? sum ^ term : sum), 0),
);
/** Character codes of the encoded text; reused. */
const codes: number[] = [];

/** BIP 173, inlined: cheaper than a cache of encoded addresses. */
function encodeWords(hrp: string, words: Uint8Array): string {
  let check = prefixChecksum(hrp);
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] as number;
    check = step(check) ^ word;
    codes[at] = CHARSET.charCodeAt(word);
  }
  for (let i = 0; i < CHECKSUM_LENGTH; i++) check = step(check);
  for (let i = 25; i >= 0; i -= 5) codes[at++] = CHARSET.charCodeAt(((check ^ 1) >> i) & 31);
  codes.length = at;
  return `${hrp}1${String.fromCharCode(...codes)}`;
}

const checksums = new Map<string, number>();

/** Cached, since there are few prefixes. */
function prefixChecksum(hrp: string): number {
  let check = checksums.get(hrp);
  if (check !== undefined) return check;
  check = 1;
  for (let i = 0; i < hrp.length; i++) check = step(check) ^ (hrp.charCodeAt(i) >> 5);
  check = step(check);
  for (let i = 0; i < hrp.length; i++) check = step(check) ^ (hrp.charCodeAt(i) & 31);
  if (checksums.size >= REMEMBERED) checksums.clear();
  checksums.set(hrp, check);
  return check;
}

const step = (check: number): number => ((check & 0x1ffffff) << 5) ^ (STEPS[check >> 25] as number);

/** Converts groups of bits to groups of another size; the last is padded with zeros. */
function regrouped(groups: Uint8Array, from: number, to: number): Uint8Array {
  const all = new Uint8Array(Math.ceil((groups.length * from) / to));
  let held = 0;
  let bits = 0;
  let at = 0;
  for (let i = 0; i < groups.length; i++) {
    held = ((held << from) | (groups[i] as number)) & 0xfff;
    for (bits += from; bits >= to; bits -= to) all[at++] = (held >> (bits - to)) & ((1 << to) - 1);
  }
  if (bits > 0) all[at] = (held << (to - bits)) & ((1 << to) - 1);
  return all;
}

export const accAddress = (bytes: Uint8Array): string => encodeBech32(prefixes.account, bytes);
export const valAddress = (bytes: Uint8Array): string => encodeBech32(prefixes.validator, bytes);
export const consAddress = (bytes: Uint8Array): string => encodeBech32(prefixes.consensus, bytes);

/** Address of a module's account, with the current world's prefix (rules/upgrade 3.1). */
export const moduleAccount = (name: string): string => accAddress(moduleAddress(name));

export const fromAccAddress = (text: string): Uint8Array => decodeBech32(prefixes.account, text);
export const fromValAddress = (text: string): Uint8Array => decodeBech32(prefixes.validator, text);
export const fromConsAddress = (text: string): Uint8Array => decodeBech32(prefixes.consensus, text);
