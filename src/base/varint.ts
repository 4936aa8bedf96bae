/**
 * Variable-length integers of protobuf and IAVL: seven bits per byte, least significant first.
 * Values are safe integers; larger amounts never use these formats here.
 */

export function uvarintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
  return size;
}

/** Writes at `offset` and returns the offset after it. */
export function writeUvarint(out: Uint8Array, offset: number, value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not a uvarint: ${value}`);
  let at = offset;
  let rest = value;
  while (rest >= 0x80) {
    out[at++] = (rest % 0x80) | 0x80;
    // Shifts are 32 bit; larger values are divided until they fit.
    rest = rest > 0x7fffffff ? Math.floor(rest / 0x80) : rest >>> 7;
  }
  out[at++] = rest;
  return at;
}

export function uvarint(value: number): Uint8Array {
  const out = new Uint8Array(uvarintSize(value));
  writeUvarint(out, 0, value);
  return out;
}

/**
 * Reads at `offset`; `next` is the offset after it. Throws if the bytes end early or exceed 2^53.
 */
export function readUvarint(bytes: Uint8Array, offset = 0): { value: number; next: number } {
  let value = 0;
  let scale = 1;
  for (let at = offset; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    value += (byte & 0x7f) * scale;
    if (!Number.isSafeInteger(value)) throw new RangeError("uvarint overflows 53 bits");
    if (byte < 0x80) return { value, next: at + 1 };
    scale *= 0x80;
  }
  throw new RangeError("uvarint ends early");
}

/** Zig-zag: small magnitudes of either sign are short, so 1 is written as 2 and -1 as 1. */
export function writeVarint(out: Uint8Array, offset: number, value: number): number {
  return writeUvarint(out, offset, value < 0 ? -2 * value - 1 : 2 * value);
}

export function readVarint(bytes: Uint8Array, offset = 0): { value: number; next: number } {
  const { value, next } = readUvarint(bytes, offset);
  return { value: value % 2 === 0 ? value / 2 : -(value + 1) / 2, next };
}
