/**
 * Hashing and signing with Node's own functions: the engine's default implementations run anywhere.
 */
import { createPrivateKey, hash, type KeyObject, sign } from "node:crypto";
import { type Ed25519, setEd25519 } from "../base/ed25519.ts";
import { signingBy } from "../base/kept-signers.ts";
import { type Sha256, setSha256, writeHash } from "../base/sha256.ts";

/** Makes the engine use these functions from now on. */
export function setNodeCrypto(): void {
  setSha256(SHA256);
  setEd25519(ED25519);
}

/** As text first: arrays from Node are slow. */
const SHA256: Sha256 = {
  bytes(input) {
    const target = new Uint8Array(32);
    SHA256.into(input, input.length, target, 0);
    return target;
  },
  into(input, length, target, at) {
    const hashed = length === input.length ? input : input.subarray(0, length);
    writeHash(SHA256.text(hashed), target, at);
  },
  text: (input) => hash("sha256", input, "binary"),
};

const ED25519: Ed25519 = {
  publicKeysOf: (seeds) =>
    seeds.map((seed) => {
      const { x = "" } = keyOf(seed).export({ format: "jwk" });
      return new Uint8Array(Buffer.from(x, "base64url"));
    }),
  sign: signingBy((seed) => {
    const key = keyOf(seed);
    return (message) => new Uint8Array(sign(null, message, key));
  }),
};

/**
 * The public half follows from the seed, and may be omitted. Node needs ten times as long to read
 * other formats.
 */
const keyOf = (seed: Uint8Array): KeyObject =>
  createPrivateKey({
    format: "jwk",
    key: { kty: "OKP", crv: "Ed25519", d: Buffer.from(seed).toString("base64url"), x: "" },
  });
