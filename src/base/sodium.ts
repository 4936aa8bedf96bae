/**
 * SHA-256, keys and signatures by libsodium's WebAssembly. Calls its raw functions: the official
 * wrapper copies each argument once more, and for a short hash the call is most of the cost.
 */
import { sha256 as portableSha256 } from "@noble/hashes/sha2.js";
import load, { type Sodium } from "libsodium-sumo";
import { signingBy } from "./kept-signers.ts";
import { sign as portableSign } from "./portable-ed25519.ts";

/**
 * Maximum input in bytes; longer ones use the portable implementations, so that the memory here
 * stays small.
 */
const LONGEST_INPUT = 65_536;

/** Rejects if WebAssembly is not available. */
export const sodium = load().then((loaded) => {
  const memory = memoryOf(loaded);
  return { sha256: hashingBy(loaded, memory), ed25519: keysBy(loaded, memory) };
});

type Memory = ReturnType<typeof memoryOf>;

/**
 * Allocated once and never freed: each call writes its arguments to this memory, and reads its
 * result from it.
 */
function memoryOf(loaded: Sodium) {
  const result = loaded._malloc(64);
  return {
    input: loaded._malloc(LONGEST_INPUT),
    result,
    secretKey: loaded._malloc(64),
    resultOf: (length: number): Uint8Array => loaded.HEAPU8.slice(result, result + length),
  };
}

function hashingBy(loaded: Sodium, { input, result, resultOf }: Memory) {
  const codes: number[] = Array(32).fill(0);
  const hash = (bytes: Uint8Array): void => {
    loaded.HEAPU8.set(bytes, input);
    loaded._crypto_hash_sha256(result, input, bytes.length, 0);
  };
  return {
    bytes(bytes: Uint8Array): Uint8Array {
      if (bytes.length > LONGEST_INPUT) return portableSha256(bytes);
      hash(bytes);
      return resultOf(32);
    },
    into(bytes: Uint8Array, length: number, target: Uint8Array, at: number): void {
      if (length > LONGEST_INPUT) {
        target.set(portableSha256(bytes.subarray(0, length)), at);
        return;
      }
      // Byte by byte: copying a part with `set` would allocate a view.
      const heap = loaded.HEAPU8;
      for (let i = 0; i < length; i++) heap[input + i] = bytes[i] as number;
      loaded._crypto_hash_sha256(result, input, length, 0);
      for (let i = 0; i < 32; i++) target[at + i] = heap[result + i] as number;
    },
    text(bytes: Uint8Array): string {
      if (bytes.length > LONGEST_INPUT) return String.fromCharCode(...portableSha256(bytes));
      hash(bytes);
      const heap = loaded.HEAPU8;
      // Engines create text from a plain array in half the time.
      for (let i = 0; i < 32; i++) codes[i] = heap[result + i] as number;
      return String.fromCharCode(...codes);
    },
  };
}

function keysBy(loaded: Sodium, { input, result, secretKey, resultOf }: Memory) {
  /**
   * Writes the public key to the result, and the secret key, which contains it, to its own buffer.
   */
  const derive = (seed: Uint8Array): void => {
    loaded.HEAPU8.set(seed, input);
    loaded._crypto_sign_seed_keypair(result, secretKey, input);
  };
  return {
    publicKeysOf: (seeds: readonly Uint8Array[]): Uint8Array[] =>
      seeds.map((seed) => {
        derive(seed);
        return resultOf(32);
      }),
    sign: signingBy((seed) => {
      derive(seed);
      const secret = loaded.HEAPU8.slice(secretKey, secretKey + 64);
      return (message) => {
        if (message.length > LONGEST_INPUT) return portableSign(message, seed);
        const heap = loaded.HEAPU8;
        heap.set(message, input);
        heap.set(secret, secretKey);
        loaded._crypto_sign_detached(result, 0, input, message.length, 0, secretKey);
        return resultOf(64);
      };
    }),
  };
}
