import { describe, expect, test } from "vitest";
import { toHex, utf8 } from "../../base/bytes.ts";
import { NaiveTree } from "./iavl.testing.ts";
import {
  type CommittedState,
  emptyState,
  loadState,
  MultiStore,
  type StoreUpgrades,
} from "./multi-store.ts";
import { defaultStoreLoader, upgradeStoreLoader } from "./store-upgrades.ts";

const none: StoreUpgrades = { added: [], renamed: [], deleted: [] };

const base = (() => {
  const multi = new MultiStore(emptyState(["bank", "foo"]), 4);
  for (const letter of "hgfedcba") multi.store("foo").set(utf8(letter), utf8(letter + letter));
  multi.store("bank").set(utf8("k"), utf8("v"));
  return multi.commit();
})();

describe("loading the stores of a binary (rules/upgrade 6.2, 6.3)", () => {
  test("the same stores give the same state object", () => {
    expect(loadState(base, ["foo", "bank"], undefined, 4)).toBe(base);
    expect(loadState(base, ["bank", "foo"], none, 4)).toBe(base);
  });

  test("a mounted store that is neither known nor added is the error operators see", () => {
    expect(() => loadState(base, ["bank", "foo", "new"], none, 4)).toThrow(
      new Error(
        "version of store new mismatch root store's version; expected 4 got 0; new stores should be added using StoreUpgrades",
      ),
    );
  });

  test("on a chain without a committed height every store may be new", () => {
    expect(loadState(emptyState([]), ["a", "b"], undefined, 0).storeNames).toEqual(["a", "b"]);
  });

  test("an added store is empty and sorted in", () => {
    const state = loadState(base, ["foo", "evidence", "bank"], { ...none, added: ["evidence"] }, 4);
    expect(state.storeNames).toEqual(["bank", "evidence", "foo"]);
    expect([...state.reader("evidence").iterate()]).toEqual([]);
    expect(state.root("foo")).toEqual(base.root("foo"));
    expect(toHex(state.appHash)).not.toBe(toHex(base.appHash));
  });

  test("a renamed store has every pair under its new name, written anew at the next height", () => {
    const renamed = [{ oldKey: "foo", newKey: "bar" }];
    const state = loadState(base, ["bank", "bar"], { ...none, renamed }, 4);
    expect(state.storeNames).toEqual(["bank", "bar"]);
    expect(state.reader("bar").get(utf8("c"))).toEqual(utf8("cc"));
    const naive = new NaiveTree();
    naive.version = 5;
    for (const letter of "abcdefgh") naive.set(utf8(letter), utf8(letter + letter));
    expect(toHex(state.root("bar"))).toBe(toHex(naive.hash()));
  });

  test("a deleted store that is still mounted is empty for one block and in no commit; mounted again it is the mismatch", () => {
    const loaded = loadState(base, ["bank", "foo"], { ...none, deleted: ["foo"] }, 4);
    expect([...loaded.reader("foo").iterate()]).toEqual([]);
    const stores = new MultiStore(loaded, 5);
    stores.store("foo").set(utf8("x"), utf8("y"));
    const state = stores.commit();
    expect(state.storeNames).toEqual(["bank"]);
    expect(state.appHash).toEqual(new MultiStore(loaded, 5).commit().appHash);
    expect(() => loadState(state, ["bank", "foo"], undefined, 5)).toThrow(
      "version of store foo mismatch root store's version; expected 5 got 0",
    );
  });

  test("a store that is renamed away and still mounted stays in the commit with its hash", () => {
    const renamed = [{ oldKey: "foo", newKey: "bar" }];
    const state = loadState(base, ["bank", "foo", "bar"], { ...none, renamed }, 4);
    expect(state.storeNames).toEqual(["bank", "bar", "foo"]);
    expect(state.root("foo")).toEqual(base.root("foo"));
  });

  describe("a store is not added where the disk has earlier versions of it", () => {
    const found = (version: number, first: number) =>
      `failed to load store: initial version set to ${version}, but found earlier version ${first}`;
    const committed = (state: CommittedState) => new MultiStore(state, 5).commit();
    const renamed = [{ oldKey: "bank", newKey: "foo" }];
    const added = { ...none, added: ["foo"] };

    test.each([
      ["mounted", base],
      ["dropped", committed(loadState(base, ["bank"], none, 4))],
      ["deleted", committed(loadState(base, ["bank", "foo"], { ...none, deleted: ["foo"] }, 4))],
      [
        "renamed away",
        committed(
          loadState(
            base,
            ["bank", "bar"],
            { ...none, renamed: [{ oldKey: "foo", newKey: "bar" }] },
            4,
          ),
        ),
      ],
    ])("%s before", (_, state) => {
      expect(() => loadState(state, ["bank", "foo"], added, 15)).toThrow(found(16, 1));
      expect(() => loadState(state, ["foo"], { ...none, renamed }, 15)).toThrow(found(16, 1));
    });

    test("and the first version is that at which it was added, or of the disk's snapshot", () => {
      const with5 = committed(
        loadState(base, ["bank", "foo", "new"], { ...none, added: ["new"] }, 4),
      );
      const without = loadState(with5, ["bank", "foo"], none, 8);
      const again = { ...none, added: ["new"] };
      const mounted = ["bank", "foo", "new"];
      expect(() => loadState(without, mounted, again, 15)).toThrow(found(16, 5));
      expect(() => loadState(without, mounted, again, 15, 7)).toThrow(found(16, 7));
      expect(loadState(without, mounted, again, 15, 9).has("new")).toBe(true);
    });
  });

  test("a store no longer mounted is dropped", () => {
    expect(loadState(base, ["bank"], none, 4).storeNames).toEqual(["bank"]);
  });
});

describe("StoreLoaders (rules/upgrade 6.1, 6.4)", () => {
  const added = { ...none, added: ["evidence"] };
  const mounted = ["foo", "evidence", "bank"];

  test("that of x/upgrade changes stores at the height below the upgrade's alone", () => {
    expect(upgradeStoreLoader(5, added)(base, mounted, 4).has("evidence")).toBe(true);
    for (const upgradeHeight of [4, 6]) {
      expect(() => upgradeStoreLoader(upgradeHeight, added)(base, mounted, 4)).toThrow(
        "version of store evidence mismatch",
      );
    }
    expect(upgradeStoreLoader(9, added)(base, ["foo", "bank"], 4)).toBe(base);
  });

  test("the default one changes none", () => {
    expect(() => defaultStoreLoader(5, added)(base, mounted, 4)).toThrow(
      "version of store evidence mismatch",
    );
  });
});
