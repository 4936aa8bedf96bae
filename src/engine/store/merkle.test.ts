import fc from "fast-check";
import { expect, test } from "vitest";
import { concat, toHex, utf8 } from "../../base/bytes.ts";
import { sha256 } from "../../base/sha256.ts";
import { mapLeaf } from "./committed-state.ts";
import { innerHash, leafHash, merkleRoot } from "./merkle.ts";

test("the root of nothing is the hash of no bytes", () => {
  expect(toHex(merkleRoot([]))).toBe(
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  );
});

test("leaves and inner nodes are hashed under the prefixes 0 and 1 of RFC 6962", () => {
  const leaf = utf8("leaf");
  expect(leafHash(leaf)).toEqual(sha256(concat(Uint8Array.of(0), leaf)));
  const [a, b] = [leafHash(utf8("a")), leafHash(utf8("b"))];
  expect(innerHash(a, b)).toEqual(sha256(concat(Uint8Array.of(1), a, b)));
});

/**
 * The definition in RFC 6962 §2.1: split at the largest power of two below the number of leaves.
 */
function byDefinition(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 1) return leafHash(leaves[0] as Uint8Array);
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return innerHash(byDefinition(leaves.slice(0, split)), byDefinition(leaves.slice(split)));
}

test("any number of leaves gives the root of RFC 6962's definition", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array(), { minLength: 1, maxLength: 40 }), (leaves) => {
      expect(merkleRoot(leaves)).toEqual(byDefinition(leaves));
    }),
  );
});

test("the SDK's simple Merkle maps (store/internal/maps)", () => {
  const root = (map: Record<string, string>) =>
    toHex(merkleRoot(Object.entries(map).map(([k, v]) => mapLeaf(utf8(k), utf8(v)))));
  expect(root({ key1: "value1" })).toBe(
    "a44d3cc7daba1a4600b00a2434b30f8b970652169810d6dfa9fb1793a2189324",
  );
  expect(root({ key1: "value2" })).toBe(
    "0638e99b3445caec9d95c05e1a3fc1487b4ddec6a952ff337080360b0dcc078c",
  );
  expect(root({ key1: "value1", key2: "value2" })).toBe(
    "8fd19b19e7bb3f2b3ee0574027d8a5a4cec370464ea2db2fbfa5c7d35bb0cff3",
  );
  expect(root({ key1: "value1", key2: "value2", key3: "value3" })).toBe(
    "1dd674ec6782a0d586a903c9c63326a41cbe56b3bba33ed6ff5b527af6efb3dc",
  );
});
