import { compare } from "../primitives/bytes.ts";
import { type KVStore, TreeReader } from "./kv-store.ts";
import { type Codec, find, insert, Leaf, remove, replace, type TreeNode } from "./node.ts";
import { Range } from "./range.ts";

/** One store in the middle of a block. Immutable, so a mark is a reference to it. */
export interface Draft {
  readonly root: TreeNode | undefined;
  /** Every key written so far, latest first; a key may appear more than once. */
  readonly writes: Writes | undefined;
  /** How many of the writes added or removed a key; the others only replaced a leaf. */
  readonly reshaped: number;
}

interface Writes {
  readonly key: Uint8Array;
  readonly before: Writes | undefined;
}

export class WorkingStore extends TreeReader implements KVStore {
  draft: Draft;
  private readonly base: TreeNode | undefined;
  private readonly version: number;

  constructor(base: TreeNode | undefined, version: number) {
    super();
    this.base = base;
    this.version = version;
    this.draft = { root: base, writes: undefined, reshaped: 0 };
  }

  get root(): TreeNode | undefined {
    return this.draft.root;
  }

  set(key: Uint8Array, value: Uint8Array): void {
    this.put(new Leaf(key, value, this.version));
  }

  write<T>(key: Uint8Array, codec: Codec<T>, value: T): void {
    this.put(Leaf.of(key, codec, value, this.version));
  }

  delete(key: Uint8Array): void {
    const { root, writes, reshaped } = this.draft;
    if (root === undefined || find(root, key) === undefined) return;
    this.draft = {
      root: remove(root, key, this.version),
      writes: { key, before: writes },
      reshaped: reshaped + 1,
    };
  }

  private put(leaf: Leaf): void {
    if (leaf.key.length === 0) throw new Error("key is empty");
    const { root, writes, reshaped } = this.draft;
    const next = insert(root, leaf);
    this.draft = {
      root: next,
      writes: { key: leaf.key, before: writes },
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
    const { root: working, reshaped } = this.draft;
    if (reshaped <= 1) return working;
    let root = this.base;
    // Replacing a leaf moves nothing, so it may wait until all others have come and gone.
    const replaced: Leaf[] = [];
    let previous: Uint8Array | undefined;
    for (const key of this.writtenKeys().sort(compare)) {
      if (previous !== undefined && compare(previous, key) === 0) continue;
      previous = key;
      const before = find(this.base, key);
      const after = find(working, key);
      if (after === before) continue;
      if (after !== undefined && before !== undefined) replaced.push(after);
      else if (after !== undefined) root = insert(root, after);
      else if (root !== undefined) root = remove(root, key, this.version);
    }
    return root && replace(root, replaced);
  }

  /**
   * The tree that the keys written so far would make if they came to an empty one, sorted: what the SDK
   * commits with a chain's first block, in which nothing of the genesis is in a tree yet.
   */
  rebuiltRoot(): TreeNode | undefined {
    const { root: working, reshaped } = this.draft;
    // A genesis is such a tree already, and replacing a leaf moves nothing.
    if (reshaped === 0) return working;
    let root: TreeNode | undefined;
    for (const leaf of new Range(working, undefined, undefined, false)) root = insert(root, leaf);
    return root;
  }

  private writtenKeys(): Uint8Array[] {
    const keys: Uint8Array[] = [];
    for (let at = this.draft.writes; at !== undefined; at = at.before) keys.push(at.key);
    return keys;
  }
}
