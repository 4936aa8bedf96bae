/** Validators' consensus keys. */
import { getPublicKey, hashes, sign as signWith, verify as verifyWith } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { hash20 } from "./address.ts";

// The library leaves the hash to its user; without it only asynchronous calls work.
hashes.sha512 = sha512;

export interface KeyPair {
  /** The 32-byte seed of RFC 8032. */
  readonly secret: Uint8Array;
  readonly publicKey: Uint8Array;
}

/** The seed is 32 bytes. */
export function keyFromSeed(seed: Uint8Array): KeyPair {
  return { secret: seed, publicKey: publicKeyOf(seed) };
}

function publicKeyOf(secret: Uint8Array): Uint8Array {
  return getPublicKey(secret);
}

export function sign(message: Uint8Array, secret: Uint8Array): Uint8Array {
  return signWith(message, secret);
}

/** By the ZIP-215 rules, as CometBFT verifies. Malformed keys and signatures are simply not valid. */
export function verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  if (signature.length !== 64 || publicKey.length !== 32) return false;
  return verifyWith(signature, message, publicKey);
}

/** A validator's consensus address (rules/consensus 3.6). */
export function addressOf(publicKey: Uint8Array): Uint8Array {
  return hash20(publicKey);
}
