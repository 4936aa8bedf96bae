import { walkChanges } from "./changes.ts";
import { type KVStore, TreeReader } from "./kv-store.ts";
import {
  type Batch,
  type Codec,
  find,
  insert,
  Leaf,
  remove,
  replace,
  type TreeNode,
} from "./node.ts";
import { Range } from "./range.ts";

/** One store during a block. Immutable, so a mark is a reference to it. */
export interface Draft {
  readonly root: TreeNode | undefined;
  /** Number of writes that added or removed a key; the others only replaced a leaf. */
  readonly reshaped: number;
}

export class WorkingStore extends TreeReader implements KVStore {
  private readonly base: TreeNode | undefined;
  private readonly version: number;
  protected now: TreeNode | undefined;
  private reshaped = 0;
  /** Batch of the writes since the tree was last returned. */
  private batch: Batch | undefined = undefined;
  /** Last returned draft, until the next write. */
  private sharedDraft: Draft | undefined = undefined;

  constructor(base: TreeNode | undefined, version: number) {
    super();
    this.base = base;
    this.version = version;
    this.now = base;
  }

  get draft(): Draft {
    this.sharedDraft ??= { root: this.root, reshaped: this.reshaped };
    return this.sharedDraft;
  }

  /** Root of the tree. Immutable: later writes create new nodes. */
  get root(): TreeNode | undefined {
    this.batch = undefined;
    return this.now;
  }

  get isUntouched(): boolean {
    return this.now === this.base;
  }

  /** Reverts to a draft, or to the initial content. */
  revert(draft: Draft = { root: this.base, reshaped: 0 }): void {
    this.now = draft.root;
    this.reshaped = draft.reshaped;
    this.sharedDraft = draft;
  }

  set(key: Uint8Array, value: Uint8Array): void {
    this.put(new Leaf(key, value, this.version));
  }

  write<T>(key: Uint8Array, codec: Codec<T>, value: T): void {
    this.put(Leaf.of(key, codec, value, this.version));
  }

  delete(key: Uint8Array): void {
    const { now } = this;
    if (now === undefined || find(now, key) === undefined) return;
    this.now = remove(now, key, this.beginWrite());
    this.reshaped += 1;
  }

  private put(leaf: Leaf): void {
    if (leaf.key.length === 0) throw new Error("key is empty");
    const size = this.now?.size ?? 0;
    this.now = insert(this.now, leaf, this.beginWrite());
    if (this.now.size !== size) this.reshaped += 1;
  }

  private beginWrite(): Batch {
    this.sharedDraft = undefined;
    this.batch ??= { version: this.version };
    return this.batch;
  }

  /**
   * The tree to commit (rules/store 1.3). The SDK writes a block's changed keys once each, in
   * sorted order, regardless of the order in the block, and the shape of an AVL tree (so its hash)
   * depends on the order in which keys are added and removed. With at most one key added or removed
   * the order does not matter, and the working tree is already the result.
   */
  canonicalRoot(): TreeNode | undefined {
    const { root: working, reshaped } = this;
    if (reshaped <= 1) return working;
    const batch = { version: this.version };
    let root = this.base;
    // Replacing a leaf does not change the shape, so it is done after all additions and removals.
    const replaced: Leaf[] = [];
    walkChanges(this.base, working, isSame, (before, after) => {
      if (after !== undefined && before !== undefined) replaced.push(after);
      else if (after !== undefined) root = insert(root, after, batch);
      else if (root !== undefined && before !== undefined) root = remove(root, before.key, batch);
    });
    return root && replace(root, replaced, batch);
  }

  /**
   * The tree that results from inserting the keys written so far into an empty tree in sorted
   * order: the SDK commits it with a chain's first block, since the genesis is not in a tree
   * before.
   */
  rebuiltRoot(): TreeNode | undefined {
    const { root: working, reshaped } = this;
    // A genesis is already such a tree, and replacing a leaf does not change the shape.
    if (reshaped === 0) return working;
    const batch = { version: this.version };
    let root: TreeNode | undefined;
    for (const leaf of new Range(working, undefined, undefined, false))
      root = insert(root, leaf, batch);
    return root;
  }
}

/** A working tree shares unwritten nodes with the committed one. */
const isSame = (before: TreeNode, after: TreeNode): boolean => before === after;
