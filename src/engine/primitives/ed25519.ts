/**
 * Validators' consensus keys. Signing begins with a portable implementation; a composition root may swap in what its
 * host has. Signatures follow from key and message (RFC 8032), so all give the same bytes.
 */
import { etc, hashes, Point, utils, verify as verifyWith } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { hash20 } from "./address.ts";
import { concat } from "./bytes.ts";

// The library leaves the hash to its user; without it only asynchronous calls work.
hashes.sha512 = sha512;

export interface KeyPair {
  /** The 32-byte seed of RFC 8032. */
  readonly secret: Uint8Array;
  readonly publicKey: Uint8Array;
}

/** Returns the signature of a message by one key. */
type Signer = (message: Uint8Array) => Uint8Array;

/** An implementation, but for verifying, in which hosts differ. */
export interface Ed25519 {
  publicKeyOf(seed: Uint8Array): Uint8Array;
  /** Returns what signs with a key, for which all is worked out that only depends on the key. */
  signerOf(seed: Uint8Array): Signer;
}

const PORTABLE: Ed25519 = {
  publicKeyOf: (seed) => utils.getExtendedPublicKey(seed).pointBytes,
  /** RFC 8032 5.1.6 out of the library's parts: its own `sign` works the public key out each time. */
  signerOf(seed) {
    const { prefix, scalar, pointBytes } = utils.getExtendedPublicKey(seed);
    return (message) => {
      const r = scalarOf(sha512(concat(prefix, message)));
      const commitment = Point.BASE.multiply(r, false).toBytes();
      const k = scalarOf(sha512(concat(commitment, pointBytes, message)));
      return concat(commitment, littleEndian(etc.mod(r + k * scalar, Point.CURVE().n)));
    };
  },
};

let used: Ed25519 = PORTABLE;
/** Of the keys that have signed. */
let signers = new WeakMap<Uint8Array, Signer>();

/** Derives keys and signs with this from now on. */
export function setEd25519(given: Ed25519): void {
  used = given;
  signers = new WeakMap();
}

/** The seed is 32 bytes. */
export function keyFromSeed(seed: Uint8Array): KeyPair {
  return { secret: seed, publicKey: used.publicKeyOf(seed) };
}

/** The secret stays the key of what is worked out of it: it may not change. */
export function sign(message: Uint8Array, secret: Uint8Array): Uint8Array {
  let signer = signers.get(secret);
  if (signer === undefined) {
    signer = used.signerOf(secret);
    signers.set(secret, signer);
  }
  return signer(message);
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

const scalarOf = (hash: Uint8Array): bigint => {
  const digits = etc.bytesToHex(hash.toReversed());
  return etc.mod(BigInt(`0x${digits}`), Point.CURVE().n);
};

const littleEndian = (scalar: bigint): Uint8Array =>
  etc.hexToBytes(scalar.toString(16).padStart(64, "0")).reverse();
