import { utf8 } from "./bytes.ts";

/**
 * Go's hex.DecodeString (rules/evidence 6.2): either case, any even length. Throws with Go's texts,
 * and, as Go does, reports an invalid byte before an odd length.
 */
export function fromHex(text: string): Uint8Array {
  const out = new Uint8Array(text.length >> 1);
  for (let i = 0; i < text.length; i++) {
    const nibble = hexNibble(text.charCodeAt(i));
    if (nibble < 0) throw new Error(`encoding/hex: invalid byte: ${describeByte(text, i)}`);
    if (i >> 1 < out.length) out[i >> 1] = ((out[i >> 1] as number) << 4) | nibble;
  }
  if (text.length % 2 === 1) throw new Error("encoding/hex: odd length hex string");
  return out;
}

function hexNibble(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/** Go reads bytes, not characters: it reports the first UTF-8 byte of a non-ASCII character. */
function describeByte(text: string, index: number): string {
  const byte = utf8(text.slice(index, index + 2).toWellFormed())[0] as number;
  const point = `U+${byte.toString(16).toUpperCase().padStart(4, "0")}`;
  const printable = (byte >= 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
  if (!printable) return point;
  return `${point} '${String.fromCharCode(byte)}'`;
}
