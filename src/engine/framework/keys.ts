import { concat } from "../primitives/bytes.ts";

/** The smallest key greater than every key with this prefix; undefined if there is none. */
export function prefixEnd(prefix: Uint8Array): Uint8Array | undefined {
  for (let i = prefix.length - 1; i >= 0; i--) {
    const byte = prefix[i] as number;
    if (byte !== 0xff) {
      const end = prefix.slice(0, i + 1);
      end[i] = byte + 1;
      return end;
    }
  }
  return undefined;
}

/** A byte string preceded by its length in one byte, as stores use for addresses inside keys. */
export const lengthPrefixed = (bytes: Uint8Array): Uint8Array =>
  concat(Uint8Array.of(bytes.length), bytes);
