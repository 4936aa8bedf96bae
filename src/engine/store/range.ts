import { compare } from "../../base/bytes.ts";
import type { Leaf, TreeNode } from "./node.ts";

/**
 * The leaves with start ≤ key < end, in key order or reversed. Iterates over the immutable nodes of
 * one root, so writes in the meantime do not affect it; can be iterated repeatedly.
 */
export class Range implements Iterable<Leaf> {
  private readonly root: TreeNode | undefined;
  private readonly start: Uint8Array | undefined;
  private readonly end: Uint8Array | undefined;
  private readonly reverse: boolean;

  constructor(
    root: TreeNode | undefined,
    start: Uint8Array | undefined,
    end: Uint8Array | undefined,
    reverse: boolean,
  ) {
    this.root = root;
    this.start = start;
    this.end = end;
    this.reverse = reverse;
  }

  [Symbol.iterator](): Iterator<Leaf> {
    return this.reverse
      ? descending(this.root, this.start, this.end)
      : ascending(this.root, this.start, this.end);
  }
}

// Written as plain iterators because generators cost about twice as much per entry.

function ascending(
  root: TreeNode | undefined,
  start: Uint8Array | undefined,
  end: Uint8Array | undefined,
): Iterator<Leaf> {
  /** Subtrees still to visit, the next one last. */
  const pending: TreeNode[] = [];
  let node = root;
  while (node !== undefined) {
    if (node.left === undefined) {
      if (start === undefined || compare(node.key, start) >= 0) pending.push(node);
      break;
    }
    if (start !== undefined && compare(start, node.key) >= 0) {
      node = node.right;
    } else {
      pending.push(node.right);
      node = node.left;
    }
  }
  return {
    next() {
      let next = pending.pop();
      if (next === undefined) return DONE;
      while (next.left !== undefined) {
        pending.push(next.right);
        next = next.left;
      }
      if (end === undefined || compare(next.key, end) < 0) return { done: false, value: next };
      pending.length = 0;
      return DONE;
    },
  };
}

function descending(
  root: TreeNode | undefined,
  start: Uint8Array | undefined,
  end: Uint8Array | undefined,
): Iterator<Leaf> {
  const pending: TreeNode[] = [];
  let node = root;
  while (node !== undefined) {
    if (node.left === undefined) {
      if (end === undefined || compare(node.key, end) < 0) pending.push(node);
      break;
    }
    if (end !== undefined && compare(end, node.key) <= 0) {
      node = node.left;
    } else {
      pending.push(node.left);
      node = node.right;
    }
  }
  return {
    next() {
      let next = pending.pop();
      if (next === undefined) return DONE;
      while (next.left !== undefined) {
        pending.push(next.left);
        next = next.right;
      }
      if (start === undefined || compare(next.key, start) >= 0) return { done: false, value: next };
      pending.length = 0;
      return DONE;
    },
  };
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };
