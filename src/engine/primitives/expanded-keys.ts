/** Signing with keys that are expanded once: the library's own `sign` works the public key out each time. */
import { etc, Point, utils } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { concat } from "./bytes.ts";

const { n: ORDER } = Point.CURVE();

/** Returns the signature of a message by one key. */
type Signer = (message: Uint8Array) => Uint8Array;

type Sign = (message: Uint8Array, seed: Uint8Array) => Uint8Array;

/** Signs with what is worked out of a key once, at its first signature. */
export function signingBy(signerOf: (seed: Uint8Array) => Signer): Sign {
  const signers = new WeakMap<Uint8Array, Signer>();
  return (message, seed) => {
    let signer = signers.get(seed);
    if (signer === undefined) {
      signer = signerOf(seed);
      signers.set(seed, signer);
    }
    return signer(message);
  };
}

/** RFC 8032 5.1.6 out of the library's parts. */
export const sign: Sign = signingBy((seed) => {
  const { prefix, scalar, pointBytes } = utils.getExtendedPublicKey(seed);
  return (message) => {
    const r = scalarOf(sha512(concat(prefix, message)));
    const commitment = Point.BASE.multiply(r, false).toBytes();
    const k = scalarOf(sha512(concat(commitment, pointBytes, message)));
    return concat(commitment, littleEndian(etc.mod(r + k * scalar, ORDER)));
  };
});

const scalarOf = (hash: Uint8Array): bigint =>
  etc.mod(BigInt(`0x${etc.bytesToHex(hash.toReversed())}`), ORDER);

const littleEndian = (scalar: bigint): Uint8Array =>
  etc.hexToBytes(scalar.toString(16).padStart(64, "0")).reverse();
