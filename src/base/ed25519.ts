/**
 * Validators' consensus keys. Signing starts with a portable implementation; a composition root may
 * replace it with that of its host. Signatures are determined by key and message (RFC 8032), so all
 * implementations return the same bytes.
 */
import { hash20 } from "./address.ts";
import { toHex } from "./bytes.ts";
import { getPublicKey, sign as signWith, verify as verifyWith } from "./portable-ed25519.ts";

export interface KeyPair {
  /** The 32-byte seed of RFC 8032. */
  readonly secret: Uint8Array;
  readonly publicKey: Uint8Array;
}

/** An implementation, except for verification, in which hosts differ. */
export interface Ed25519 {
  publicKeysOf(seeds: readonly Uint8Array[]): readonly Uint8Array[];
  sign(message: Uint8Array, seed: Uint8Array): Uint8Array;
}

let used: Ed25519 = {
  publicKeysOf: (seeds) => seeds.map((seed) => getPublicKey(seed)),
  sign: signWith,
};

/** Sets the implementation for deriving keys and signing. */
export function setEd25519(implementation: Ed25519): void {
  used = implementation;
}

/**
 * Once it resolves, keys and signatures are computed by WebAssembly. Rejects, without any change,
 * if WebAssembly is not available.
 */
export async function accelerateEd25519(): Promise<void> {
  const { sodium } = await import("./sodium.ts");
  used = (await sodium).ed25519;
}

/** Last derived keys, by seed in hex: worlds with the same seed have the same keys. */
const derived = new Map<string, KeyPair>();
const MOST_DERIVED = 512;

/**
 * Derives keys from seeds of 32 bytes. Throws RangeError for other lengths, which implementations
 * treat differently.
 */
export function keysFromSeeds(seeds: readonly Uint8Array[]): KeyPair[] {
  const hex = seeds.map((seed) => toHex(checked(seed)));
  const unknown = new Map<string, Uint8Array>();
  for (const [i, seed] of seeds.entries()) {
    const name = hex[i] as string;
    if (!derived.has(name)) unknown.set(name, seed);
  }
  const publicKeys = used.publicKeysOf([...unknown.values()]).values();
  for (const [name, secret] of unknown) {
    derived.set(name, { secret, publicKey: publicKeys.next().value as Uint8Array });
  }
  const keys = hex.map((name) => derived.get(name) as KeyPair);
  if (derived.size > MOST_DERIVED) derived.clear();
  return keys;
}

export const keyFromSeed = (seed: Uint8Array): KeyPair => keysFromSeeds([seed])[0] as KeyPair;

/**
 * Signs with a seed of 32 bytes; throws RangeError for other lengths. The secret must not be
 * modified: data derived from it may be cached.
 */
export function sign(message: Uint8Array, secret: Uint8Array): Uint8Array {
  return used.sign(message, checked(secret));
}

function checked(seed: Uint8Array): Uint8Array {
  if (seed.length !== 32) throw new RangeError(`a seed of ${seed.length} bytes`);
  return seed;
}

/**
 * Verifies by the ZIP-215 rules, like CometBFT. Returns false for malformed keys and signatures.
 */
export function verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  if (signature.length !== 64 || publicKey.length !== 32) return false;
  return verifyWith(signature, message, publicKey);
}

/** A validator's consensus address (rules/consensus 3.6). */
export function addressOf(publicKey: Uint8Array): Uint8Array {
  return hash20(publicKey);
}
