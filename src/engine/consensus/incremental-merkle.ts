import { sha256Into } from "../../base/sha256.ts";

interface MerkleNode {
  /** Hash input: 0x00 ‖ leaf, or 0x01 ‖ left ‖ right. */
  input: Uint8Array;
  /** Destination of the hash: the parent's input, from this byte on. */
  readonly target: Uint8Array;
  readonly at: number;
  stale: boolean;
  readonly parent: MerkleNode | null;
  children: readonly [MerkleNode, MerkleNode] | null;
}

/**
 * An RFC 6962 tree with a fixed number of leaves and cached nodes. Setting a leaf to the same bytes
 * costs a comparison; changing one costs its hash and those above it, at the next `root()`.
 */
export class IncrementalMerkleTree {
  readonly #leaves: MerkleNode[] = [];
  readonly #root: MerkleNode;
  readonly #hash = new Uint8Array(32);

  constructor(leaves: number) {
    this.#root = this.#build(leaves, null, this.#hash, 0);
  }

  /** Sets a leaf to the first `length` bytes of an array; default: all. */
  setLeaf(index: number, bytes: Uint8Array, length: number = bytes.length): void {
    const leaf = this.#leaves[index];
    if (leaf === undefined) throw new RangeError(`no leaf ${index}`);
    if (isInputOf(leaf, bytes, length)) return;
    if (leaf.input.length !== length + 1) leaf.input = new Uint8Array(length + 1);
    for (let i = 0; i < length; i++) leaf.input[i + 1] = bytes[i] as number;
    for (let node: MerkleNode | null = leaf; node !== null && !node.stale; node = node.parent) {
      node.stale = true;
    }
  }

  /** Returns the root in a new array. */
  root(): Uint8Array {
    rehash(this.#root);
    return this.#hash.slice();
  }

  #build(leaves: number, parent: MerkleNode | null, target: Uint8Array, at: number): MerkleNode {
    const node: MerkleNode = {
      input: new Uint8Array(leaves === 1 ? 1 : 65),
      target,
      at,
      stale: true,
      parent,
      children: null,
    };
    if (leaves === 1) {
      this.#leaves.push(node);
    } else {
      // Split at the largest power of two below the number of leaves.
      const split = 2 ** (31 - Math.clz32(leaves - 1));
      node.input[0] = 1;
      const { input } = node;
      node.children = [
        this.#build(split, node, input, 1),
        this.#build(leaves - split, node, input, 33),
      ];
    }
    return node;
  }
}

function isInputOf({ input }: MerkleNode, bytes: Uint8Array, length: number): boolean {
  if (input.length !== length + 1) return false;
  for (let i = 0; i < length; i++) if (input[i + 1] !== bytes[i]) return false;
  return true;
}

/** Recomputes stale hashes in place. */
function rehash(node: MerkleNode): void {
  if (!node.stale) return;
  if (node.children !== null) {
    rehash(node.children[0]);
    rehash(node.children[1]);
  }
  sha256Into(node.input, node.input.length, node.target, node.at);
  node.stale = false;
}
