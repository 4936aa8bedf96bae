/** Castagnoli's polynomial, bits reversed: RFC 3720, appendix B.4. */
const POLYNOMIAL = 0x82f63b78;

/** Number of bytes processed per step. */
const AT_ONCE = 8;

/** Checksum of each byte, then of each byte followed by 1 to 7 zero bytes. */
const TABLES = tables();

function tables(): Int32Array {
  const made = new Int32Array(AT_ONCE * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
    made[byte] = crc;
  }
  for (let i = 256; i < made.length; i++) {
    const before = made[i - 256] as number;
    made[i] = (before >>> 8) ^ (made[before & 0xff] as number);
  }
  return made;
}

/**
 * CRC-32C of bytes, as an unsigned number. It detects every change of up to three bits at the
 * lengths stored here, and every burst of up to 32. `before` is the checksum of preceding bytes.
 */
export function crc32c(bytes: Uint8Array, before = 0): number {
  const { length } = bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, length);
  const t = TABLES;
  let crc = ~before;
  let i = 0;
  for (; i + AT_ONCE <= length; i += AT_ONCE) {
    const a = crc ^ view.getInt32(i, true);
    const b = view.getInt32(i + 4, true);
    crc =
      (t[1792 + (a & 0xff)] as number) ^
      (t[1536 + ((a >>> 8) & 0xff)] as number) ^
      (t[1280 + ((a >>> 16) & 0xff)] as number) ^
      (t[1024 + (a >>> 24)] as number) ^
      (t[768 + (b & 0xff)] as number) ^
      (t[512 + ((b >>> 8) & 0xff)] as number) ^
      (t[256 + ((b >>> 16) & 0xff)] as number) ^
      (t[b >>> 24] as number);
  }
  for (; i < length; i++) crc = (crc >>> 8) ^ (t[(crc ^ (bytes[i] as number)) & 0xff] as number);
  return ~crc >>> 0;
}
