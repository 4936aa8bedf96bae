/**
 * ICS-23 proofs that a key has a value, or does not exist (rules/store 2.5, 2.6): one in the tree
 * of a store, and one of that tree's root under the app hash. Both are verified the same way.
 */
import { compare, concat, EMPTY, equal, utf8 } from "../../base/bytes.ts";
import { writeVarint } from "../../base/varint.ts";
import type { CommittedState } from "./committed-state.ts";
import { innerHash } from "./merkle.ts";
import { heightOf, type Leaf, rootHash, type TreeNode } from "./node.ts";
import { Range } from "./range.ts";

/** The hash of a leaf is the hash of prefix, length of the key, key, 32, hash of the value. */
export interface ExistenceProof {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly leafPrefix: Uint8Array;
  readonly leafHash: Uint8Array;
  /** Path from the leaf to the root. */
  readonly path: readonly ProofStep[];
}

/** The hash of a node is the hash of prefix, the child's hash, and suffix. */
interface ProofStep {
  readonly prefix: Uint8Array;
  readonly suffix: Uint8Array;
  readonly hash: Uint8Array;
  /** Number of leaves below it. */
  readonly covers: number;
}

/** Existence proofs of the two neighbours of a missing key: no key can be between them. */
export interface NonExistenceProof {
  readonly key: Uint8Array;
  /** Undefined if no key is smaller; in an empty tree both are undefined. */
  readonly left: ExistenceProof | undefined;
  /** Undefined if no key is greater. */
  readonly right: ExistenceProof | undefined;
}

/** Proves that a key has its value in the tree of a store, or does not exist. */
export const prove = (
  root: TreeNode | undefined,
  key: Uint8Array,
): ExistenceProof | NonExistenceProof => proveKey(root, key) ?? absenceOf(root, key);

/** Proves that a key does not exist. */
function absenceOf(root: TreeNode | undefined, key: Uint8Array): NonExistenceProof {
  const left = firstOf(new Range(root, undefined, key, true));
  const right = firstOf(new Range(root, key, undefined, false));
  return { key, left: left && proveKey(root, left.key), right: right && proveKey(root, right.key) };
}

const firstOf = (leaves: Range): Leaf | undefined => leaves[Symbol.iterator]().next().value;

/** Proves a key in the tree of a store; undefined if it does not exist. */
export function proveKey(root: TreeNode | undefined, key: Uint8Array): ExistenceProof | undefined {
  let node = root;
  if (node === undefined) return undefined;
  const path: ProofStep[] = [];
  while (node.left !== undefined) {
    const hash = rootHash(node);
    const goesLeft: boolean = compare(key, node.key) < 0;
    const beside = rootHash(goesLeft ? node.right : node.left);
    const head = concat(headOf(node), LENGTH);
    path.push({
      prefix: goesLeft ? head : concat(head, beside, LENGTH),
      suffix: goesLeft ? concat(LENGTH, beside) : EMPTY,
      hash,
      covers: node.size,
    });
    node = goesLeft ? node.left : node.right;
  }
  if (!equal(node.key, key)) return undefined;
  const { value } = node;
  return { key, value, leafPrefix: headOf(node), leafHash: rootHash(node), path: path.reverse() };
}

/** Returns the first bytes of a tree's node: its height, size and version. */
function headOf(node: TreeNode): Uint8Array {
  const { size, version } = node;
  const head = new Uint8Array(30);
  const at = writeVarint(
    head,
    writeVarint(head, writeVarint(head, 0, heightOf(node)), size),
    version,
  );
  return head.slice(0, at);
}

/** Length prefix of each hash in a node of a tree. */
const LENGTH = Uint8Array.of(32);

/** Proves the root of a store under the app hash. Throws if the state has no such store. */
export function proveStore(state: CommittedState, name: string): ExistenceProof {
  const { leafHash } = state.store(name);
  const hashes = state.storeNames.map((each) => state.store(each).leafHash);
  const path = merklePath(hashes, state.storeNames.indexOf(name));
  return { key: utf8(name), value: state.root(name), leafPrefix: LEAF, leafHash, path };
}

// Prefixes of the simple Merkle tree for a leaf, and for an inner node's hashes.
const LEAF = Uint8Array.of(0);
const INNER = Uint8Array.of(1);

/** Nodes above the leaf at an index, in the tree of `merkleRootOfHashes`. */
function merklePath(hashes: readonly Uint8Array[], place: number): readonly ProofStep[] {
  const path: ProofStep[] = [];
  let level = hashes.map((hash) => ({ hash, covers: 1 }));
  for (let at = place; level.length > 1; at >>= 1) {
    level = level.flatMap((left, i) => {
      const right = level[i + 1];
      if (i % 2 > 0) return [];
      // An odd last one is moved up unchanged.
      if (right === undefined) return [left];
      const node = { hash: innerHash(left.hash, right.hash), covers: left.covers + right.covers };
      if (at === i) path.push({ prefix: INNER, suffix: right.hash, ...node });
      if (at === i + 1) path.push({ prefix: concat(INNER, left.hash), suffix: EMPTY, ...node });
      return [node];
    });
  }
  return path;
}
