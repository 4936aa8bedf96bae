/**
 * A second, naive tree, written only from rules/store 1.1 and 1.2, for comparison with the real
 * one: nodes are changed in place, the new smallest key is propagated up after a removal, hashes
 * are built by concatenation.
 */
import { compare, concat, equal } from "../../base/bytes.ts";
import { sha256 } from "../../base/sha256.ts";
import { uvarint } from "../../base/varint.ts";

interface NaiveNode {
  key: Uint8Array;
  value?: Uint8Array;
  left?: NaiveNode;
  right?: NaiveNode;
  version: number;
}

const height = (node: NaiveNode): number =>
  node.left && node.right ? 1 + Math.max(height(node.left), height(node.right)) : 0;
const size = (node: NaiveNode): number =>
  node.left && node.right ? size(node.left) + size(node.right) : 1;
const balance = (node: NaiveNode): number =>
  node.left && node.right ? height(node.left) - height(node.right) : 0;

export class NaiveTree {
  private root: NaiveNode | undefined;
  version = 1;

  set(key: Uint8Array, value: Uint8Array): void {
    const leaf = { key, value, version: this.version };
    this.root = this.root ? this.setBelow(this.root, leaf) : leaf;
  }

  remove(key: Uint8Array): void {
    if (this.root && this.has(this.root, key)) this.root = this.removeBelow(this.root, key).node;
  }

  hash(): Uint8Array {
    return this.root ? this.hashOf(this.root) : sha256(new Uint8Array(0));
  }

  private has(node: NaiveNode, key: Uint8Array): boolean {
    if (!node.left || !node.right) return equal(node.key, key);
    return this.has(compare(key, node.key) < 0 ? node.left : node.right, key);
  }

  private clone(node: NaiveNode): NaiveNode {
    return { ...node, version: this.version };
  }

  private setBelow(node: NaiveNode, leaf: NaiveNode): NaiveNode {
    const order = compare(leaf.key, node.key);
    if (!node.left || !node.right) {
      if (order === 0) return leaf;
      if (order < 0) return { key: node.key, left: leaf, right: node, version: this.version };
      return { key: leaf.key, left: node, right: leaf, version: this.version };
    }
    const copy = this.clone(node);
    if (order < 0) copy.left = this.setBelow(node.left, leaf);
    else copy.right = this.setBelow(node.right, leaf);
    return this.rebalance(copy);
  }

  private removeBelow(node: NaiveNode, key: Uint8Array): { node?: NaiveNode; newKey?: Uint8Array } {
    if (!node.left || !node.right) return {};
    const copy = this.clone(node);
    if (compare(key, node.key) < 0) {
      const below = this.removeBelow(node.left, key);
      if (!below.node) return { node: node.right, newKey: node.key };
      copy.left = below.node;
      return { ...below, node: this.rebalance(copy) };
    }
    const below = this.removeBelow(node.right, key);
    if (!below.node) return { node: node.left };
    copy.right = below.node;
    if (below.newKey) copy.key = below.newKey;
    return { node: this.rebalance(copy) };
  }

  private rebalance(node: NaiveNode): NaiveNode {
    if (!node.left || !node.right) return node;
    if (balance(node) > 1) {
      if (balance(node.left) >= 0) return this.rotateRight(node);
      return this.rotateRight({ ...node, left: this.rotateLeft(node.left) });
    }
    if (balance(node) < -1) {
      if (balance(node.right) <= 0) return this.rotateLeft(node);
      return this.rotateLeft({ ...node, right: this.rotateRight(node.right) });
    }
    return node;
  }

  private rotateRight(node: NaiveNode): NaiveNode {
    const up = this.clone(node.left as NaiveNode);
    up.right = { ...this.clone(node), left: up.right as NaiveNode };
    return up;
  }

  private rotateLeft(node: NaiveNode): NaiveNode {
    const up = this.clone(node.right as NaiveNode);
    up.left = { ...this.clone(node), right: up.left as NaiveNode };
    return up;
  }

  private hashOf(node: NaiveNode): Uint8Array {
    const head = [height(node), size(node), node.version].map((n) => uvarint(n * 2));
    const rest =
      node.left && node.right
        ? [uvarint(32), this.hashOf(node.left), uvarint(32), this.hashOf(node.right)]
        : [
            uvarint(node.key.length),
            node.key,
            uvarint(32),
            sha256(node.value ?? new Uint8Array(0)),
          ];
    return sha256(concat(...head, ...rest));
  }
}
