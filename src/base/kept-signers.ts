/** Returns the signature of a message by one key. */
type Signer = (message: Uint8Array) => Uint8Array;

/** Signs with data derived from a seed once, at its first signature. */
export function signingBy(
  signerOf: (seed: Uint8Array) => Signer,
): (message: Uint8Array, seed: Uint8Array) => Uint8Array {
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
