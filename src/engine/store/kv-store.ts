/** A module's view of its store: keys and values, ranges, and cached decoded values. */
import { prefixEnd, startsWith } from "../../base/bytes.ts";
import { type Codec, type Entry, find, findFrom, type TreeNode } from "./node.ts";
import { Range } from "./range.ts";

export type { Codec, Entry } from "./node.ts";

export interface KVReader {
  get(key: Uint8Array): Uint8Array | undefined;
  has(key: Uint8Array): boolean;
  /** Decodes the value, at most once per write. The result is shared: never modify it. */
  read<T>(key: Uint8Array, codec: Codec<T>): T | undefined;
  /**
   * Entries with start ≤ key < end at the time of the call: later writes do not affect the
   * iteration.
   */
  iterate(start?: Uint8Array, end?: Uint8Array, reverse?: boolean): Iterable<Entry>;
  /** Entries whose key starts with these bytes. */
  prefix(prefix: Uint8Array, reverse?: boolean): Iterable<Entry>;
  /**
   * The first of these entries; undefined if there is none. Every block uses this to check for any.
   */
  first(prefix: Uint8Array): Entry | undefined;
}

export interface KVStore extends KVReader {
  /**
   * Stores both arrays without copying: do not modify them afterwards. The value may be empty, the
   * key may not.
   */
  set(key: Uint8Array, value: Uint8Array): void;
  /** Encodes with the codec and caches the value for readers: do not modify it afterwards. */
  write<T>(key: Uint8Array, codec: Codec<T>, value: T): void;
  /** Does nothing if the key is absent. */
  delete(key: Uint8Array): void;
}

/** Reads the current tree at the time of the call. */
export abstract class TreeReader implements KVReader {
  /** Tree for looking up a leaf or its existence: a later write may change it. */
  protected abstract readonly now: TreeNode | undefined;
  /** Same tree, but not changed by later writes. */
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
