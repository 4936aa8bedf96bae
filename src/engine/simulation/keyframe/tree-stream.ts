/** The store's trees as bytes. A node that several trees share is written once, and read as one again. */
import { EMPTY } from "../../primitives/bytes.ts";
import { Inner, Leaf, type TreeNode } from "../../store/node.ts";
import type { ByteReader, ByteWriter } from "./byte-stream.ts";

/** What the first number of a node says; from `KNOWN` on it is the number of one that came before. */
const LEAF = 0;
const INNER = 1;
const KNOWN = 2;

/** More than any balanced tree has. */
const MAX_HEIGHT = 64;

export const isTreeNode = (value: object): value is TreeNode =>
  value instanceof Leaf || value instanceof Inner;

/** Writes nodes without their hashes, and inner nodes without keys, which follow from the leaves. */
export class TreeWriter {
  readonly #out: ByteWriter;
  readonly #known = new Map<TreeNode, number>();
  /** Key of the leaf written last: neighbours begin alike. */
  #lastKey: Uint8Array = EMPTY;

  constructor(out: ByteWriter) {
    this.#out = out;
  }

  write(node: TreeNode): void {
    const out = this.#out;
    const known = this.#known.get(node);
    if (known !== undefined) {
      out.count(KNOWN + known);
      return;
    }
    out.count(node.left === undefined ? LEAF : INNER);
    out.count(node.version);
    if (node.left !== undefined) {
      this.write(node.left);
      this.write(node.right);
    } else this.#writeEntry(node);
    this.#known.set(node, this.#known.size);
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

/** Reads what a TreeWriter wrote. Throws a RangeError for what no TreeWriter writes. */
export class TreeReader {
  readonly #bytes: ByteReader;
  readonly #known: TreeNode[] = [];
  /** The smallest key in each of them. */
  readonly #firstKeys: Uint8Array[] = [];
  #lastKey: Uint8Array = EMPTY;
  /** The smallest key in the node read last. */
  #firstKey: Uint8Array = EMPTY;

  constructor(bytes: ByteReader) {
    this.#bytes = bytes;
  }

  read(depth = 0): TreeNode {
    const bytes = this.#bytes;
    const kind = bytes.count();
    if (kind >= KNOWN) return this.#knownNode(kind - KNOWN);
    if (depth > MAX_HEIGHT) throw new RangeError("a tree is too high");
    const version = bytes.count();
    const node = kind === LEAF ? this.#readLeaf(version) : this.#readInner(version, depth);
    this.#known.push(node);
    this.#firstKeys.push(this.#firstKey);
    return node;
  }

  #knownNode(index: number): TreeNode {
    const node = this.#known[index];
    const first = this.#firstKeys[index];
    if (node === undefined || first === undefined) throw new RangeError(`no tree node ${index}`);
    this.#firstKey = first;
    return node;
  }

  #readInner(version: number, depth: number): Inner {
    const left = this.read(depth + 1);
    const first = this.#firstKey;
    const right = this.read(depth + 1);
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
