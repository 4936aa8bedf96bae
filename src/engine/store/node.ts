/**
 * Nodes of the store's tree: an immutable AVL+ tree with the node format and hashes of IAVL v1
 * (rules/store 1.1). Every change creates new nodes along one path and shares the rest, so an old
 * root is a complete old version.
 */
import { addressPrefix, withAddressPrefix } from "../../base/bech32.ts";
import { compare, EMPTY, equal } from "../../base/bytes.ts";
import { sha256, sha256Into, sha256Text, writeHash } from "../../base/sha256.ts";
import { uvarintSize, writeUvarint, writeVarint } from "../../base/varint.ts";

/** Conversion of a value to bytes and back. */
export interface Codec<T> {
  /**
   * True if encoding may be deferred until the bytes are needed, at the latest for the hash at the
   * end of the block: if a block writes a value many times, such as a pool's balance, only the last
   * one is encoded. Only for codecs that cannot fail, since a failure would occur after the
   * transaction that caused it. The bytes depend on the value and on the address prefix.
   */
  readonly late?: boolean;
  encode(value: T): Uint8Array;
  decode(bytes: Uint8Array): T;
}

/** A key with its value. Neither the bytes nor the result of `read` may be modified. */
export interface Entry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  /** Height of the block that wrote it. */
  readonly version: number;
  read<T>(codec: Codec<T>): T;
}

export type TreeNode = Leaf | Inner;

/** Upper bound of heights: sufficient for any tree with fewer than 2^44 keys. */
const HEIGHTS = 64;

/**
 * Encodes a node's version and height in one number, since nodes are most of the memory of recent
 * states.
 */
const made = (version: number, height: number): number => version * HEIGHTS + height;
const versionOf = (node: TreeNode): number => Math.floor(node.made / HEIGHTS);
export const heightOf = (node: TreeNode): number => node.made & (HEIGHTS - 1);

export class Leaf implements Entry {
  /** Never set: distinguishes a leaf from an inner node. */
  declare readonly left: undefined;
  /** If the leaf replaces another, the same array as the other's. */
  key: Uint8Array;
  readonly made: number;
  /**
   * Cached hash: dropped for leaves that a later state no longer has, since it is rarely needed
   * again.
   */
  hash: string | undefined = undefined;
  /** Encoded value or, for deferred encodings, the address prefix at that time. */
  private bytes: Uint8Array | string | undefined;
  private codec: Codec<unknown> | undefined = undefined;
  private decoded: unknown = undefined;

  constructor(key: Uint8Array, value: Uint8Array | undefined, version: number) {
    this.key = key;
    this.bytes = value;
    this.made = made(version, 0);
  }

  /** A leaf with a known decoded value, so that no reader decodes it. */
  static of<T>(key: Uint8Array, codec: Codec<T>, value: T, version: number): Leaf {
    const leaf = new Leaf(key, codec.late ? undefined : codec.encode(value), version);
    leaf.codec = codec as Codec<unknown>;
    leaf.decoded = value;
    return leaf;
  }

  get version(): number {
    return versionOf(this);
  }

  get size(): number {
    return 1;
  }

  /**
   * Deferred encodings are not cached: they are rarely read after hashing, and take more memory
   * than the value.
   */
  get value(): Uint8Array {
    if (typeof this.bytes === "object") return this.bytes;
    const codec = this.codec as Codec<unknown>;
    this.bytes ??= addressPrefix();
    return withAddressPrefix(this.bytes, () => codec.encode(this.decoded));
  }

  /** Decodes once per leaf, so once per write of a key. */
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
 * Writes of one version whose new nodes are referenced only by the tree being written: later writes
 * of the batch change these nodes in place.
 */
export interface Batch {
  readonly version: number;
}

export class Inner {
  /** Smallest key on the right; smaller keys are on the left. Not part of the hash. */
  key: Uint8Array;
  left: TreeNode;
  right: TreeNode;
  made: number;
  size: number;
  /** Cached hash like a leaf's; before it is computed, the batch that created the node. */
  hash: string | Batch | undefined;

  constructor(key: Uint8Array, left: TreeNode, right: TreeNode, version: number, batch?: Batch) {
    this.key = key;
    this.left = left;
    this.right = right;
    this.made = made(version, heightAbove(left, right));
    this.size = left.size + right.size;
    this.hash = batch;
  }

  get version(): number {
    return versionOf(this);
  }
}

const heightAbove = (left: TreeNode, right: TreeNode): number =>
  Math.max(heightOf(left), heightOf(right)) + 1;

export function find(root: TreeNode | undefined, key: Uint8Array): Leaf | undefined {
  let node = root;
  if (node === undefined) return undefined;
  while (node.left !== undefined) node = compare(key, node.key) < 0 ? node.left : node.right;
  return equal(node.key, key) ? node : undefined;
}

/** Returns the leaf with the smallest key that is not below this one. */
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
 * Returns the tree with this leaf, which has the batch's version, replacing one with the same key.
 */
export function insert(
  root: TreeNode | undefined,
  leaf: Leaf,
  batch: Batch = { version: leaf.version },
): TreeNode {
  return root === undefined ? leaf : insertBelow(root, leaf, batch);
}

function insertBelow(node: TreeNode, leaf: Leaf, batch: Batch): TreeNode {
  const order = compare(leaf.key, node.key);
  if (node.left === undefined) {
    if (order === 0) return replacing(node, leaf);
    return order < 0
      ? new Inner(node.key, leaf, node, batch.version, batch)
      : new Inner(leaf.key, node, leaf, batch.version, batch);
  }
  const { key, left, right } = node;
  return order < 0
    ? balanced(node, key, insertBelow(left, leaf, batch), right, batch)
    : balanced(node, key, left, insertBelow(right, leaf, batch), batch);
}

function replacing(replaced: Leaf, leaf: Leaf): Leaf {
  replaced.hash = undefined;
  leaf.key = replaced.key;
  return leaf;
}

/**
 * Returns the tree with these leaves replacing those with the same keys: all keys must exist, and
 * be in order. Each inner node above them is created only once.
 */
export function replace(
  root: TreeNode,
  leaves: readonly Leaf[],
  batch: Batch,
  from = 0,
  to: number = leaves.length,
): TreeNode {
  if (from === to) return root;
  if (root.left === undefined) return leaves[from] as Leaf;
  let split = from;
  for (let end = to; split < end; ) {
    const middle = (split + end) >> 1;
    if (compare((leaves[middle] as Leaf).key, root.key) < 0) split = middle + 1;
    else end = middle;
  }
  const left = replace(root.left, leaves, batch, from, split);
  const right = replace(root.right, leaves, batch, split, to);
  return inner(root, root.key, left, right, batch);
}

/**
 * Returns the tree without this key, which must exist. New inner nodes get the version of the
 * batch.
 */
export function remove(root: TreeNode, key: Uint8Array, batch: Batch): TreeNode | undefined {
  // Each node on the path is removed or replaced.
  if (root.hash !== batch) root.hash = undefined;
  if (root.left === undefined) return undefined;
  const order = compare(key, root.key);
  if (order < 0) {
    const left = remove(root.left, key, batch);
    return left === undefined ? root.right : balanced(root, root.key, left, root.right, batch);
  }
  const right = remove(root.right, key, batch);
  if (right === undefined) return root.left;
  return balanced(root, order === 0 ? first(right).key : root.key, root.left, right, batch);
}

function first(node: TreeNode): Leaf {
  let at = node;
  while (at.left !== undefined) at = at.left;
  return at;
}

/**
 * Returns an inner node that replaces another, over two trees whose heights differ by at most two,
 * rotated if they differ by two.
 */
function balanced(
  node: Inner,
  key: Uint8Array,
  left: TreeNode,
  right: TreeNode,
  batch: Batch,
): Inner {
  const balance = heightOf(left) - heightOf(right);
  if (balance > 1 && left.left !== undefined) {
    const pivot = left.right;
    if (pivot.left === undefined || heightOf(left.left) >= heightOf(pivot)) {
      return inner(left, left.key, left.left, inner(node, key, pivot, right, batch), batch);
    }
    const lower = inner(left, left.key, left.left, pivot.left, batch);
    return inner(pivot, pivot.key, lower, inner(node, key, pivot.right, right, batch), batch);
  }
  if (balance < -1 && right.left !== undefined) {
    const pivot = right.left;
    if (pivot.left === undefined || heightOf(pivot) <= heightOf(right.right)) {
      return inner(right, right.key, inner(node, key, left, pivot, batch), right.right, batch);
    }
    const lower = inner(node, key, left, pivot.left, batch);
    return inner(
      pivot,
      pivot.key,
      lower,
      inner(right, right.key, pivot.right, right.right, batch),
      batch,
    );
  }
  return inner(node, key, left, right, batch);
}

/**
 * Returns an inner node that replaces another: the same one, changed, if the same batch created it.
 */
function inner(node: Inner, key: Uint8Array, left: TreeNode, right: TreeNode, batch: Batch): Inner {
  if (node.hash !== batch) {
    node.hash = undefined;
    return new Inner(key, left, right, batch.version, batch);
  }
  node.key = key;
  node.left = left;
  node.right = right;
  node.made = made(batch.version, heightAbove(left, right));
  node.size = left.size + right.size;
  return node;
}

const EMPTY_ROOT = sha256(EMPTY);
const HASH_LENGTH = 32;
/** Large enough for three varints, two lengths and two hashes, or a leaf with an ordinary key. */
let scratch = new Uint8Array(256);
/** Cached views of the scratch buffer by length: a few lengths recur. */
let beginnings: (Uint8Array | undefined)[] = [];

/** Root hash of a tree; computed once per node, until a newer node replaces it. */
export function rootHash(root: TreeNode | undefined): Uint8Array {
  if (root === undefined) return EMPTY_ROOT;
  const hash = new Uint8Array(HASH_LENGTH);
  writeHash(hashOf(root), hash, 0);
  return hash;
}

function hashOf(node: TreeNode): string {
  if (typeof node.hash === "string") return node.hash;
  const length = node.left === undefined ? writeLeaf(node) : writeInner(node);
  beginnings[length] ??= scratch.subarray(0, length);
  node.hash = sha256Text(beginnings[length]);
  return node.hash;
}

function writeLeaf(leaf: Leaf): number {
  const { key, value } = leaf;
  const needed = 30 + uvarintSize(key.length) + key.length + 1 + HASH_LENGTH;
  if (scratch.length < needed) {
    scratch = new Uint8Array(needed);
    beginnings = [];
  }
  let at = writeUvarint(scratch, writeHead(leaf), key.length);
  scratch.set(key, at);
  at += key.length;
  scratch[at] = HASH_LENGTH;
  sha256Into(value, value.length, scratch, at + 1);
  return at + 1 + HASH_LENGTH;
}

function writeInner(inner: Inner): number {
  const left = hashOf(inner.left);
  const right = hashOf(inner.right);
  return writeBelow(right, writeBelow(left, writeHead(inner)));
}

function writeHead(node: TreeNode): number {
  const at = writeVarint(scratch, writeVarint(scratch, 0, heightOf(node)), node.size);
  return writeVarint(scratch, at, node.version);
}

function writeBelow(hash: string, at: number): number {
  scratch[at] = HASH_LENGTH;
  writeHash(hash, scratch, at + 1);
  return at + 1 + HASH_LENGTH;
}
