import { getPublicKey, sign as signWith } from "@noble/ed25519";
import fc from "fast-check";
import { expect, test } from "vitest";
import { toHex, utf8 } from "./bytes.ts";
import {
  accelerateEd25519,
  addressOf,
  keyFromSeed,
  keysFromSeeds,
  setEd25519,
  sign,
  verify,
} from "./ed25519.ts";
import { fromHex } from "./from-hex.ts";
import { propertyRuns } from "./property.testing.ts";
import { sha256 } from "./sha256.ts";

test("RFC 8032 §7.1, test 2", () => {
  const key = keyFromSeed(
    fromHex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"),
  );
  expect(toHex(key.publicKey)).toBe(
    "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
  );
  const message = Uint8Array.of(0x72);
  const signature = sign(message, key.secret);
  expect(toHex(signature)).toBe(
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
  );
  expect(verify(signature, message, key.publicKey)).toBe(true);
});

test("signatures of WebAssembly are the portable ones, also of what does not fit into its input", async () => {
  await accelerateEd25519();
  const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const long = fc.constantFrom(65_536, 65_537).map((length) => new Uint8Array(length).fill(7));
  const drawn = fc.array(fc.oneof({ weight: 9, arbitrary: fc.uint8Array() }, long), {
    maxLength: 3,
  });
  fc.assert(
    fc.property(seeds, drawn, (seed, messages) => {
      for (const message of messages)
        expect(toHex(sign(message, seed))).toBe(toHex(signWith(message, seed)));
    }),
    { numRuns: propertyRuns(50) },
  );
});

test("keys of WebAssembly are the portable ones, in the order of their seeds", async () => {
  await accelerateEd25519();
  const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(fc.array(seeds, { maxLength: 5 }), (drawn) => {
      expect(keysFromSeeds(drawn)).toEqual(
        drawn.map((secret) => ({ secret, publicKey: getPublicKey(secret) })),
      );
    }),
    { numRuns: propertyRuns(50) },
  );
});

test("seeds that are equal are one key, which is derived once", () => {
  let derived = 0;
  const publicKeysOf = (seeds: readonly Uint8Array[]) => {
    derived += seeds.length;
    return seeds.map((seed) => getPublicKey(seed));
  };
  setEd25519({ publicKeysOf, sign: signWith });
  const seed = sha256(utf8("once"));
  const [first, second] = keysFromSeeds([seed, seed.slice()]);
  expect(derived).toBe(1);
  expect(second).toBe(first);
});

test("a seed of another length than 32 bytes is refused by every implementation", async () => {
  for (const prepare of [async () => {}, accelerateEd25519]) {
    await prepare();
    for (const length of [0, 31, 33]) {
      const seed = new Uint8Array(length);
      expect(() => keyFromSeed(seed)).toThrow(new RangeError(`a seed of ${length} bytes`));
      expect(() => sign(utf8("m"), seed)).toThrow(new RangeError(`a seed of ${length} bytes`));
    }
  }
});

test("more keys than are remembered are all derived", () => {
  const seeds = Array.from({ length: 600 }, (_, i) => sha256(utf8(`seed ${i}`)));
  const keys = keysFromSeeds(seeds);
  expect(keys.map(({ secret }) => secret)).toEqual(seeds);
  expect(new Set(keys.map(({ publicKey }) => toHex(publicKey))).size).toBe(600);
});

test("a changed message, signature or key is not valid, nor is a malformed one", () => {
  const key = keyFromSeed(sha256(utf8("a")));
  const other = keyFromSeed(sha256(utf8("b")));
  const signature = sign(utf8("m"), key.secret);
  expect(verify(signature, utf8("n"), key.publicKey)).toBe(false);
  expect(verify(signature, utf8("m"), other.publicKey)).toBe(false);
  expect(verify(signature.with(0, (signature[0] as number) ^ 1), utf8("m"), key.publicKey)).toBe(
    false,
  );
  expect(verify(signature.slice(1), utf8("m"), key.publicKey)).toBe(false);
  expect(verify(signature, utf8("m"), key.publicKey.slice(1))).toBe(false);
  expect(verify(new Uint8Array(64).fill(255), utf8("m"), new Uint8Array(32).fill(255))).toBe(false);
});

test("a consensus address is the first 20 bytes of the key's SHA-256", () => {
  const { publicKey } = keyFromSeed(sha256(utf8("a")));
  expect(addressOf(publicKey)).toEqual(sha256(publicKey).slice(0, 20));
});
