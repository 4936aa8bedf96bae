import { equal, readU64be, u64be } from "../../../base/bytes.ts";
import type { Context, StateStores } from "../../framework/context.ts";
import { addressKey, addressOf, chunkKey, PREFIX, prefixKey, SLASHING } from "./keys.ts";

/**
 * Missed blocks of a validator in the window: chunks of 1024 bits in the binary form of Go's bitset
 * (number of bits, then 64-bit words, all big-endian). Upstream stores empty chunks; here they are
 * deleted, so that validators without a miss cost nothing.
 */
const CHUNK_BITS = 1024;
const HEADER_BYTES = 8;

/** Byte and mask of a bit: words are written big-endian, so their low byte comes last. */
function bitAt(index: number): { readonly byte: number; readonly mask: number } {
  const bit = index % CHUNK_BITS;
  const word = Math.floor(bit / 64);
  const byteInWord = 7 - Math.floor((bit % 64) / 8);
  return { byte: HEADER_BYTES + word * 8 + byteInWord, mask: 1 << (bit % 8) };
}

const chunkOf = (index: number): number => Math.floor(index / CHUNK_BITS);

export function hasMissed(ctx: Context, consensusAddress: Uint8Array, index: number): boolean {
  const chunk = ctx.store(SLASHING).get(chunkKey(consensusAddress, chunkOf(index)));
  const { byte, mask } = bitAt(index);
  return chunk !== undefined && ((chunk[byte] as number) & mask) !== 0;
}

export function setMissed(
  ctx: Context,
  consensusAddress: Uint8Array,
  index: number,
  missed: boolean,
): void {
  const store = ctx.store(SLASHING);
  const key = chunkKey(consensusAddress, chunkOf(index));
  const chunk = store.get(key)?.slice() ?? emptyChunk();
  const { byte, mask } = bitAt(index);
  const old = chunk[byte] as number;
  chunk[byte] = missed ? old | mask : old & ~mask;
  if (chunk.subarray(HEADER_BYTES).every((value) => value === 0)) store.delete(key);
  else store.set(key, chunk);
}

function emptyChunk(): Uint8Array {
  const chunk = new Uint8Array(HEADER_BYTES + CHUNK_BITS / 8);
  chunk.set(u64be(CHUNK_BITS));
  return chunk;
}

export function clearMissedBlocks(ctx: Context, consensusAddress: Uint8Array): void {
  const store = ctx.store(SLASHING);
  for (const { key } of store.prefix(addressKey(PREFIX.missedBlocks, consensusAddress))) {
    store.delete(key);
  }
}

/** Indexes of the missed blocks of one validator, chunk by chunk. */
export function* missedBlocks(ctx: Context, consensusAddress: Uint8Array): Iterable<number> {
  const prefix = addressKey(PREFIX.missedBlocks, consensusAddress);
  for (const { key, value } of ctx.store(SLASHING).prefix(prefix)) {
    const first = chunkIn(key.slice(-8)) * CHUNK_BITS;
    for (const bit of missedIn(value)) yield first + bit;
  }
}

/** Number of a chunk, from the last eight bytes of its key, little-endian. */
export const chunkIn = (bytes: Uint8Array): number => Number(readU64be(bytes.slice().reverse()));

/** Indexes of the missed blocks within a chunk. */
export function* missedIn(chunk: Uint8Array): Iterable<number> {
  for (let bit = 0; bit < CHUNK_BITS; bit++) {
    const { byte, mask } = bitAt(bit);
    if (((chunk[byte] as number) & mask) !== 0) yield bit;
  }
}

export const isAnyBlockMissed = (state: StateStores): boolean =>
  state.store(SLASHING).first(prefixKey(PREFIX.missedBlocks)) !== undefined;

/** Distinct consensus addresses that have missed a block of the window. */
export function* withMissedBlocks(ctx: Context): Iterable<Uint8Array> {
  let last: Uint8Array | undefined;
  for (const { key } of ctx.store(SLASHING).prefix(prefixKey(PREFIX.missedBlocks))) {
    const address = addressOf(key);
    if (last !== undefined && equal(last, address)) continue;
    last = address;
    yield address;
  }
}
