/** Many keys at once, and signing with keys that are expanded once: the library's own `sign` works the public key out each time. */
import { etc, Point, utils } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { concat } from "./bytes.ts";

const { n: ORDER, p: FIELD } = Point.CURVE();

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

/** RFC 8032 5.1.5. */
export function publicKeysOf(seeds: readonly Uint8Array[]): Uint8Array[] {
  const points = seeds.map((seed) => Point.BASE.multiply(scalarOf(clamped(sha512(seed)))));
  const inverses = inversesOf(points.map(({ Z }) => Z));
  return points.map(({ X, Y }, i) => {
    const inverse = inverses[i] as bigint;
    return Point.fromAffine({ x: etc.mod(X * inverse), y: etc.mod(Y * inverse) }).toBytes();
  });
}

/** All numbers inverted by one inversion, which takes as long as a hundred products. */
function inversesOf(numbers: readonly bigint[]): bigint[] {
  const products = [1n];
  for (const [i, number] of numbers.entries())
    products.push(etc.mod((products[i] as bigint) * number));
  let inverse = etc.invert(products.at(-1) as bigint, FIELD);
  return numbers
    .toReversed()
    .map((number, i) => {
      const own = etc.mod(inverse * (products[numbers.length - 1 - i] as bigint));
      inverse = etc.mod(inverse * number);
      return own;
    })
    .reverse();
}

function clamped(hash: Uint8Array): Uint8Array {
  const head = hash.slice(0, 32);
  head[0] = (head[0] as number) & 0xf8;
  head[31] = ((head[31] as number) & 0x7f) | 0x40;
  return head;
}

const scalarOf = (hash: Uint8Array): bigint =>
  etc.mod(BigInt(`0x${etc.bytesToHex(hash.toReversed())}`), ORDER);

const littleEndian = (scalar: bigint): Uint8Array =>
  etc.hexToBytes(scalar.toString(16).padStart(64, "0")).reverse();
