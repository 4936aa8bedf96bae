import { Packr } from "msgpackr/index-no-eval";

/** MessagePack; integers of any size are an extension. */
const packr = new Packr({
  useRecords: false,
  useBigIntExtension: true,
  mapsAsObjects: true,
  copyBuffers: true,
});

/** Maximum nesting depth of lists and objects. */
const MAX_DEPTH = 32;
/** The only extension that is read: an integer beyond 64 bits. */
const BIG_INTEGER = 0x42;

/** Serializes plain data: objects, lists, texts, numbers, bigints, bytes. */
export const encode = (value: unknown): Uint8Array => new Uint8Array(packr.pack(value));

/**
 * The inverse of `encode`. The bytes may be untrusted: too deep a nesting, a wrong length, or a
 * type that `encode` does not write throws an Error before anything is built. The value itself is
 * not validated.
 */
export function decode(bytes: Uint8Array): unknown {
  const end = skip(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0, 0);
  if (end !== bytes.length) throw new Error(`bytes follow the value, from byte ${end}`);
  return packr.unpack(bytes);
}

/** Position after the value at a position. */
function skip(view: DataView, at: number, depth: number): number {
  const type = byteAt(view, at);
  const next = at + 1;
  if (type < 0x80 || type >= 0xe0) return next;
  if (type < 0x90) return skipMany(view, next, 2 * (type & 0x0f), depth);
  if (type < 0xa0) return skipMany(view, next, type & 0x0f, depth);
  if (type < 0xc0) return within(view, next + (type & 0x1f));
  const width = WIDTHS[type];
  if (width !== undefined) return within(view, next + width);
  const length = LENGTHS[type];
  if (length === undefined) return skipExtension(view, at, type);
  const [size, of] = length;
  within(view, next + size);
  const count =
    size === 1 ? view.getUint8(next) : size === 2 ? view.getUint16(next) : view.getUint32(next);
  if (of === "bytes") return within(view, next + size + count);
  return skipMany(view, next + size, of === "map" ? 2 * count : count, depth);
}

/** Bytes that follow a type of a fixed size: nil, booleans, numbers. */
const WIDTHS: Readonly<Record<number, number>> = {
  192: 0,
  194: 0,
  195: 0,
  202: 4,
  203: 8,
  204: 1,
  205: 2,
  206: 4,
  207: 8,
  208: 1,
  209: 2,
  210: 4,
  211: 8,
};

/** Types with an explicit length: the size of the length field, and its unit. */
const LENGTHS: Readonly<Record<number, readonly [1 | 2 | 4, "bytes" | "list" | "map"]>> = {
  196: [1, "bytes"],
  197: [2, "bytes"],
  198: [4, "bytes"],
  217: [1, "bytes"],
  218: [2, "bytes"],
  219: [4, "bytes"],
  220: [2, "list"],
  221: [4, "list"],
  222: [2, "map"],
  223: [4, "map"],
};

const UNDEFINED = [0xd4, 0x00, 0x00];

function skipExtension(view: DataView, at: number, type: number): number {
  // The codec writes undefined as the extension 0 of one zero byte.
  if (UNDEFINED.every((byte, i) => at + i < view.byteLength && view.getUint8(at + i) === byte)) {
    return at + UNDEFINED.length;
  }
  const fixed = type >= 0xd4 && type <= 0xd8 ? 1 << (type - 0xd4) : undefined;
  const size = fixed ?? (type === 0xc7 ? byteAt(view, at + 1) : undefined);
  const kindAt = at + (fixed === undefined ? 2 : 1);
  if (size === undefined || byteAt(view, kindAt) !== BIG_INTEGER) {
    throw new Error(`a value of an unknown type at byte ${at}`);
  }
  return within(view, kindAt + 1 + size);
}

function skipMany(view: DataView, from: number, count: number, depth: number): number {
  if (depth === MAX_DEPTH) throw new Error(`nested too deeply at byte ${from}`);
  let at = from;
  for (let i = 0; i < count; i++) at = skip(view, at, depth + 1);
  return at;
}

function byteAt(view: DataView, at: number): number {
  return view.getUint8(within(view, at + 1) - 1);
}

function within(view: DataView, end: number): number {
  if (end > view.byteLength) throw new Error("it ends in the middle of a value");
  return end;
}
