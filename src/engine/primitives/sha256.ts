/**
 * The engine's only SHA-256. It begins with a portable implementation, so that everything is there at once;
 * a composition root then swaps in a faster one: WebAssembly, or what its host has. All give the same bytes, so
 * nothing depends on when that happens.
 */
import { sha256 as portable } from "@noble/hashes/sha2.js";

/** Writes the 32 bytes at a place, so that no array has to be made for them. */
export type Sha256 = (bytes: Uint8Array, target: Uint8Array, at: number) => void;

let write: Sha256 = (bytes, target, at) => target.set(portable(bytes), at);

/** Always a fresh 32-byte array. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const hash = new Uint8Array(32);
  write(bytes, hash, 0);
  return hash;
}

/** The same, written at a place: an array of its own takes seven times as much as a hash. */
export function sha256Into(bytes: Uint8Array, target: Uint8Array, at: number): void {
  write(bytes, target, at);
}

/** Hashes with this from now on. */
export function setSha256(given: Sha256): void {
  write = given;
}

/**
 * From when it resolves, hashing is as fast as WebAssembly gets. Rejects, and nothing changes, where there is
 * none.
 */
export async function accelerateSha256(): Promise<void> {
  const { createSHA256 } = await import("hash-wasm");
  const hasher = await createSHA256();
  write = (bytes, target, at) => {
    hasher.init();
    hasher.update(bytes);
    target.set(hasher.digest("binary"), at);
  };
}
