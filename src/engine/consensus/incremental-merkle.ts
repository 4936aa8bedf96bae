import { EMPTY } from "../primitives/bytes.ts";
import { sha256 } from "../primitives/sha256.ts";

interface MerkleNode {
  /** What is hashed: 0x00 ‖ leaf, or 0x01 ‖ left ‖ right. */
  input: Uint8Array;
  hash: Uint8Array;
  stale: boolean;
  readonly parent: MerkleNode | null;
  children: readonly [MerkleNode, MerkleNode] | null;
}

/**
 * An RFC 6962 tree with a fixed number of leaves that keeps its nodes. Setting a leaf to the bytes it
 * already has costs a comparison; changing one costs its hash and those above it, at the next `root()`.
 */
export class IncrementalMerkleTree {
  readonly #leaves: MerkleNode[] = [];
  readonly #root: MerkleNode;

  constructor(leaves: number) {
    this.#root = this.#build(leaves, null);
  }

  /** Sets a leaf to the first bytes of an array, all of them unless a length is given. */
  setLeaf(index: number, bytes: Uint8Array, length: number = bytes.length): void {
    const leaf = this.#leaves[index];
    if (leaf === undefined) throw new RangeError(`no leaf ${index}`);
    if (isInputOf(leaf, bytes, length)) return;
    if (leaf.input.length !== length + 1) leaf.input = new Uint8Array(length + 1);
    leaf.input.set(bytes.subarray(0, length), 1);
    for (let node: MerkleNode | null = leaf; node !== null && !node.stale; node = node.parent) {
      node.stale = true;
    }
  }

  /** A fresh array. */
  root(): Uint8Array {
    return rehash(this.#root).slice();
  }

  #build(leaves: number, parent: MerkleNode | null): MerkleNode {
    const node: MerkleNode = {
      input: new Uint8Array(leaves === 1 ? 1 : 65),
      hash: EMPTY,
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
      node.children = [this.#build(split, node), this.#build(leaves - split, node)];
    }
    return node;
  }
}

function isInputOf({ input }: MerkleNode, bytes: Uint8Array, length: number): boolean {
  if (input.length !== length + 1) return false;
  for (let i = 0; i < length; i++) if (input[i + 1] !== bytes[i]) return false;
  return true;
}

function rehash(node: MerkleNode): Uint8Array {
  if (!node.stale) return node.hash;
  if (node.children !== null) {
    node.input.set(rehash(node.children[0]), 1);
    node.input.set(rehash(node.children[1]), 33);
  }
  node.hash = sha256(node.input);
  node.stale = false;
  return node.hash;
}
