/**
 * The engine's only SHA-256. It begins with a portable implementation, so that everything is there at once;
 * a composition root then swaps in WebAssembly, which is several times faster on short inputs than
 * JavaScript or WebCrypto. Both give the same bytes, so nothing depends on when that happens.
 */
import { sha256 as portable } from "@noble/hashes/sha2.js";

let hash: (bytes: Uint8Array) => Uint8Array = portable;

/** Always a fresh 32-byte array. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return hash(bytes);
}

/**
 * From when it resolves, hashing is as fast as it gets. Rejects, and nothing changes, where there is no
 * WebAssembly.
 */
export async function accelerateSha256(): Promise<void> {
  const { createSHA256 } = await import("hash-wasm");
  const hasher = await createSHA256();
  hash = (bytes) => {
    hasher.init();
    hasher.update(bytes);
    return hasher.digest("binary");
  };
}
