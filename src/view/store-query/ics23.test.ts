import {
  iavlSpec,
  ics23,
  tendermintSpec,
  verifyMembership,
  verifyNonMembership,
} from "@confio/ics23";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compare, EMPTY, equal, toHex, utf8 } from "../../base/bytes.ts";
import { propertyRuns } from "../../base/property.testing.ts";
import { sha256 } from "../../base/sha256.ts";
import { type CommittedState, emptyState, MultiStore } from "../../engine/store/multi-store.ts";
import {
  type ExistenceProof,
  type NonExistenceProof,
  prove,
  proveStore,
} from "../../engine/store/proof.ts";
import { commitmentBytes } from "./ics23.ts";

const STORE = "bank";
const key = fc.uint8Array({ minLength: 1, maxLength: 3 });
// Verifiers refuse a proof of an empty value, also for a neighbour (rules/store 2.5).
const entries = fc.uniqueArray(fc.tuple(key, fc.uint8Array({ minLength: 1, maxLength: 4 })), {
  maxLength: 40,
  selector: ([bytes]) => toHex(bytes),
});
type Entries = readonly (readonly [Uint8Array, Uint8Array])[];

/** Written in several blocks, so that nodes have different versions. */
function stateOf(entries: Entries): CommittedState {
  let state = emptyState([STORE, "gov", "staking"]);
  [1, 2, 200].forEach((version, part) => {
    const multi = new MultiStore(state, version);
    entries.forEach(([k, v], i) => {
      if (i % 3 === part) multi.store(STORE).set(k, v);
    });
    state = multi.commit();
  });
  return state;
}

const bytesFor = (state: CommittedState, k: Uint8Array): Uint8Array =>
  commitmentBytes(prove(state.store(STORE).root, k));

const isThere = (state: CommittedState, proof: Uint8Array, k: Uint8Array, v: Uint8Array) =>
  verifyMembership(ics23.CommitmentProof.decode(proof), iavlSpec, state.root(STORE), k, v);
const isAbsent = (state: CommittedState, proof: Uint8Array, k: Uint8Array) =>
  verifyNonMembership(ics23.CommitmentProof.decode(proof), iavlSpec, state.root(STORE), k);

/** A proof with one byte changed: in its key, its value, its leaf or a step. */
function withOtherByte(proof: ExistenceProof, place: number, by: number): ExistenceProof {
  const parts = [
    proof.key,
    proof.value,
    proof.leafPrefix,
    ...proof.path.flatMap(({ prefix, suffix }) => [prefix, suffix]),
  ];
  let at = place % parts.reduce((sum, { length }) => sum + length, 0);
  const other = parts.map((part) => {
    const copy = part.slice();
    if (at >= 0 && at < part.length) copy[at] = (copy[at] ?? 0) ^ by;
    at -= part.length;
    return copy;
  });
  const [key, value, leafPrefix, ...steps] = other as [Uint8Array, Uint8Array, Uint8Array];
  const path = proof.path.map((step, i) => ({
    ...step,
    prefix: steps[2 * i] ?? EMPTY,
    suffix: steps[2 * i + 1] ?? EMPTY,
  }));
  return { ...proof, key, value, leafPrefix, path };
}

describe("another program than this one", () => {
  test("takes for every key either its proof that it is there or the one that it is not, never both", () => {
    fc.assert(
      fc.property(entries, fc.array(key, { minLength: 1, maxLength: 20 }), (all, requested) => {
        const state = stateOf(all);
        for (const k of [...requested, ...all.map(([one]) => one)]) {
          const value = all.find(([one]) => equal(one, k))?.[1];
          const proof = bytesFor(state, k);
          expect(isThere(state, proof, k, value ?? utf8("v"))).toBe(value !== undefined);
          expect(isAbsent(state, proof, k)).toBe(value === undefined && all.length > 0);
          if (value !== undefined) expect(isThere(state, proof, k, utf8("other"))).toBe(false);
        }
      }),
    );
  });

  test("takes no proof of one key for that of another, unless both lie between the same neighbours", () => {
    fc.assert(
      fc.property(entries, key, key, (all, requested, other) => {
        const state = stateOf(all);
        const proof = bytesFor(state, requested);
        const below = (k: Uint8Array) => all.filter(([one]) => compare(one, k) < 0).length;
        const has = (k: Uint8Array) => all.some(([one]) => equal(one, k));
        const same = !has(requested) && !has(other) && below(requested) === below(other);
        expect(isAbsent(state, proof, other)).toBe(same && all.length > 0);
      }),
    );
  });

  test("refuses a proof of absence of which any byte is changed, or a neighbour is left out", () => {
    const place = fc.record({ at: fc.nat(), by: fc.integer({ min: 1, max: 255 }) });
    fc.assert(
      fc.property(entries, key, place, (all, requested, { at, by }) => {
        const state = stateOf(all);
        fc.pre(all.length > 0 && !all.some(([one]) => equal(one, requested)));
        const proof = prove(state.store(STORE).root, requested) as NonExistenceProof;
        const changed: { -readonly [K in keyof NonExistenceProof]: NonExistenceProof[K] } = {
          ...proof,
        };
        // Both sides, since each must be valid by itself.
        for (const side of ["left", "right"] as const) {
          if (proof[side] === undefined) continue;
          changed[side] = withOtherByte(proof[side], at, by);
          expect(isAbsent(state, commitmentBytes(changed), requested)).toBe(false);
          changed[side] = undefined;
          expect(isAbsent(state, commitmentBytes(changed), requested)).toBe(false);
          changed[side] = proof[side];
        }
        expect(isAbsent(state, commitmentBytes(changed), requested)).toBe(true);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  test("takes the root of each store under the app hash, also of an empty one", () => {
    const state = stateOf([[utf8("a"), utf8("1")]]);
    for (const name of state.storeNames) {
      const proof = ics23.CommitmentProof.decode(commitmentBytes(proveStore(state, name)));
      const value = state.root(name);
      expect(verifyMembership(proof, tendermintSpec, state.appHash, utf8(name), value)).toBe(true);
    }
    expect(state.root("gov")).toEqual(sha256(EMPTY));
  });
});

describe("the ends of a store", () => {
  const sides = (names: readonly string[], requested: string) => {
    const state = stateOf(names.map((name) => [utf8(name), utf8("1")]));
    const bytes = bytesFor(state, utf8(requested));
    const { nonexist } = ics23.CommitmentProof.decode(bytes);
    const text = (side?: ics23.IExistenceProof | null) =>
      side ? Buffer.from(side.key ?? []).toString() : undefined;
    return {
      left: text(nonexist?.left),
      right: text(nonexist?.right),
      holds: isAbsent(state, bytes, utf8(requested)),
    };
  };

  test.each([
    ["before the first", ["b", "c", "d"], "a", { left: undefined, right: "b", holds: true }],
    ["between two", ["b", "d", "f"], "e", { left: "d", right: "f", holds: true }],
    ["after the last", ["b", "c", "d"], "e", { left: "d", right: undefined, holds: true }],
    ["below the only key", ["b"], "a", { left: undefined, right: "b", holds: true }],
    ["above the only key", ["b"], "c", { left: "b", right: undefined, holds: true }],
    // As upstream: the proof has no neighbour, and verifiers refuse it.
    ["an empty store", [], "a", { left: undefined, right: undefined, holds: false }],
  ])("%s: the neighbours that there are", (_, names, requested, expected) => {
    expect(sides(names, requested)).toEqual(expected);
  });
});
