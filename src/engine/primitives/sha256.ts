/**
 * The engine's only SHA-256. It begins with a portable implementation, so that everything is there at once;
 * a composition root then swaps in a faster one: WebAssembly, or what its host has. All give the same bytes, so
 * nothing depends on when that happens.
 */
import { sha256 as portable } from "@noble/hashes/sha2.js";

/** An implementation. */
export interface Sha256 {
  /** Returns a fresh 32-byte array. */
  of(bytes: Uint8Array): Uint8Array;
  /** Writes the 32 bytes at a place, so that no array is made for them. */
  into(bytes: Uint8Array, target: Uint8Array, at: number): void;
}

const throughArrays = (of: Sha256["of"]): Sha256 => ({
  of,
  into: (bytes, target, at) => target.set(of(bytes), at),
});

let used: Sha256 = throughArrays(portable);

/** Always a fresh 32-byte array. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return used.of(bytes);
}

/** The same, written at a place: an array of its own takes seven times as much as a hash. */
export function sha256Into(bytes: Uint8Array, target: Uint8Array, at: number): void {
  used.into(bytes, target, at);
}

/** Hashes with this from now on. */
export function setSha256(given: Sha256): void {
  used = given;
}

/**
 * From when it resolves, hashing is as fast as WebAssembly gets. Rejects, and nothing changes, where there is
 * none.
 */
export async function accelerateSha256(): Promise<void> {
  const { createSHA256 } = await import("hash-wasm");
  const hasher = await createSHA256();
  setSha256(
    throughArrays((bytes) => {
      hasher.init();
      hasher.update(bytes);
      return hasher.digest("binary");
    }),
  );
}
