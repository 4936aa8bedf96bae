import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compare, toHex, utf8 } from "../../base/bytes.ts";
import { NaiveTree } from "./iavl.testing.ts";
import { find, heightOf, insert, Leaf, remove, rootHash, type TreeNode } from "./node.ts";

const put = (root: TreeNode | undefined, key: string, value: string, version: number): TreeNode =>
  insert(root, new Leaf(utf8(key), utf8(value), version));
const hash = (root: TreeNode | undefined): string => toHex(rootHash(root));

describe("hashes of IAVL v1 (rules/store 1.1)", () => {
  test("an empty tree has the hash of no bytes", () => {
    expect(hash(undefined)).toBe(
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    );
  });

  test("one key a version, a rewrite with the same value, a removal", () => {
    const v1 = put(undefined, "a", "1", 1);
    expect(hash(v1)).toBe("bbe33cd0a785b97b9fb1f964aa71159dacd9e0ade84df7403dc0f9dc24818404");
    const v2 = put(v1, "b", "2", 2);
    expect(hash(v2)).toBe("fd654bad78771a5194bbf63a9a7002e16159646c6e914bed597c01691c74e4e6");
    const v3 = put(v2, "c", "3", 3);
    expect(hash(v3)).toBe("e5e34efd5643d503609221ce56db853e2aeec1fe00125b9aabcf6e86fc8671a5");
    const v4 = put(v3, "a", "1", 4);
    expect(hash(v4)).toBe("df3a51c4af45445e6cccde277ccc29664f889010882cde5bdf84416fe578f0dc");
    const v6 = remove(v4, utf8("b"), { version: 6 });
    expect(hash(v6)).toBe("97c01263750753d25008a6d0b2c2b898a33b425b5f1a9358e9b14b9ce1e59080");
    expect(hash(v3), "older roots stay").toBe(
      "e5e34efd5643d503609221ce56db853e2aeec1fe00125b9aabcf6e86fc8671a5",
    );
  });

  test("eight keys in one version", () => {
    let root: TreeNode | undefined;
    for (const letter of "abcdefgh") root = put(root, letter, letter + letter, 1);
    expect(hash(root)).toBe("0cb9742aa7dd9e083a37ceeada18b986edef7f04972b4ab4580b6520dd16d3e4");
  });

  test("keys longer than the usual scratch space are hashed like any other", () => {
    const key = new Uint8Array(1000).fill(7);
    const naive = new NaiveTree();
    naive.set(key, utf8("v"));
    expect(rootHash(insert(undefined, new Leaf(key, utf8("v"), 1)))).toEqual(naive.hash());
  });
});

const anyKey = fc.uint8Array({ minLength: 1, maxLength: 3 }).map((k) => k.map((b) => b % 8));
const anyWrite = fc.record({
  key: anyKey,
  value: fc.option(fc.uint8Array({ maxLength: 4 }), { nil: undefined, freq: 3 }),
  newVersion: fc.boolean(),
});

describe("for any sequence of sets and removals", () => {
  test("the hash equals that of a tree written from the rules alone", () => {
    fc.assert(
      fc.property(fc.array(anyWrite, { maxLength: 120 }), (writes) => {
        const naive = new NaiveTree();
        let root: TreeNode | undefined;
        for (const { key, value, newVersion } of writes) {
          if (newVersion) naive.version++;
          if (value) {
            naive.set(key, value);
            root = insert(root, new Leaf(key, value, naive.version));
          } else {
            naive.remove(key);
            if (root && find(root, key)) root = remove(root, key, { version: naive.version });
          }
        }
        expect(rootHash(root)).toEqual(naive.hash());
      }),
    );
  });

  test("a node that the tree has no more keeps no hash, and has it again when it is asked for", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anyKey, { minLength: 1, maxLength: 30, selector: toHex }),
        fc.array(anyWrite, { maxLength: 20 }),
        (keys, writes) => {
          let root: TreeNode | undefined;
          for (const key of keys) root = insert(root, new Leaf(key, key, 1));
          const old = root;
          const hashed = hash(old);
          const batch = { version: 2 };
          for (const { key, value } of writes) {
            if (value) root = insert(root, new Leaf(key, value, 2), batch);
            else if (root && find(root, key)) root = remove(root, key, batch);
          }
          const kept = new Set(nodesOf(root));
          const gone = nodesOf(old).filter((node) => !kept.has(node));
          expect(gone.filter((node) => node.hash !== undefined)).toEqual([]);
          expect(hash(old)).toBe(hashed);
        },
      ),
    );
  });

  test("the tree is balanced, sorted, counts its leaves, and finds what was written last", () => {
    fc.assert(
      fc.property(fc.array(anyWrite, { maxLength: 200 }), (writes) => {
        const model = new Map<string, Uint8Array>();
        let root: TreeNode | undefined;
        for (const { key, value } of writes) {
          if (value) {
            model.set(toHex(key), value);
            root = insert(root, new Leaf(key, value, 1));
          } else if (root && model.delete(toHex(key))) {
            root = remove(root, key, { version: 1 });
          }
        }
        const leaves = root ? check(root) : [];
        expect(leaves.map((leaf) => [toHex(leaf.key), leaf.value])).toEqual(
          [...model].sort(([a], [b]) => (a < b ? -1 : 1)),
        );
        for (const { key } of writes) {
          expect(find(root, key)?.value).toEqual(model.get(toHex(key)));
        }
      }),
    );
  });
});

function nodesOf(root: TreeNode | undefined): TreeNode[] {
  if (root?.left === undefined) return root ? [root] : [];
  return [root, ...nodesOf(root.left), ...nodesOf(root.right)];
}

/** Checks the invariants of all inner nodes, and returns the leaves in order. */
function check(node: TreeNode): Leaf[] {
  if (node.left === undefined) return [node];
  const left = check(node.left);
  const right = check(node.right);
  expect(Math.abs(heightOf(node.left) - heightOf(node.right))).toBeLessThanOrEqual(1);
  expect(heightOf(node)).toBe(1 + Math.max(heightOf(node.left), heightOf(node.right)));
  expect(node.size).toBe(left.length + right.length);
  expect(node.key).toEqual(right[0]?.key);
  expect(compare((left.at(-1) as Leaf).key, node.key)).toBeLessThan(0);
  return [...left, ...right];
}
