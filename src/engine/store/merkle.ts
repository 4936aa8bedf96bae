/**
 * The simple Merkle tree of RFC 6962, as CometBFT uses it for headers and the SDK for the multistore
 * (rules/consensus 3.2).
 */
import { EMPTY } from "../primitives/bytes.ts";
import { sha256 } from "../primitives/sha256.ts";

// Leaves and inner nodes are hashed under different first bytes, so that neither can be taken for the other.
const LEAF = 0;
const INNER = 1;

/** Most leaves are hashes. */
const hashInput = new Uint8Array(33);
const innerInput = new Uint8Array(65);
innerInput[0] = INNER;

export function leafHash(leaf: Uint8Array): Uint8Array {
  const input = leaf.length === 32 ? hashInput : new Uint8Array(leaf.length + 1);
  input[0] = LEAF;
  input.set(leaf, 1);
  return sha256(input);
}

export function innerHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  innerInput.set(left, 1);
  innerInput.set(right, 33);
  return sha256(innerInput);
}

export function merkleRoot(leaves: readonly Uint8Array[]): Uint8Array {
  return merkleRootOfHashes(leaves.map(leafHash));
}

/**
 * The root over leaf hashes already known. Pairing neighbours level by level, with an odd last one passed up
 * as it is, gives the same tree as splitting at the largest power of two.
 */
export function merkleRootOfHashes(hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length === 0) return sha256(EMPTY);
  const level = hashes.slice();
  for (let width = level.length; width > 1; width = (width + 1) >> 1) {
    for (let i = 0; i < width; i += 2) {
      const left = level[i] as Uint8Array;
      level[i >> 1] = i + 1 < width ? innerHash(left, level[i + 1] as Uint8Array) : left;
    }
  }
  return level[0] as Uint8Array;
}
