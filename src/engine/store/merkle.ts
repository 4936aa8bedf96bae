/**
 * The simple Merkle tree of RFC 6962, used by CometBFT for headers and by the SDK for the
 * multistore (rules/consensus 3.2).
 */
import { EMPTY } from "../../base/bytes.ts";
import { sha256, sha256Into } from "../../base/sha256.ts";

// Leaves and inner nodes are hashed with different prefixes, so that they cannot be confused.
const LEAF = 0;
const INNER = 1;

/** Most leaves are hashes. */
const hashInput = new Uint8Array(33);
const innerInput = new Uint8Array(65);
innerInput[0] = INNER;

function leafInput(leaf: Uint8Array): Uint8Array {
  const input = leaf.length === 32 ? hashInput : new Uint8Array(leaf.length + 1);
  input[0] = LEAF;
  input.set(leaf, 1);
  return input;
}

export const leafHash = (leaf: Uint8Array): Uint8Array => sha256(leafInput(leaf));

export function innerHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  innerInput.set(left, 1);
  innerInput.set(right, 33);
  return sha256(innerInput);
}

export function merkleRoot(leaves: readonly Uint8Array[]): Uint8Array {
  const level = new Uint8Array(32 * leaves.length);
  leaves.forEach((leaf, i) => {
    sha256Into(leafInput(leaf), leaf.length + 1, level, 32 * i);
  });
  return rootOfLevel(level);
}

/** Root over known leaf hashes. */
export function merkleRootOfHashes(hashes: readonly Uint8Array[]): Uint8Array {
  const level = new Uint8Array(32 * hashes.length);
  hashes.forEach((hash, i) => {
    level.set(hash, 32 * i);
  });
  return rootOfLevel(level);
}

/**
 * Root over concatenated hashes; each level is written in place. Pairing neighbours level by level,
 * with an odd last one moved up unchanged, gives the same tree as splitting at the largest power of
 * two.
 */
function rootOfLevel(level: Uint8Array): Uint8Array {
  if (level.length === 0) return sha256(EMPTY);
  for (let width = level.length / 32; width > 1; width = (width + 1) >> 1) {
    for (let i = 0; i < width; i += 2) {
      const from = 32 * i;
      if (i + 1 === width) level.copyWithin(from / 2, from, from + 32);
      else {
        for (let at = 0; at < 64; at++) innerInput[1 + at] = level[from + at] as number;
        sha256Into(innerInput, innerInput.length, level, from / 2);
      }
    }
  }
  return level.slice(0, 32);
}
