import fc from "fast-check";
import { expect, test } from "vitest";
import { keyFromSeed, sign } from "../base/ed25519.ts";
import { sha256, sha256Into, sha256Text, writeHash } from "../base/sha256.ts";
import { setNodeCrypto } from "./node-crypto.ts";

const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });
const drawn = fc.sample(fc.tuple(fc.uint8Array({ maxLength: 300 }), seeds), 100);

const made = (bytes: Uint8Array, seed: Uint8Array) => {
  const { publicKey, secret } = keyFromSeed(seed);
  return { hash: sha256(bytes), publicKey, signature: sign(bytes, secret) };
};

test("Node's own hashes, keys and signatures are those of the implementation that runs anywhere", () => {
  const anywhere = drawn.map(([bytes, seed]) => made(bytes, seed));
  setNodeCrypto();
  expect(drawn.map(([bytes, seed]) => made(bytes, seed))).toEqual(anywhere);
});

test("a hash that is text has a character for each byte, and is written at its place and no other", () => {
  const hash = sha256(Uint8Array.of(1, 2, 3));
  for (const prepare of [() => {}, setNodeCrypto]) {
    prepare();
    const text = sha256Text(Uint8Array.of(1, 2, 3));
    expect(text).toHaveLength(32);
    const target = new Uint8Array(40).fill(7);
    writeHash(text, target, 4);
    expect(target.slice(4, 36)).toEqual(hash);
    expect([...target.slice(0, 4), ...target.slice(36)]).toEqual(new Array(8).fill(7));
  }
});

test("the first bytes of an array are hashed in place, and nothing else of it changes", () => {
  for (const prepare of [() => {}, setNodeCrypto]) {
    prepare();
    for (const length of [3, 40]) {
      const bytes = new Uint8Array(40).fill(7);
      const expected = bytes.slice();
      expected.set(sha256(bytes.slice(0, length)), 4);
      sha256Into(bytes, length, bytes, 4);
      expect(bytes).toEqual(expected);
    }
  }
});
