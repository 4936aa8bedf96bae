import fc from "fast-check";
import { expect, test } from "vitest";
import { compare, toHex, utf8 } from "../../base/bytes.ts";
import { type Change, diffStates } from "./diff.ts";
import { type CommittedState, emptyState, loadState, MultiStore } from "./multi-store.ts";

type Write = [Uint8Array, Uint8Array | undefined];

function commit(base: CommittedState, version: number, writes: readonly Write[]): CommittedState {
  const multi = new MultiStore(base, version);
  for (const [key, value] of writes) {
    if (value) multi.store("s").set(key, value);
    else multi.store("s").delete(key);
  }
  return multi.commit();
}

test("a state does not differ from itself, nor by a rewrite with the same value", () => {
  const a = commit(emptyState(["s"]), 1, [[utf8("k"), utf8("v")]]);
  expect(diffStates(a, a)).toEqual([]);
  expect(diffStates(a, commit(a, 2, [[utf8("k"), utf8("v")]]))).toEqual([]);
});

test("a store that only one state has is reported key by key", () => {
  const a = commit(emptyState(["s"]), 1, [[utf8("k"), utf8("v")]]);
  const without = loadState(a, [], undefined, 1);
  const [key, value] = [utf8("k"), utf8("v")];
  expect(diffStates(a, without)).toEqual([{ store: "s", changes: [{ key, before: value }] }]);
  expect(diffStates(without, a)).toEqual([{ store: "s", changes: [{ key, after: value }] }]);
});

test("for any two states the changes are exactly the keys whose values differ, in order", () => {
  const key = fc.uint8Array({ minLength: 1, maxLength: 2 }).map((k) => k.map((b) => b % 10));
  const value = fc.option(fc.uint8Array({ maxLength: 1 }), { nil: undefined });
  const writes = fc.array(fc.tuple(key, value), { maxLength: 50 });
  fc.assert(
    fc.property(writes, writes, writes, (common, more, other) => {
      const base = commit(emptyState(["s"]), 1, common);
      const a = commit(base, 2, more);
      const b = commit(base, 2, other);
      expect(diffStates(a, b)[0]?.changes ?? []).toEqual(bruteForce(a, b));
    }),
  );
});

function bruteForce(a: CommittedState, b: CommittedState): Change[] {
  const keys = [a, b].flatMap((state) => Array.from(state.reader("s").iterate(), (e) => e.key));
  const distinct = [...new Map(keys.map((key) => [toHex(key), key])).values()].sort(compare);
  return distinct.flatMap((key) => {
    const before = a.reader("s").get(key);
    const after = b.reader("s").get(key);
    if (before && after && compare(before, after) === 0) return [];
    return [{ key, ...(before && { before }), ...(after && { after }) }];
  });
}
