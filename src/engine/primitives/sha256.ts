/**
 * The engine's only SHA-256. Hashing dominates a busy block, and WebAssembly is several times faster on short
 * inputs than JavaScript or WebCrypto (which is also asynchronous). Instantiating it is asynchronous once, at import.
 */
import { createSHA256 } from "hash-wasm";

const hasher = await createSHA256();

/** Always a fresh 32-byte array. */
export function sha256(bytes: Uint8Array): Uint8Array {
  hasher.init();
  hasher.update(bytes);
  return hasher.digest("binary");
}
