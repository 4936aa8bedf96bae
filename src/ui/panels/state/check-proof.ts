/**
 * Checks proofs of keys in the page itself: only the hashed bytes come from the engine
 * (rules/store 2.5).
 */
import { sha256 } from "@noble/hashes/sha2.js";
import type { ExistenceProof, StoreProof } from "../../store/types.ts";

/** One hash on the path from a key up to the app hash. */
export interface ProofHash {
  /** The part of the proof that contains it, and true if it is its leaf. */
  readonly of: "tree" | "stores";
  readonly leaf: boolean;
  /** Number of keys, or of stores, below it. */
  readonly covers: number;
  /** The sibling of the hash below it; empty for a leaf. */
  readonly neighbour: string;
  /** Hashed bytes, part by part. */
  readonly parts: readonly HashPart[];
  /** Upper-case hex, like all hashes here. */
  readonly hash: string;
}

interface HashPart {
  readonly name: string;
  readonly hex: string;
}

/**
 * The hashes from a key up to the app hash, each computed from the previous one.
 * @param value replaces the proved one
 */
export function proofHashes(proof: StoreProof, value?: string): readonly ProofHash[] {
  const { tree, stores } = proof;
  if (tree === undefined || stores === undefined) return [];
  return hashesFrom({ ...tree, value: value ?? tree.value }, stores);
}

/** The hashes from a key up to the app hash. */
export function hashesFrom(tree: ExistenceProof, stores: ExistenceProof): readonly ProofHash[] {
  const below = climb("tree", tree);
  return [...below, ...hashesAbove({ ...stores, value: below.at(-1)?.hash ?? "" })];
}

/** The hashes from the root of a store up to the app hash. */
export const hashesAbove = (stores: ExistenceProof): readonly ProofHash[] =>
  climb("stores", stores);

function climb(of: ProofHash["of"], proof: ExistenceProof): ProofHash[] {
  const { key, value, leafPrefix, path } = proof;
  const leaf: readonly HashPart[] = [
    { name: of === "tree" ? "height 0, size 1, written" : "a leaf", hex: leafPrefix },
    { name: "length", hex: toHex(uvarint(key.length / 2)) },
    { name: of === "tree" ? "key" : "name", hex: key },
    { name: "length", hex: toHex(uvarint(32)) },
    { name: of === "tree" ? "hash of the value" : "hash of the root", hex: hashOf(value) },
  ];
  const hashes: ProofHash[] = [
    { of, leaf: true, covers: 1, neighbour: "", parts: leaf, hash: hashParts(leaf) },
  ];
  for (const { prefix, suffix, covers } of path) {
    const parts = [
      ...before(of, prefix),
      { name: "the hash below", hex: hashes.at(-1)?.hash ?? "" },
      ...after(suffix),
    ];
    const neighbour = parts.find(({ name }) => name === NEIGHBOUR)?.hex ?? "";
    hashes.push({ of, leaf: false, covers, neighbour, parts, hash: hashParts(parts) });
  }
  return hashes;
}

const NEIGHBOUR = "its neighbour";
/** Digits of a hash. */
const HASH = 64;

/** Returns the parts before the hash below: the node's prefix and the left neighbour, if any. */
function before(of: ProofHash["of"], hex: string): readonly HashPart[] {
  if (hex.length < HASH) return [{ name: BEGINS[of], hex }];
  // In a tree each hash is preceded by its length.
  const end = of === "tree" ? hex.length - 2 : hex.length;
  return [
    { name: BEGINS[of], hex: hex.slice(0, end - HASH) },
    { name: NEIGHBOUR, hex: hex.slice(end - HASH, end) },
    { name: "length", hex: hex.slice(end) },
  ].filter((part) => part.hex !== "");
}

const BEGINS = { tree: "height, size, version, length", stores: "a node" } as const;

/** Returns the parts after the hash below: the right neighbour, if there is one. */
const after = (hex: string): readonly HashPart[] =>
  [
    { name: "length", hex: hex.slice(0, -HASH) },
    { name: NEIGHBOUR, hex: hex.slice(-HASH) },
  ].filter((part) => part.hex !== "");

const hashParts = (parts: readonly HashPart[]): string =>
  hashOf(parts.map(({ hex }) => hex).join(""));

const hashOf = (hex: string): string => toHex(sha256(fromHex(hex)));

/** Seven bits per byte, least significant first. */
function uvarint(value: number): Uint8Array {
  const out: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest >>>= 7) out.push((rest & 0x7f) | 0x80);
  return Uint8Array.of(...out, rest);
}

export const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, i) =>
    Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16),
  );

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .toUpperCase();

/** The root of a tree without keys. */
export const EMPTY_ROOT: string = toHex(sha256(new Uint8Array()));
