/** A module's view of its store: keys and values, ranges, and values decoded once. */
import { prefixEnd, startsWith } from "../primitives/bytes.ts";
import { type Codec, type Entry, find, findFrom, type TreeNode } from "./node.ts";
import { Range } from "./range.ts";

export type { Codec, Entry } from "./node.ts";

export interface KVReader {
  get(key: Uint8Array): Uint8Array | undefined;
  has(key: Uint8Array): boolean;
  /** The value decoded, at most once for each write. It is shared: never change it. */
  read<T>(key: Uint8Array, codec: Codec<T>): T | undefined;
  /** Entries with start ≤ key < end, as they are now: later writes do not disturb the walk. */
  iterate(start?: Uint8Array, end?: Uint8Array, reverse?: boolean): Iterable<Entry>;
  /** Entries whose key begins with these bytes. */
  prefix(prefix: Uint8Array, reverse?: boolean): Iterable<Entry>;
  /** The first of these; undefined if there is none. Every block checks in this way for any. */
  first(prefix: Uint8Array): Entry | undefined;
}

export interface KVStore extends KVReader {
  /** Keeps both arrays: do not change them afterwards. The value may be empty, the key may not. */
  set(key: Uint8Array, value: Uint8Array): void;
  /** Encodes as its codec says and keeps the value for readers: do not change it afterwards. */
  write<T>(key: Uint8Array, codec: Codec<T>, value: T): void;
  /** Does nothing if the key is absent. */
  delete(key: Uint8Array): void;
}

/** Reads the tree as it is at the time of the call. */
export abstract class TreeReader implements KVReader {
  /** To find a leaf in, or whether there is one: a later write may change it. */
  protected abstract readonly now: TreeNode | undefined;
  /** The same, which no later write changes. */
  abstract readonly root: TreeNode | undefined;

  get(key: Uint8Array): Uint8Array | undefined {
    return find(this.now, key)?.value;
  }

  has(key: Uint8Array): boolean {
    return find(this.now, key) !== undefined;
  }

  read<T>(key: Uint8Array, codec: Codec<T>): T | undefined {
    return find(this.now, key)?.read(codec);
  }

  iterate(start?: Uint8Array, end?: Uint8Array, reverse = false): Iterable<Entry> {
    return new Range(this.root, start, end, reverse);
  }

  prefix(prefix: Uint8Array, reverse = false): Iterable<Entry> {
    return new Range(this.root, prefix, prefixEnd(prefix), reverse);
  }

  first(prefix: Uint8Array): Entry | undefined {
    const found = findFrom(this.now, prefix);
    return found && startsWith(found.key, prefix) ? found : undefined;
  }
}
