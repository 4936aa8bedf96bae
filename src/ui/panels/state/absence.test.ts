import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ExistenceProof, StoreProof } from "../../store/types.ts";
import { absenceOf } from "./absence.ts";
import { toHex } from "./check-proof.ts";

const sha = (...hex: readonly string[]): string =>
  createHash("sha256")
    .update(Buffer.from(hex.join(""), "hex"))
    .digest("hex")
    .toUpperCase();

type Side = "left" | "right";

interface Tree {
  readonly root: string;
  readonly proofs: readonly ExistenceProof[];
}

/**
 * A tree over sorted keys, split as `splits` defines, with the proof of each (rules/store 1.1,
 * 2.5).
 */
function treeOf(keys: readonly string[], splits: readonly number[]): Tree {
  const [only = ""] = keys;
  if (keys.length === 1) {
    const leafPrefix = "000202";
    const size = (only.length / 2).toString(16).padStart(2, "0");
    const root = sha(leafPrefix, size, only, "20", sha("AA"));
    const proof = { key: only, name: "", value: "AA", leafPrefix, leafHash: root, path: [] };
    return { root, proofs: [proof] };
  }
  const [first = 0, ...rest] = splits;
  const at = 1 + (first % (keys.length - 1));
  const left = treeOf(keys.slice(0, at), rest);
  const right = treeOf(keys.slice(at), rest.toReversed());
  const head = `02${(2 * keys.length).toString(16).padStart(2, "0")}04`;
  const root = sha(head, "20", left.root, "20", right.root);
  const above = (side: Side) => (proof: ExistenceProof) => ({
    ...proof,
    path: [
      ...proof.path,
      {
        ...{ hash: root, covers: keys.length },
        ...(side === "left"
          ? { prefix: `${head}20`, suffix: `20${right.root}` }
          : { prefix: `${head}20${left.root}20`, suffix: "" }),
      },
    ],
  });
  const proofs = [...left.proofs.map(above("left")), ...right.proofs.map(above("right"))];
  return { root, proofs };
}

const KEY = fc.uint8Array({ minLength: 1, maxLength: 2 }).map(toHex);
const worlds = fc
  .record({
    keys: fc.uniqueArray(KEY, { minLength: 1, maxLength: 20 }).map((all) => all.toSorted()),
    splits: fc.array(fc.nat(), { minLength: 20, maxLength: 20 }),
  })
  .map(({ keys, splits }) => ({ keys, ...treeOf(keys, splits) }));

const STORES = { key: "AB", name: "", leafPrefix: "00", leafHash: "", path: [] };
const proofOf = (
  key: string,
  root: string,
  sides: { readonly [S in Side]?: ExistenceProof | undefined },
): StoreProof => ({
  ...{ height: 7, store: "staking", appHash: "", headerHeight: 8, headerAppHash: "" },
  absent: {
    ...{ key, name: "" },
    ...(sides.left && { left: sides.left }),
    ...(sides.right && { right: sides.right }),
  },
  stores: { ...STORES, value: root },
});
const appHashOf = (root: string): string => sha("00", "01", "AB", "20", sha(root));

describe("that a key is not there", () => {
  test("is shown by the two keys beside it, or by the first or the last alone", () => {
    fc.assert(
      fc.property(worlds, KEY, ({ keys, root, proofs }, key) => {
        fc.pre(!keys.includes(key));
        const left = proofs.findLast((proof) => proof.key < key);
        const right = proofs.find((proof) => proof.key > key);
        const found = absenceOf(proofOf(key, root, { left, right }));
        expect(found).toMatchObject({ end: appHashOf(root), problem: "" });
        // Together all hashes once: those of both paths, and their common part.
        const sizes = [found?.left, found?.right].map((side) => side?.hashes.length ?? 0);
        const whole = [left, right].map((side) => (side ? side.path.length + 2 : 0));
        const shared = found?.shared.length ?? 0;
        expect(sizes.map((size) => (size === 0 ? 0 : size + shared))).toEqual(whole);
      }),
    );
  });

  test("is not shown by two keys between which there are others, nor by one that is not the last", () => {
    fc.assert(
      fc.property(worlds, KEY, ({ keys, root, proofs }, key) => {
        fc.pre(!keys.includes(key));
        const below = proofs.filter((proof) => proof.key < key);
        const above = proofs.filter((proof) => proof.key > key);
        const problem = (sides: Parameters<typeof proofOf>[2]) =>
          absenceOf(proofOf(key, root, sides))?.problem;
        for (const left of below.slice(0, -1)) {
          expect(problem({ left, right: above[0] })).not.toBe("");
        }
        for (const right of above.slice(1)) {
          expect(problem({ left: below.at(-1), right })).not.toBe("");
        }
        if (below.length > 0 && above.length > 0) {
          expect(problem({ left: below.at(-1) })).toBe("there may be keys above it");
          expect(problem({ right: above[0] })).toBe("there may be keys below it");
        }
        expect(problem({})).toBe("the store is not empty");
      }),
    );
  });

  test("is not shown of a key that is one of the two, or on their other side", () => {
    fc.assert(
      fc.property(worlds, ({ keys, root, proofs }) => {
        for (const [i, key] of keys.entries()) {
          const sides = { left: proofs[i], right: proofs[i + 1] };
          expect(absenceOf(proofOf(key, root, sides))?.problem).toBe(
            "the key does not lie between the two",
          );
        }
      }),
    );
  });

  test("is shown of an empty store by its root alone", () => {
    const found = absenceOf(proofOf("AB", sha(""), {}));
    expect(found).toMatchObject({ left: undefined, right: undefined, problem: "" });
    expect(found?.end).toBe(appHashOf(sha("")));
    expect(found?.shared).toHaveLength(1);
  });

  test("is not what a proof of a key shows", () => {
    const { proofs, root } = treeOf(["01"], []);
    const proof = proofOf("01", root, {});
    expect(
      absenceOf({ ...proof, tree: proofs[0], absent: undefined } as StoreProof),
    ).toBeUndefined();
  });
});

test("with any one byte of a neighbour changed the two do not meet, or end elsewhere", () => {
  fc.assert(
    fc.property(
      worlds,
      KEY,
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (world, key, place, by) => {
        const { keys, root, proofs } = world;
        fc.pre(!keys.includes(key));
        const left = proofs.findLast((proof) => proof.key < key);
        const right = proofs.find((proof) => proof.key > key);
        for (const [side, proof] of Object.entries({ left, right })) {
          if (proof === undefined) continue;
          const changed = withOtherByte(proof, place, by);
          const found = absenceOf(proofOf(key, root, { left, right, [side]: changed }));
          expect(found?.end === appHashOf(root) && found?.problem === "").toBe(false);
        }
      },
    ),
  );
});

function withOtherByte(proof: ExistenceProof, place: number, by: number): ExistenceProof {
  const { key, value, leafPrefix, path } = proof;
  const parts = [key, value, leafPrefix, ...path.flatMap(({ prefix, suffix }) => [prefix, suffix])];
  let at = place % (parts.join("").length / 2);
  const other = parts.map((part) => {
    const bytes = Buffer.from(part, "hex");
    if (at >= 0 && at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ by;
    at -= bytes.length;
    return toHex(bytes);
  });
  return {
    ...proof,
    key: other[0] ?? "",
    value: other[1] ?? "",
    leafPrefix: other[2] ?? "",
    path: path.map((step, i) => ({
      ...step,
      prefix: other[3 + 2 * i] ?? "",
      suffix: other[4 + 2 * i] ?? "",
    })),
  };
}
