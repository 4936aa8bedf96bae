import { walkChanges } from "./changes.ts";
import { type KVStore, TreeReader } from "./kv-store.ts";
import { type Codec, find, insert, Leaf, remove, replace, type TreeNode } from "./node.ts";
import { Range } from "./range.ts";

/** One store in the middle of a block. Immutable, so a mark is a reference to it. */
export interface Draft {
  readonly root: TreeNode | undefined;
  /** How many of the writes added or removed a key; the others only replaced a leaf. */
  readonly reshaped: number;
}

export class WorkingStore extends TreeReader implements KVStore {
  private current: Draft;
  private readonly base: TreeNode | undefined;
  private readonly version: number;

  constructor(base: TreeNode | undefined, version: number) {
    super();
    this.base = base;
    this.version = version;
    this.current = { root: base, reshaped: 0 };
  }

  get draft(): Draft {
    return this.current;
  }

  get root(): TreeNode | undefined {
    return this.current.root;
  }

  get isUntouched(): boolean {
    return this.current.root === this.base;
  }

  /** Goes back to a draft, or to the beginning. */
  revert(draft: Draft = { root: this.base, reshaped: 0 }): void {
    this.current = draft;
  }

  set(key: Uint8Array, value: Uint8Array): void {
    this.put(new Leaf(key, value, this.version));
  }

  write<T>(key: Uint8Array, codec: Codec<T>, value: T): void {
    this.put(Leaf.of(key, codec, value, this.version));
  }

  delete(key: Uint8Array): void {
    const { root, reshaped } = this.current;
    if (root === undefined || find(root, key) === undefined) return;
    this.current = { root: remove(root, key, this.version), reshaped: reshaped + 1 };
  }

  private put(leaf: Leaf): void {
    if (leaf.key.length === 0) throw new Error("key is empty");
    const { root, reshaped } = this.current;
    const next = insert(root, leaf);
    this.current = {
      root: next,
      reshaped: next.size === (root?.size ?? 0) ? reshaped : reshaped + 1,
    };
  }

  /**
   * The tree to commit (rules/store 1.3). The SDK writes a block's changed keys in sorted order, each once,
   * whatever the order in the block was, and the shape of an AVL tree (so its hash) depends on the order in
   * which keys come and go. With at most one key added or removed there is no order to speak of and the
   * working tree is that tree already.
   */
  canonicalRoot(): TreeNode | undefined {
    const { root: working, reshaped } = this.current;
    if (reshaped <= 1) return working;
    let root = this.base;
    // Replacing a leaf moves nothing, so it may wait until all others have come and gone.
    const replaced: Leaf[] = [];
    walkChanges(this.base, working, isSame, (before, after) => {
      if (after !== undefined && before !== undefined) replaced.push(after);
      else if (after !== undefined) root = insert(root, after);
      else if (root !== undefined && before !== undefined)
        root = remove(root, before.key, this.version);
    });
    return root && replace(root, replaced);
  }

  /**
   * The tree that the keys written so far would make if they came to an empty one, sorted: what the SDK
   * commits with a chain's first block, in which nothing of the genesis is in a tree yet.
   */
  rebuiltRoot(): TreeNode | undefined {
    const { root: working, reshaped } = this.current;
    // A genesis is such a tree already, and replacing a leaf moves nothing.
    if (reshaped === 0) return working;
    let root: TreeNode | undefined;
    for (const leaf of new Range(working, undefined, undefined, false)) root = insert(root, leaf);
    return root;
  }
}

/** A working tree shares with the committed one what was not written. */
const isSame = (before: TreeNode, after: TreeNode): boolean => before === after;
