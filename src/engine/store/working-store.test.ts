import { beforeEach, describe, expect, test } from "vitest";
import { EMPTY, toHex, u64be, utf8 } from "../../base/bytes.ts";
import { find, heightOf, rootHash, type TreeNode } from "./node.ts";
import { WorkingStore } from "./working-store.ts";

const set = (store: WorkingStore, letters: string, value = "x"): void => {
  for (const letter of letters) store.set(utf8(letter), utf8(value));
};
const remove = (store: WorkingStore, letters: string): void => {
  for (const letter of letters) store.delete(utf8(letter));
};
const hashOf = (root: TreeNode | undefined): string => toHex(rootHash(root));

/** A tree of seven keys committed in block 1, and a store of block 2 over it. */
const base = (() => {
  const first = new WorkingStore(undefined, 1);
  set(first, "acegikm");
  return first.canonicalRoot();
})();
let store: WorkingStore;
beforeEach(() => {
  store = new WorkingStore(base, 2);
});

describe("a draft", () => {
  test("begins with the committed tree and no writes", () => {
    expect(store.draft).toEqual({ root: base, reshaped: 0 });
    expect(store.root).toBe(base);
  });

  test("counts the keys that came or went, not the values replaced", () => {
    set(store, "ac");
    expect(store.draft.reshaped).toBe(0);
    set(store, "bb");
    expect(store.draft.reshaped).toBe(1);
    remove(store, "ab");
    expect(store.draft.reshaped).toBe(3);
    const first = new WorkingStore(undefined, 1);
    set(first, "a");
    expect(first.draft.reshaped).toBe(1);
  });

  test("is the same one after a removal of what is not there", () => {
    const { draft } = store;
    remove(store, "b");
    expect(store.draft).toBe(draft);
    const empty = new WorkingStore(undefined, 1);
    remove(empty, "b");
    expect(empty.root).toBeUndefined();
  });

  test("does not change by a write with an empty key, which is refused", () => {
    const { draft } = store;
    expect(() => store.set(EMPTY, EMPTY)).toThrow("key is empty");
    expect(store.draft).toBe(draft);
  });

  test("has the new leaf with the version of the block, and its decoded value if that is known", () => {
    const codec = { encode: (value: bigint) => u64be(value), decode: () => 0n };
    store.write(utf8("n"), codec, 7n);
    const leaf = find(store.root, utf8("n"));
    expect([leaf?.version, leaf?.value, leaf?.read(codec)]).toEqual([2, u64be(7), 7n]);
    set(store, "b");
    expect(find(store.root, utf8("b"))?.version).toBe(2);
  });
});

describe("the tree to commit", () => {
  test("is the base if nothing is written, or all that came went again", () => {
    expect(store.canonicalRoot()).toBe(base);
    set(store, "bd");
    remove(store, "bd");
    expect(store.canonicalRoot()).toBe(base);
  });

  test.each([
    ["only values are replaced", "aem", ""],
    ["one key comes", "aemb", ""],
    ["one key goes", "ae", "g"],
  ])("is the working tree as it stands if %s", (_when, source, removed) => {
    set(store, source);
    remove(store, removed);
    expect(store.canonicalRoot()).toBe(store.root);
  });

  test("is the one of the final writes in key order, whatever their order was", () => {
    const sorted = new WorkingStore(base, 2);
    set(sorted, "ab");
    remove(sorted, "c");
    set(sorted, "dfhz");
    set(store, "zhfxdb");
    remove(store, "xc");
    set(store, "a");
    expect(hashOf(store.canonicalRoot())).toBe(hashOf(sorted.canonicalRoot()));
    expect(store.canonicalRoot()).not.toBe(store.root);
  });

  test("has the last of several values of a key", () => {
    set(store, "bd");
    set(store, "abd", "first");
    set(store, "abd", "last");
    for (const letter of "abd") {
      expect(find(store.canonicalRoot(), utf8(letter))?.value).toEqual(utf8("last"));
    }
  });

  test("is none after every key went", () => {
    remove(store, "acegikm");
    expect(store.canonicalRoot()).toBeUndefined();
  });
});

describe("the tree built anew", () => {
  test("is the working tree as it stands if no key came or went", () => {
    set(store, "ac");
    expect(store.rebuiltRoot()).toBe(store.root);
  });

  test("is that of all its keys, come to an empty tree in order", () => {
    set(store, "zb");
    remove(store, "c");
    const anew = new WorkingStore(undefined, 2);
    set(anew, "abegikmz");
    const keysOf = (root: TreeNode | undefined): string[] =>
      root === undefined
        ? []
        : root.left === undefined
          ? [toHex(root.key)]
          : [...keysOf(root.left), ...keysOf(root.right)];
    expect(keysOf(store.rebuiltRoot())).toEqual(keysOf(anew.root));
    expect(heightOf(store.rebuiltRoot() as TreeNode)).toBe(heightOf(anew.root as TreeNode));
    expect(store.rebuiltRoot()).not.toBe(store.root);
  });

  test("is none for no keys", () => {
    remove(store, "acegikm");
    expect(store.rebuiltRoot()).toBeUndefined();
  });
});
