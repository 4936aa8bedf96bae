import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ExistenceProof, StoreProof } from "../../store/types.ts";
import { fromHex, proofHashes, toHex } from "./check-proof.ts";

const sha = (...hex: readonly string[]): string =>
  createHash("sha256")
    .update(Buffer.from(hex.join(""), "hex"))
    .digest("hex")
    .toUpperCase();

const HASH = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex);
const BYTES = fc.uint8Array({ minLength: 1, maxLength: 200 }).map(toHex);
const HEAD = fc.uint8Array({ minLength: 3, maxLength: 9 }).map(toHex);

/** A node of a tree, or of the stores, with its neighbour on either side. */
const treeStep = fc
  .record({ head: HEAD, neighbour: HASH, left: fc.boolean() })
  .map(({ head, neighbour, left }) => ({
    ...{ neighbour, hash: "", covers: 2 },
    ...(left
      ? { prefix: `${head}20${neighbour}20`, suffix: "" }
      : { prefix: `${head}20`, suffix: `20${neighbour}` }),
  }));
const storeStep = fc.record({ neighbour: HASH, left: fc.boolean() }).map(({ neighbour, left }) => ({
  ...{ neighbour, hash: "", covers: 2 },
  ...(left ? { prefix: `01${neighbour}`, suffix: "" } : { prefix: "01", suffix: neighbour }),
}));

type Step = ExistenceProof["path"][number] & { readonly neighbour: string };

const proofs = fc
  .record({
    key: BYTES,
    value: BYTES,
    head: HEAD,
    tree: fc.array(treeStep, { maxLength: 8 }),
    stores: fc.array(storeStep, { maxLength: 4 }),
  })
  .map(({ key, value, head, tree, stores }) => {
    const proof: StoreProof = {
      ...{ height: 7, store: "staking", appHash: "", headerHeight: 8, headerAppHash: "" },
      tree: { key, value, leafPrefix: head, leafHash: "", name: "", path: tree },
      stores: {
        key: "AB",
        value: "not read",
        leafPrefix: "00",
        leafHash: "",
        name: "",
        path: stores,
      },
    };
    return { proof, steps: [...tree, ...stores] as readonly Step[] };
  });

const lengthOf = (hex: string): string => {
  const size = hex.length / 2;
  return size < 0x80
    ? toHex(Uint8Array.of(size))
    : toHex(Uint8Array.of((size & 0x7f) | 0x80, size >> 7));
};

test("each hash is SHA-256 of what stands before it, the hash below it, and what stands behind", () => {
  fc.assert(
    fc.property(proofs, ({ proof }) => {
      const { tree, stores } = proof as Required<StoreProof> & {
        tree: ExistenceProof;
        stores: ExistenceProof;
      };
      const expected = [sha(tree.leafPrefix, lengthOf(tree.key), tree.key, "20", sha(tree.value))];
      const climb = (path: ExistenceProof["path"]): void => {
        for (const { prefix, suffix } of path)
          expected.push(sha(prefix, expected.at(-1) ?? "", suffix));
      };
      climb(tree.path);
      expected.push(sha("00", "01", "AB", "20", sha(expected.at(-1) ?? "")));
      climb(stores.path);
      expect(proofHashes(proof).map(({ hash }) => hash)).toEqual(expected);
    }),
  );
});

test("what is hashed is told part by part, with the neighbour apart, and is all of it", () => {
  fc.assert(
    fc.property(proofs, ({ proof, steps }) => {
      const hashes = proofHashes(proof);
      for (const { parts, hash } of hashes) expect(sha(...parts.map(({ hex }) => hex))).toBe(hash);
      const nodes = hashes.filter(({ leaf }) => !leaf);
      expect(nodes.map(({ neighbour }) => neighbour)).toEqual(
        steps.map(({ neighbour }) => neighbour),
      );
    }),
  );
});

test("with any one byte of the value changed every hash above it is another", () => {
  fc.assert(
    fc.property(proofs, fc.nat(), fc.integer({ min: 1, max: 255 }), ({ proof }, place, by) => {
      const bytes = fromHex(proof.tree?.value ?? "");
      const at = place % bytes.length;
      const changed = bytes.map((byte, i) => (i === at ? byte ^ by : byte));
      const before = proofHashes(proof);
      const after = proofHashes(proof, toHex(changed));
      expect(after).toHaveLength(before.length);
      expect(after.filter(({ hash }, i) => hash === before[i]?.hash)).toEqual([]);
    }),
  );
});
