/**
 * Nodes of the store's tree: an immutable AVL+ tree with the node format and hashes of IAVL v1
 * (rules/store 1.1). Every change makes new nodes along one path and shares the rest, so an old root is a
 * whole old version.
 */
import { compare, EMPTY, equal } from "../primitives/bytes.ts";
import { sha256, sha256Into } from "../primitives/sha256.ts";
import { uvarintSize, writeUvarint, writeVarint } from "../primitives/varint.ts";

/** How a value is written to and read from bytes. */
export interface Codec<T> {
  /**
   * Whether encoding may wait until the bytes are needed, at the latest the hash at the end of the block: of
   * what a block writes many times, such as a pool's balance, only the last is ever encoded. Only for codecs
   * that cannot fail, since a failure would come after the transaction that caused it.
   */
  readonly late?: boolean;
  /** Whether the bytes follow from the value alone. Those with addresses also follow from the prefix that is set. */
  readonly steady?: boolean;
  encode(value: T): Uint8Array;
  decode(bytes: Uint8Array): T;
}

/** A key with its value. Neither the bytes nor what `read` returns may be changed. */
export interface Entry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  /** Height of the block that wrote it. */
  readonly version: number;
  read<T>(codec: Codec<T>): T;
}

export type TreeNode = Leaf | Inner;

export class Leaf implements Entry {
  /** Never set: distinguishes a leaf from an inner node. */
  declare readonly left: undefined;
  readonly height: number = 0;
  readonly size: number = 1;
  readonly key: Uint8Array;
  readonly version: number;
  /** In which its hash lies, once that is known, from `hashAt` on. */
  hashes: Uint8Array | undefined = undefined;
  hashAt = 0;
  private bytes: Uint8Array | undefined;
  private codec: Codec<unknown> | undefined = undefined;
  private decoded: unknown = undefined;

  constructor(key: Uint8Array, value: Uint8Array | undefined, version: number) {
    this.key = key;
    this.bytes = value;
    this.version = version;
  }

  /** A leaf whose decoded value is known, so that no reader decodes it. */
  static of<T>(key: Uint8Array, codec: Codec<T>, value: T, version: number): Leaf {
    const leaf = new Leaf(key, codec.late ? undefined : codec.encode(value), version);
    leaf.codec = codec as Codec<unknown>;
    leaf.decoded = value;
    return leaf;
  }

  /**
   * What was encoded late is not kept as bytes where they would be the same again, as they are seldom asked for after they
   * were hashed.
   */
  get value(): Uint8Array {
    if (this.bytes !== undefined) return this.bytes;
    const codec = this.codec as Codec<unknown>;
    const bytes = codec.encode(this.decoded);
    if (!codec.steady) this.bytes = bytes;
    return bytes;
  }

  /** Decoded once for each leaf, so once for each write of a key. */
  read<T>(codec: Codec<T>): T {
    if (this.codec !== codec) {
      this.bytes = this.value;
      this.decoded = codec.decode(this.bytes);
      this.codec = codec;
    }
    return this.decoded as T;
  }
}

export class Inner {
  /** The smallest key on the right; smaller keys are on the left. Not part of the hash. */
  readonly key: Uint8Array;
  readonly left: TreeNode;
  readonly right: TreeNode;
  readonly height: number;
  readonly size: number;
  readonly version: number;
  /** As a leaf's. */
  hashes: Uint8Array | undefined = undefined;
  hashAt = 0;

  constructor(key: Uint8Array, left: TreeNode, right: TreeNode, version: number) {
    this.key = key;
    this.left = left;
    this.right = right;
    this.height = Math.max(left.height, right.height) + 1;
    this.size = left.size + right.size;
    this.version = version;
  }
}

export function find(root: TreeNode | undefined, key: Uint8Array): Leaf | undefined {
  let node = root;
  if (node === undefined) return undefined;
  while (node.left !== undefined) node = compare(key, node.key) < 0 ? node.left : node.right;
  return equal(node.key, key) ? node : undefined;
}

/** The leaf with the smallest key that is not below this one. */
export function findFrom(root: TreeNode | undefined, key: Uint8Array): Leaf | undefined {
  let node = root;
  let greater: TreeNode | undefined;
  while (node?.left !== undefined) {
    if (compare(key, node.key) >= 0) node = node.right;
    else {
      greater = node.right;
      node = node.left;
    }
  }
  if (node === undefined || compare(node.key, key) >= 0) return node;
  return greater && first(greater);
}

/**
 * The tree with this leaf in it, in place of one with the same key. New inner nodes get the leaf's version.
 */
export function insert(root: TreeNode | undefined, leaf: Leaf): TreeNode {
  return root === undefined ? leaf : insertBelow(root, leaf);
}

function insertBelow(node: TreeNode, leaf: Leaf): TreeNode {
  const order = compare(leaf.key, node.key);
  if (node.left === undefined) {
    if (order === 0) return leaf;
    return order < 0
      ? new Inner(node.key, leaf, node, leaf.version)
      : new Inner(leaf.key, node, leaf, leaf.version);
  }
  return order < 0
    ? balanced(node.key, insertBelow(node.left, leaf), node.right, leaf.version)
    : balanced(node.key, node.left, insertBelow(node.right, leaf), leaf.version);
}

/**
 * The tree with these leaves in place of those with the same keys: all must be in it, and they come in key
 * order. Each inner node above them is made once, however many there are.
 */
export function replace(
  root: TreeNode,
  leaves: readonly Leaf[],
  from = 0,
  to: number = leaves.length,
): TreeNode {
  if (from === to) return root;
  const first = leaves[from] as Leaf;
  if (root.left === undefined) return first;
  let split = from;
  for (let end = to; split < end; ) {
    const middle = (split + end) >> 1;
    if (compare((leaves[middle] as Leaf).key, root.key) < 0) split = middle + 1;
    else end = middle;
  }
  const left = replace(root.left, leaves, from, split);
  const right = replace(root.right, leaves, split, to);
  return new Inner(root.key, left, right, first.version);
}

/** The tree without this key, which must be in it. New inner nodes get the version given. */
export function remove(root: TreeNode, key: Uint8Array, version: number): TreeNode | undefined {
  if (root.left === undefined) return undefined;
  const order = compare(key, root.key);
  if (order < 0) {
    const left = remove(root.left, key, version);
    return left === undefined ? root.right : balanced(root.key, left, root.right, version);
  }
  const right = remove(root.right, key, version);
  if (right === undefined) return root.left;
  return balanced(order === 0 ? first(right).key : root.key, root.left, right, version);
}

function first(node: TreeNode): Leaf {
  let at = node;
  while (at.left !== undefined) at = at.left;
  return at;
}

/** An inner node over two trees whose heights differ by at most two, rotated if they differ by two. */
function balanced(key: Uint8Array, left: TreeNode, right: TreeNode, version: number): Inner {
  const balance = left.height - right.height;
  if (balance > 1 && left.left !== undefined) {
    const pivot = left.right;
    if (pivot.left === undefined || left.left.height >= pivot.height) {
      return new Inner(left.key, left.left, new Inner(key, pivot, right, version), version);
    }
    return new Inner(
      pivot.key,
      new Inner(left.key, left.left, pivot.left, version),
      new Inner(key, pivot.right, right, version),
      version,
    );
  }
  if (balance < -1 && right.left !== undefined) {
    const pivot = right.left;
    if (pivot.left === undefined || pivot.height <= right.right.height) {
      return new Inner(right.key, new Inner(key, left, pivot, version), right.right, version);
    }
    return new Inner(
      pivot.key,
      new Inner(key, left, pivot.left, version),
      new Inner(right.key, pivot.right, right.right, version),
      version,
    );
  }
  return new Inner(key, left, right, version);
}

const EMPTY_ROOT = sha256(EMPTY);
const HASH_LENGTH = 32;
/** Three varints, two lengths and two hashes at most, or a leaf with an ordinary key. */
let scratch = new Uint8Array(256);
/** Its first bytes by their number: few lengths come again and again. */
let beginnings: (Uint8Array | undefined)[] = [];

/**
 * Hashes that lie side by side: an array of its own takes a multiple of a hash. A few, since the last node that is kept
 * keeps them all.
 */
const HASHES_TOGETHER = 16;
let together = new Uint8Array(HASHES_TOGETHER * HASH_LENGTH);
let taken = 0;

/** The root hash of a tree; computed once for each node. */
export function rootHash(root: TreeNode | undefined): Uint8Array {
  if (root === undefined) return EMPTY_ROOT;
  return hashesOf(root).subarray(root.hashAt, root.hashAt + HASH_LENGTH);
}

/** The array in which a node's hash lies. */
function hashesOf(node: TreeNode): Uint8Array {
  if (node.hashes !== undefined) return node.hashes;
  const length = node.left === undefined ? writeLeaf(node) : writeInner(node);
  if (taken === together.length) {
    together = new Uint8Array(together.length);
    taken = 0;
  }
  beginnings[length] ??= scratch.subarray(0, length);
  sha256Into(beginnings[length], together, taken);
  node.hashes = together;
  node.hashAt = taken;
  taken += HASH_LENGTH;
  return together;
}

function writeLeaf(leaf: Leaf): number {
  const { key } = leaf;
  const needed = 30 + uvarintSize(key.length) + key.length + 1 + HASH_LENGTH;
  if (scratch.length < needed) {
    scratch = new Uint8Array(needed);
    beginnings = [];
  }
  let at = writeUvarint(scratch, writeHead(leaf), key.length);
  scratch.set(key, at);
  at += key.length;
  scratch[at] = HASH_LENGTH;
  sha256Into(leaf.value, scratch, at + 1);
  return at + 1 + HASH_LENGTH;
}

function writeInner(inner: Inner): number {
  const { left, right } = inner;
  const lefts = hashesOf(left);
  const rights = hashesOf(right);
  return writeHash(writeHash(writeHead(inner), lefts, left.hashAt), rights, right.hashAt);
}

function writeHead(node: TreeNode): number {
  const at = writeVarint(scratch, writeVarint(scratch, 0, node.height), node.size);
  return writeVarint(scratch, at, node.version);
}

function writeHash(offset: number, hashes: Uint8Array, from: number): number {
  scratch[offset] = HASH_LENGTH;
  for (let i = 0; i < HASH_LENGTH; i++) scratch[offset + 1 + i] = hashes[from + i] as number;
  return offset + 1 + HASH_LENGTH;
}
