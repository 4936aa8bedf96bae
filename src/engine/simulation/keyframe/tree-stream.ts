/**
 * Serializes the store's trees. A node that several trees share is written once, and shared again
 * when read.
 */
import { EMPTY } from "../../../base/bytes.ts";
import { Inner, Leaf, type TreeNode } from "../../store/node.ts";
import { ByteReader, ByteWriter } from "./byte-stream.ts";

/** First number of a node: its kind or, from `KNOWN` on, a reference to an earlier node. */
const LEAF = 0;
const INNER = 1;
const KNOWN = 2;

/** Larger than the height of any balanced tree. */
const MAX_HEIGHT = 64;

export const isTreeNode = (value: object): value is TreeNode =>
  value instanceof Leaf || value instanceof Inner;

/** Target for trees and long byte arrays, to which the values refer. */
export interface Elsewhere {
  /** Returns the number that identifies the tree with this root. */
  numberOf(root: TreeNode): number;
  /**
   * Returns the position and length of the part that is stored there; undefined if all bytes are to
   * be inlined among the values.
   */
  prefixOf(bytes: Uint8Array): StoredPrefix | undefined;
}

/** Prefix of a byte array stored elsewhere, with the array's position there. */
export interface StoredPrefix {
  readonly position: number;
  readonly length: number;
}

/** Node numbers, from 0. */
type Numbered = ReadonlyMap<TreeNode, number>;

const NONE: Numbered = new Map();

/**
 * Stores the trees themselves, not bytes: for a world in the same thread, where they are immutable.
 */
export class SharedTrees implements Elsewhere {
  readonly roots: TreeNode[] = [];
  readonly #numbers = new Map<TreeNode, number>();

  numberOf(root: TreeNode): number {
    let number = this.#numbers.get(root);
    if (number === undefined) {
      number = this.roots.push(root) - 1;
      this.#numbers.set(root, number);
    }
    return number;
  }

  prefixOf(): undefined {
    return undefined;
  }
}

/** Writes nodes without hashes, and inner nodes without keys, which follow from the leaves. */
export class TreeWriter implements Pick<Elsewhere, "numberOf"> {
  readonly #out = new ByteWriter();
  readonly #before: Numbered;
  readonly #own = new Map<TreeNode, number>();
  /** Key of the last leaf written: neighbours share a prefix. */
  #lastKey: Uint8Array = EMPTY;

  /** @param before nodes written elsewhere */
  constructor(before: Numbered = NONE) {
    this.#before = before;
  }

  /** Numbers of the nodes written here. */
  get own(): Numbered {
    return this.#own;
  }

  finish(): Uint8Array {
    return this.#out.finish();
  }

  numberOf(root: TreeNode): number {
    return this.#numberOf(root) ?? this.#writeNew(root);
  }

  #numberOf(node: TreeNode): number | undefined {
    return this.#own.get(node) ?? this.#before.get(node);
  }

  #write(node: TreeNode): void {
    const known = this.#numberOf(node);
    if (known === undefined) this.#writeNew(node);
    else this.#out.count(KNOWN + known);
  }

  #writeNew(node: TreeNode): number {
    const out = this.#out;
    out.count(node.left === undefined ? LEAF : INNER);
    out.count(node.version);
    if (node.left !== undefined) {
      this.#write(node.left);
      this.#write(node.right);
    } else this.#writeEntry(node);
    const number = this.#before.size + this.#own.size;
    this.#own.set(node, number);
    return number;
  }

  #writeEntry({ key, value }: Leaf): void {
    const out = this.#out;
    let shared = 0;
    while (shared < key.length && key[shared] === this.#lastKey[shared]) shared++;
    out.count(shared);
    out.count(key.length - shared);
    out.raw(key.subarray(shared));
    out.count(value.length);
    out.raw(value);
    this.#lastKey = key;
  }
}

/**
 * Returns all nodes by number: the earlier ones, and those in the bytes of a TreeWriter. Throws a
 * RangeError for bytes that no TreeWriter writes.
 */
export function readTrees(bytes: Uint8Array, before: readonly TreeNode[] = []): TreeNode[] {
  const nodes = [...before];
  const reader = new TreeReader(new ByteReader(bytes), nodes);
  reader.read();
  return nodes;
}

class TreeReader {
  readonly #bytes: ByteReader;
  readonly #nodes: TreeNode[];
  #lastKey: Uint8Array = EMPTY;
  /** Smallest key in the last node read. */
  #firstKey: Uint8Array = EMPTY;

  constructor(bytes: ByteReader, nodes: TreeNode[]) {
    this.#bytes = bytes;
    this.#nodes = nodes;
  }

  read(): void {
    while (this.#bytes.remaining > 0) this.#read(0);
  }

  #read(depth: number): TreeNode {
    const bytes = this.#bytes;
    const kind = bytes.count();
    if (kind >= KNOWN) return this.#nodeAt(kind - KNOWN);
    if (depth > MAX_HEIGHT) throw new RangeError("a tree is too high");
    const version = bytes.count();
    const node = kind === LEAF ? this.#readLeaf(version) : this.#readInner(version, depth);
    this.#nodes.push(node);
    return node;
  }

  #nodeAt(index: number): TreeNode {
    const node = this.#nodes[index];
    if (node === undefined) throw new RangeError(`no tree node ${index}`);
    let first = node;
    while (first.left !== undefined) first = first.left;
    this.#firstKey = first.key;
    return node;
  }

  #readInner(version: number, depth: number): Inner {
    const left = this.#read(depth + 1);
    const first = this.#firstKey;
    const right = this.#read(depth + 1);
    const inner = new Inner(this.#firstKey, left, right, version);
    this.#firstKey = first;
    return inner;
  }

  #readLeaf(version: number): Leaf {
    const bytes = this.#bytes;
    const shared = bytes.count();
    if (shared > this.#lastKey.length) throw new RangeError("a key is longer than its neighbour");
    const key = new Uint8Array(shared + bytes.parts());
    for (let i = 0; i < shared; i++) key[i] = this.#lastKey[i] as number;
    bytes.fill(key, shared);
    this.#lastKey = key;
    this.#firstKey = key;
    return new Leaf(key, bytes.raw(bytes.count()), version);
  }
}
