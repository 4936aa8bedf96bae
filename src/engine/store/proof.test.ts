import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compare, concat, equal, toHex, utf8 } from "../../base/bytes.ts";
import { propertyRuns } from "../../base/property.testing.ts";
import { sha256 } from "../../base/sha256.ts";
import { uvarint } from "../../base/varint.ts";
import { type CommittedState, emptyState, MultiStore } from "./multi-store.ts";
import {
  type ExistenceProof,
  type NonExistenceProof,
  prove,
  proveKey,
  proveStore,
} from "./proof.ts";

const key = fc.uint8Array({ minLength: 1, maxLength: 3 });
const value = fc.uint8Array({ maxLength: 4 });
const entries = fc.uniqueArray(fc.tuple(key, value), {
  minLength: 1,
  maxLength: 60,
  selector: ([bytes]) => toHex(bytes),
});
/** Stores of a state with their contents. */
const states = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,5}$/), entries), {
  minLength: 1,
  maxLength: 9,
  selector: ([name]) => name,
});

function stateOf(stores: readonly (readonly [string, [Uint8Array, Uint8Array][]])[]) {
  let state = emptyState(stores.map(([name]) => name));
  // Written in several blocks, so that nodes have different versions.
  for (const version of [1, 2, 3]) {
    const multi = new MultiStore(state, version);
    for (const [name, all] of stores) {
      all.forEach(([k, v], i) => {
        if (i % 3 === version - 1) multi.store(name).set(k, v);
      });
    }
    state = multi.commit();
  }
  return state;
}

/** Final hash of a proof, computed only from its key and value: written from rules/store 2.5. */
const endOf = ({ key, value, leafPrefix, path }: ExistenceProof): Uint8Array =>
  path.reduce(
    (hash, { prefix, suffix }) => sha256(concat(prefix, hash, suffix)),
    sha256(concat(leafPrefix, uvarint(key.length), key, uvarint(32), sha256(value))),
  );

const fits = (tree: ExistenceProof, stores: ExistenceProof, state: CommittedState): boolean =>
  equal(endOf(tree), stores.value) && equal(endOf(stores), state.appHash);

const proofsOf = (state: CommittedState, name: string, key: Uint8Array) =>
  [proveKey(state.store(name).root, key) as ExistenceProof, proveStore(state, name)] as const;

test("every key of every store is proved up to the app hash, and each step says its hash", () => {
  fc.assert(
    fc.property(states, (stores) => {
      const state = stateOf(stores);
      for (const [name, all] of stores) {
        for (const [k, v] of all) {
          const [tree, above] = proofsOf(state, name, k);
          expect([toHex(tree.key), toHex(tree.value)]).toEqual([toHex(k), toHex(v)]);
          expect(fits(tree, above, state)).toBe(true);
          for (const proof of [tree, above]) {
            expect(toHex(endOf({ ...proof, path: [] }))).toBe(toHex(proof.leafHash));
            proof.path.forEach(({ hash }, i) => {
              expect(toHex(endOf({ ...proof, path: proof.path.slice(0, i + 1) }))).toBe(
                toHex(hash),
              );
            });
          }
          expect(tree.path.at(-1)?.covers ?? 1).toBe(all.length);
          expect(above.path.at(-1)?.covers ?? 1).toBe(stores.length);
        }
      }
    }),
    { numRuns: propertyRuns(30) },
  );
});

test("with any one byte changed, of the key, the value, or a step, a proof ends elsewhere", () => {
  const change = fc.record({
    store: fc.nat(),
    entry: fc.nat(),
    place: fc.nat(),
    by: fc.integer({ min: 1, max: 255 }),
  });
  fc.assert(
    fc.property(states, change, (stores, { store, entry, place, by }) => {
      const state = stateOf(stores);
      const [name, all] = stores[store % stores.length] as (typeof stores)[0];
      const [k] = all[entry % all.length] as (typeof all)[0];
      const [tree, above] = proofsOf(state, name, k);
      const parts = [tree, above].map(bytesOf);
      const bytes = parts.flat();
      const sizes = bytes.map(({ length }) => length);
      let at = place % sizes.reduce((sum, size) => sum + size, 0);
      const part = sizes.findIndex((size) => {
        if (at < size) return true;
        at -= size;
        return false;
      });
      const flipped = bytes.map((one, i) =>
        i === part ? one.map((byte, j) => (j === at ? byte ^ by : byte)) : one,
      );
      const first = parts[0]?.length ?? 0;
      const changed = [
        withBytes(tree, flipped.slice(0, first)),
        withBytes(above, flipped.slice(first)),
      ] as const;
      expect(fits(...changed, state)).toBe(false);
    }),
  );
});

const bytesOf = ({ key, value, leafPrefix, path }: ExistenceProof): Uint8Array[] => [
  key,
  value,
  leafPrefix,
  ...path.flatMap(({ prefix, suffix }) => [prefix, suffix]),
];

function withBytes(proof: ExistenceProof, bytes: readonly Uint8Array[]): ExistenceProof {
  const [key, value, leafPrefix, ...rest] = bytes as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    ...Uint8Array[],
  ];
  const path = proof.path.map((step, i) => ({
    ...step,
    prefix: rest[2 * i] ?? step.prefix,
    suffix: rest[2 * i + 1] ?? step.suffix,
  }));
  return { ...proof, key, value, leafPrefix, path };
}

describe("what is not there", () => {
  test("is shown by the keys beside its place, which are proved like any other", () => {
    fc.assert(
      fc.property(entries, key, (all, requested) => {
        const state = stateOf([["bank", all]]);
        const proof = prove(state.store("bank").root, requested);
        const sorted = all.map(([k]) => k).sort(compare);
        if (sorted.some((k) => equal(k, requested))) {
          expect(proof).toMatchObject({ key: requested, path: expect.anything() });
          return;
        }
        const { left, right } = proof as NonExistenceProof;
        expect(left?.key).toEqual(sorted.findLast((k) => compare(k, requested) < 0));
        expect(right?.key).toEqual(sorted.find((k) => compare(k, requested) > 0));
        for (const side of [left, right]) {
          if (side !== undefined) expect(fits(side, proveStore(state, "bank"), state)).toBe(true);
        }
      }),
    );
  });

  test("has no neighbours in an empty store, and a store that is not there has no proof", () => {
    const state = stateOf([["bank", [[utf8("k"), utf8("v")]]]]);
    expect(proveKey(state.store("bank").root, utf8("l"))).toBeUndefined();
    expect(prove(undefined, utf8("k"))).toEqual({ key: utf8("k") });
    expect(() => proveStore(state, "gov")).toThrow("store gov is not mounted");
  });
});
