/**
 * Proofs that a key has a value, or is not there, as ICS-23 has them (rules/store 2.5, 2.6): one in the tree of a
 * store, one of that tree's root under the app hash. Both are checked alike.
 */
import { compare, concat, EMPTY, equal, utf8 } from "../primitives/bytes.ts";
import { writeVarint } from "../primitives/varint.ts";
import type { CommittedState } from "./committed-state.ts";
import { innerHash } from "./merkle.ts";
import { heightOf, type Leaf, rootHash, type TreeNode } from "./node.ts";
import { Range } from "./range.ts";

/** A leaf's hash is that of prefix, length of the key, key, 32, hash of the value. */
export interface ExistenceProof {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly leafPrefix: Uint8Array;
  readonly leafHash: Uint8Array;
  /** From the leaf up to the root. */
  readonly path: readonly ProofStep[];
}

/** The hash of a node is that of prefix, the hash below it, and suffix. */
interface ProofStep {
  readonly prefix: Uint8Array;
  readonly suffix: Uint8Array;
  readonly hash: Uint8Array;
  /** Number of leaves below it. */
  readonly covers: number;
}

/** The keys beside the place where a key would be, both with their values: nothing can be between them. */
export interface NonExistenceProof {
  readonly key: Uint8Array;
  /** Undefined if no key is smaller; so are both in an empty tree. */
  readonly left: ExistenceProof | undefined;
  /** Undefined if no key is greater. */
  readonly right: ExistenceProof | undefined;
}

/** Proves that a key has its value in the tree of a store, or is not there. */
export const prove = (
  root: TreeNode | undefined,
  key: Uint8Array,
): ExistenceProof | NonExistenceProof => proveKey(root, key) ?? absenceOf(root, key);

/** Of a key that is not there. */
function absenceOf(root: TreeNode | undefined, key: Uint8Array): NonExistenceProof {
  const left = firstOf(new Range(root, undefined, key, true));
  const right = firstOf(new Range(root, key, undefined, false));
  return { key, left: left && proveKey(root, left.key), right: right && proveKey(root, right.key) };
}

const firstOf = (leaves: Range): Leaf | undefined => leaves[Symbol.iterator]().next().value;

/** Proves a key in the tree of a store; undefined if it is not there. */
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

/** The length that stands before each hash in a node of a tree. */
const LENGTH = Uint8Array.of(32);

/** Proves the root of a store under the app hash. Throws for a store that the state does not have. */
export function proveStore(state: CommittedState, name: string): ExistenceProof {
  const { leafHash } = state.store(name);
  const hashes = state.storeNames.map((each) => state.store(each).leafHash);
  const path = merklePath(hashes, state.storeNames.indexOf(name));
  return { key: utf8(name), value: state.root(name), leafPrefix: LEAF, leafHash, path };
}

// Prefixes of the simple Merkle tree for a leaf, and for an inner node's hashes.
const LEAF = Uint8Array.of(0);
const INNER = Uint8Array.of(1);

/** The nodes above the leaf at a place, in the tree that `merkleRootOfHashes` makes. */
function merklePath(hashes: readonly Uint8Array[], place: number): readonly ProofStep[] {
  const path: ProofStep[] = [];
  let level = hashes.map((hash) => ({ hash, covers: 1 }));
  for (let at = place; level.length > 1; at >>= 1) {
    level = level.flatMap((left, i) => {
      const right = level[i + 1];
      if (i % 2 > 0) return [];
      // An odd last one is passed up as it is.
      if (right === undefined) return [left];
      const node = { hash: innerHash(left.hash, right.hash), covers: left.covers + right.covers };
      if (at === i) path.push({ prefix: INNER, suffix: right.hash, ...node });
      if (at === i + 1) path.push({ prefix: concat(INNER, left.hash), suffix: EMPTY, ...node });
      return [node];
    });
  }
  return path;
}
