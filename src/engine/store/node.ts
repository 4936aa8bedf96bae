/**
 * Nodes of the store's tree: an immutable AVL+ tree with the node format and hashes of IAVL v1
 * (rules/store 1.1). Every change makes new nodes along one path and shares the rest, so an old root is a
 * whole old version.
 */
import { addressPrefix, withAddressPrefix } from "../primitives/bech32.ts";
import { compare, EMPTY, equal } from "../primitives/bytes.ts";
import { sha256, sha256Into } from "../primitives/sha256.ts";
import { uvarintSize, writeUvarint, writeVarint } from "../primitives/varint.ts";

/** How a value is written to and read from bytes. */
export interface Codec<T> {
  /**
   * Whether encoding may wait until the bytes are needed, at the latest the hash at the end of the block: of
   * what a block writes many times, such as a pool's balance, only the last is ever encoded. Only for codecs
   * that cannot fail, since a failure would come after the transaction that caused it. Their bytes follow from
   * the value and from what addresses begin with.
   */
  readonly late?: boolean;
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
  /** Of one that takes the place of another the same array as the other's. */
  key: Uint8Array;
  readonly version: number;
  /** In which its hash lies, once that is known, from `hashAt` on. */
  hashes: Uint8Array | undefined = undefined;
  hashAt = 0;
  /** Or, of what was encoded late, what addresses began with then. */
  private bytes: Uint8Array | string | undefined;
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

  get height(): number {
    return 0;
  }

  get size(): number {
    return 1;
  }

  /** What was encoded late is not kept, as it is seldom asked for after it was hashed, and takes more than the value. */
  get value(): Uint8Array {
    if (typeof this.bytes === "object") return this.bytes;
    const codec = this.codec as Codec<unknown>;
    this.bytes ??= addressPrefix();
    return withAddressPrefix(this.bytes, () => codec.encode(this.decoded));
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

/**
 * Numbers a batch of writes: from its beginning to its end nothing but the tree that is written refers to the nodes that
 * it makes, so that its later writes change them in place.
 */
export const newBatch = (): number => ++batches;
let batches = 0;

export class Inner {
  /** The smallest key on the right; smaller keys are on the left. Not part of the hash. */
  key: Uint8Array;
  left: TreeNode;
  right: TreeNode;
  height: number;
  size: number;
  readonly version: number;
  /** As a leaf's. */
  hashes: Uint8Array | undefined = undefined;
  /** As a leaf's; until the hash is known, the batch that made the node, 0 for none. */
  hashAt: number;

  constructor(key: Uint8Array, left: TreeNode, right: TreeNode, version: number, batch = 0) {
    this.key = key;
    this.left = left;
    this.right = right;
    this.height = Math.max(left.height, right.height) + 1;
    this.size = left.size + right.size;
    this.version = version;
    this.hashAt = batch;
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

/** The tree with this leaf in it, in place of one with the same key. */
export function insert(root: TreeNode | undefined, leaf: Leaf, batch = newBatch()): TreeNode {
  return root === undefined ? leaf : insertBelow(root, leaf, batch);
}

function insertBelow(node: TreeNode, leaf: Leaf, batch: number): TreeNode {
  const order = compare(leaf.key, node.key);
  const { version } = leaf;
  if (node.left === undefined) {
    if (order === 0) return inPlaceOf(node, leaf);
    return order < 0
      ? new Inner(node.key, leaf, node, version, batch)
      : new Inner(leaf.key, node, leaf, version, batch);
  }
  const { key, left, right } = node;
  return order < 0
    ? balanced(node, key, insertBelow(left, leaf, batch), right, version, batch)
    : balanced(node, key, left, insertBelow(right, leaf, batch), version, batch);
}

function inPlaceOf(replaced: TreeNode, leaf: Leaf): Leaf {
  leaf.key = replaced.key;
  return leaf;
}

/**
 * The tree with these leaves in place of those with the same keys: all must be in it, and they come in key
 * order. Each inner node above them is made once, however many there are.
 */
export function replace(
  root: TreeNode,
  leaves: readonly Leaf[],
  batch = newBatch(),
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
  const left = replace(root.left, leaves, batch, from, split);
  const right = replace(root.right, leaves, batch, split, to);
  return inner(root, root.key, left, right, first.version, batch);
}

/** The tree without this key, which must be in it. New inner nodes get the version given. */
export function remove(
  root: TreeNode,
  key: Uint8Array,
  version: number,
  batch = newBatch(),
): TreeNode | undefined {
  if (root.left === undefined) return undefined;
  const order = compare(key, root.key);
  if (order < 0) {
    const left = remove(root.left, key, version, batch);
    if (left === undefined) return root.right;
    return balanced(root, root.key, left, root.right, version, batch);
  }
  const right = remove(root.right, key, version, batch);
  if (right === undefined) return root.left;
  const smallest = order === 0 ? first(right).key : root.key;
  return balanced(root, smallest, root.left, right, version, batch);
}

function first(node: TreeNode): Leaf {
  let at = node;
  while (at.left !== undefined) at = at.left;
  return at;
}

/** An inner node in place of another, over two trees whose heights differ by at most two, rotated if they differ by two. */
function balanced(
  node: Inner,
  key: Uint8Array,
  left: TreeNode,
  right: TreeNode,
  version: number,
  batch: number,
): Inner {
  const balance = left.height - right.height;
  if (balance > 1 && left.left !== undefined) {
    const pivot = left.right;
    if (pivot.left === undefined || left.left.height >= pivot.height) {
      const lower = inner(node, key, pivot, right, version, batch);
      return inner(left, left.key, left.left, lower, version, batch);
    }
    const lower = inner(left, left.key, left.left, pivot.left, version, batch);
    const other = inner(node, key, pivot.right, right, version, batch);
    return inner(pivot, pivot.key, lower, other, version, batch);
  }
  if (balance < -1 && right.left !== undefined) {
    const pivot = right.left;
    if (pivot.left === undefined || pivot.height <= right.right.height) {
      const lower = inner(node, key, left, pivot, version, batch);
      return inner(right, right.key, lower, right.right, version, batch);
    }
    const lower = inner(right, right.key, pivot.right, right.right, version, batch);
    const other = inner(node, key, left, pivot.left, version, batch);
    return inner(pivot, pivot.key, other, lower, version, batch);
  }
  return inner(node, key, left, right, version, batch);
}

/** An inner node in place of another: that one itself, changed, if its batch is under way. */
function inner(
  node: Inner,
  key: Uint8Array,
  left: TreeNode,
  right: TreeNode,
  version: number,
  batch: number,
): Inner {
  if (node.hashes !== undefined || node.hashAt !== batch)
    return new Inner(key, left, right, version, batch);
  node.key = key;
  node.left = left;
  node.right = right;
  node.height = Math.max(left.height, right.height) + 1;
  node.size = left.size + right.size;
  return node;
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
