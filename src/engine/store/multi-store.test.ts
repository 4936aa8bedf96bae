import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { accAddress, setAddressPrefix } from "../../base/bech32.ts";
import {
  compare,
  EMPTY,
  fromUtf8,
  readU64be,
  startsWith,
  toHex,
  u64be,
  utf8,
} from "../../base/bytes.ts";
import { fromHex } from "../../base/from-hex.ts";
import { NaiveTree } from "./iavl.testing.ts";
import {
  type Codec,
  type CommittedState,
  emptyState,
  type KVStore,
  loadState,
  MultiStore,
} from "./multi-store.ts";

const key = utf8;
const hex = (state: CommittedState): string => toHex(state.appHash);

function block(base: CommittedState, version: number, run: (store: MultiStore) => void) {
  const multi = new MultiStore(base, version);
  run(multi);
  return multi.commit();
}

describe("app hash (rules/store 2.1)", () => {
  test("stores evidence and upgrade, both empty", () => {
    expect(hex(emptyState(["upgrade", "evidence"]))).toBe(
      "aac8a1ec1f26b117414f06e10683b3070445bdfb0c9acf2873f8bc20c9064f97",
    );
  });

  test("one key in evidence, upgrade empty", () => {
    const state = block(emptyState(["evidence", "upgrade"]), 1, (multi) => {
      multi.store("evidence").set(key("a"), key("1"));
    });
    expect(hex(state)).toBe("bed84bee229144692c93da67739c07696ec392111e164dcfd4f94f44d56d06cb");
    expect(toHex(state.root("evidence"))).toBe(
      "bbe33cd0a785b97b9fb1f964aa71159dacd9e0ade84df7403dc0f9dc24818404",
    );
  });

  test("a state without stores has the hash of no bytes", () => {
    expect(hex(emptyState([]))).toBe(
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    );
  });

  test("a key rewritten with the same value changes the hash, a block without writes does not", () => {
    const first = block(emptyState(["s"]), 1, (multi) => multi.store("s").set(key("a"), key("1")));
    const again = block(first, 2, (multi) => multi.store("s").set(key("a"), key("1")));
    expect(hex(again)).not.toBe(hex(first));
    expect(block(again, 3, () => {})).toBe(again);
  });
});

describe("a block", () => {
  const base = block(emptyState(["s", "t"]), 1, (multi) => {
    for (const letter of "acegikm") multi.store("s").set(key(letter), key(letter));
  });

  test("that writes and then takes back everything returns the state it began with", () => {
    expect(
      block(base, 2, (multi) => {
        multi.store("s").set(key("x"), EMPTY);
        multi.store("s").set(key("y"), EMPTY);
        multi.store("s").delete(key("x"));
        multi.store("s").delete(key("y"));
        multi.store("s").delete(key("never there"));
      }),
    ).toBe(base);
  });

  test("sees its own writes; the committed state does not", () => {
    const multi = new MultiStore(base, 2);
    const store = multi.store("s");
    store.set(key("b"), key("new"));
    store.delete(key("c"));
    expect(store.get(key("b"))).toEqual(key("new"));
    expect(store.has(key("c"))).toBe(false);
    expect(base.reader("s").has(key("b"))).toBe(false);
    expect(base.reader("s").get(key("c"))).toEqual(key("c"));
  });

  test("may store an empty value, but not under an empty key", () => {
    const store = new MultiStore(base, 2).store("s");
    store.set(key("empty"), EMPTY);
    expect(store.has(key("empty"))).toBe(true);
    expect(store.get(key("empty"))).toEqual(EMPTY);
    expect(() => store.set(EMPTY, key("v"))).toThrow("key is empty");
  });

  test("cannot open a store that is not mounted", () => {
    expect(() => new MultiStore(base, 2).store("nope")).toThrow("store nope is not mounted");
    expect(() => base.reader("nope")).toThrow("store nope is not mounted");
  });

  test("walks what was there when the walk began", () => {
    const store = new MultiStore(base, 2).store("s");
    const seen: string[] = [];
    for (const entry of store.iterate()) {
      seen.push(String.fromCharCode(...entry.key));
      store.delete(entry.key);
      store.set(key(`${seen.at(-1)}+`), EMPTY);
    }
    expect(seen.join("")).toBe("acegikm");
    expect([...store.iterate()]).toHaveLength(7);
  });

  test("goes back to a mark in every store, also twice and out of order", () => {
    const multi = new MultiStore(base, 2);
    multi.store("s").set(key("b"), key("kept"));
    const outer = multi.mark();
    multi.store("t").set(key("t"), key("undone"));
    const inner = multi.mark();
    multi.store("s").delete(key("b"));
    multi.revert(outer);
    expect(multi.store("t").has(key("t"))).toBe(false);
    expect(multi.store("s").get(key("b"))).toEqual(key("kept"));
    multi.revert(inner);
    expect(multi.store("t").has(key("t"))).toBe(true);
    multi.revert(outer);
    const expected = block(base, 2, (other) => other.store("s").set(key("b"), key("kept")));
    expect(hex(multi.commit())).toBe(hex(expected));
  });
});

describe("decoded values", () => {
  function countingCodec(): Codec<bigint> & { encoded: number; decoded: number } {
    return {
      encoded: 0,
      decoded: 0,
      encode(value) {
        this.encoded++;
        return u64be(value);
      },
      decode(bytes) {
        this.decoded++;
        return readU64be(bytes);
      },
    };
  }

  test("are encoded once at the write and never decoded after it", () => {
    const codec = countingCodec();
    const state = block(emptyState(["s"]), 1, (multi) => {
      const store = multi.store("s");
      store.write(key("n"), codec, 7n);
      expect(store.read(key("n"), codec)).toBe(7n);
    });
    expect(state.reader("s").read(key("n"), codec)).toBe(7n);
    expect(state.reader("s").get(key("n"))).toEqual(u64be(7));
    expect([codec.encoded, codec.decoded]).toEqual([1, 0]);
  });

  test("whose encoding may wait are encoded once a block, however often they are written", () => {
    const codec = { ...countingCodec(), late: true };
    const write = (multi: MultiStore) => {
      for (const n of [7n, 8n, 9n]) multi.store("s").write(key("n"), codec, n);
      expect(multi.store("s").read(key("n"), codec)).toBe(9n);
      expect(codec.encoded).toBe(0);
    };
    const state = block(emptyState(["s"]), 1, write);
    expect([codec.encoded, codec.decoded]).toEqual([1, 0]);
    expect(state.reader("s").get(key("n"))).toEqual(u64be(9));
    const eager = block(emptyState(["s"]), 1, (multi) => multi.store("s").set(key("n"), u64be(9)));
    expect(state.appHash).toEqual(eager.appHash);
  });

  test("whose encoding may wait keep what addresses began with when they were first encoded", () => {
    onTestFinished(() => setAddressPrefix());
    const codec: Codec<Uint8Array> = {
      late: true,
      encode: (address) => key(accAddress(address)),
      decode: () => EMPTY,
    };
    const address = new Uint8Array(20);
    setAddressPrefix("one");
    const state = block(emptyState(["s"]), 1, (multi) =>
      multi.store("s").write(key("n"), codec, address),
    );
    setAddressPrefix("other");
    expect(fromUtf8(state.reader("s").get(key("n")) ?? EMPTY)).toMatch(/^one1/);
    expect(accAddress(address)).toMatch(/^other1/);
  });

  test("are decoded once for bytes written as such, also when read through a walk", () => {
    const codec = countingCodec();
    const state = block(emptyState(["s"]), 1, (multi) => multi.store("s").set(key("n"), u64be(7)));
    const reader = state.reader("s");
    expect(reader.read(key("n"), codec)).toBe(7n);
    expect([...reader.iterate()].map((entry) => entry.read(codec))).toEqual([7n]);
    expect(codec.decoded).toBe(1);
    expect(reader.read(key("absent"), codec)).toBeUndefined();
  });

  test("are decoded again by another codec", () => {
    const state = block(emptyState(["s"]), 1, (multi) => {
      multi.store("s").write(key("n"), countingCodec(), 7n);
    });
    const text: Codec<string> = { encode: key, decode: toHex };
    expect(state.reader("s").read(key("n"), text)).toBe("0000000000000007");
  });
});

const anyKey = fc.uint8Array({ minLength: 1, maxLength: 2 }).map((k) => k.map((b) => b % 12));
const anyWrite = fc.tuple(anyKey, fc.option(fc.uint8Array({ maxLength: 3 }), { nil: undefined }));
type Write = [Uint8Array, Uint8Array | undefined];
const anyBlocks = fc.array(fc.array(anyWrite, { maxLength: 12 }), { maxLength: 12 });

function apply(store: KVStore, writes: readonly Write[]): void {
  for (const [k, value] of writes) {
    if (value) store.set(k, value);
    else store.delete(k);
  }
}

describe("for any blocks of writes", () => {
  test("the root is that of each block's final writes, applied in key order", () => {
    fc.assert(
      fc.property(anyBlocks, (blocks) => {
        const naive = new NaiveTree();
        let state = emptyState(["s"]);
        blocks.forEach((writes, i) => {
          state = block(state, i + 1, (multi) => apply(multi.store("s"), writes));
          naive.version = i + 1;
          const final = new Map(writes.map((write) => [toHex(write[0]), write]));
          for (const [k, value] of [...final.values()].sort((a, b) => compare(a[0], b[0]))) {
            if (value) naive.set(k, value);
            else naive.remove(k);
          }
          expect(toHex(state.root("s"))).toBe(toHex(naive.hash()));
        });
      }),
    );
  });

  test("a genesis and the first block after it reach the tree as one sorted batch", () => {
    fc.assert(
      fc.property(anyBlocks, (blocks) => {
        const [first = [], second = [], ...later] = blocks;
        const source = new MultiStore(emptyState(["s"]), 7);
        apply(source.store("s"), first);
        const genesis = source.genesis();
        const once = block(emptyState(["s"]), 7, (multi) => apply(multi.store("s"), first));
        expect(hex(genesis)).toBe(hex(once));
        let state = block(genesis, 7, (multi) => apply(multi.store("s"), second));
        let expected = block(emptyState(["s"]), 7, (multi) => {
          apply(multi.store("s"), [...first, ...second]);
        });
        expect(hex(state)).toBe(hex(expected));
        later.forEach((writes, i) => {
          state = block(state, i + 8, (multi) => apply(multi.store("s"), writes));
          expected = block(expected, i + 8, (multi) => apply(multi.store("s"), writes));
          expect(hex(state)).toBe(hex(expected));
        });
      }),
    );
  });

  test("reverted writes leave no trace, wherever they stood", () => {
    fc.assert(
      fc.property(anyBlocks, anyBlocks, (kept, undone) => {
        const base = block(emptyState(["s"]), 1, (multi) => apply(multi.store("s"), kept[0] ?? []));
        const expected = block(base, 2, (multi) => apply(multi.store("s"), kept.slice(1).flat()));
        const actual = block(base, 2, (multi) => {
          kept.slice(1).forEach((writes, i) => {
            const mark = multi.mark();
            apply(multi.store("s"), undone[i] ?? []);
            multi.revert(mark);
            apply(multi.store("s"), writes);
          });
        });
        expect(hex(actual)).toBe(hex(expected));
      }),
    );
  });

  test("what was handed out stays as it is: marks, walks that are under way, and states", () => {
    const anyStep = fc.oneof(
      {
        weight: 6,
        arbitrary: anyWrite.map(([k, value]) => ({ kind: "write" as const, k, value })),
      },
      fc.record({ kind: fc.constant("mark" as const) }),
      fc.record({ kind: fc.constant("walk" as const) }),
      fc.record({ kind: fc.constant("revert" as const), to: fc.nat() }),
      fc.record({ kind: fc.constant("go on" as const), walk: fc.nat() }),
    );
    type Model = ReadonlyMap<string, string>;
    const inOrder = (model: Model): string[][] =>
      [...model].sort(([a], [b]) => (a < b ? -1 : 1)).map((entry) => [...entry]);
    fc.assert(
      fc.property(anyBlocks, fc.array(anyStep, { maxLength: 60 }), (before, steps) => {
        const base = block(emptyState(["s"]), 1, (multi) => apply(multi.store("s"), before.flat()));
        const multi = new MultiStore(base, 2);
        const store = multi.store("s");
        let model: Model = new Map(entriesOf(base));
        const marks = [{ mark: multi.mark(), model }];
        const walks: {
          walk: Iterator<{ key: Uint8Array; value: Uint8Array }>;
          left: string[][];
        }[] = [];
        for (const step of steps) {
          if (step.kind === "write") {
            const next = new Map(model);
            if (step.value) next.set(toHex(step.k), toHex(step.value));
            else next.delete(toHex(step.k));
            apply(store, [[step.k, step.value]]);
            model = next;
          } else if (step.kind === "mark") marks.push({ mark: multi.mark(), model });
          else if (step.kind === "walk")
            walks.push({ walk: store.iterate()[Symbol.iterator](), left: inOrder(model) });
          else if (step.kind === "revert") {
            const there = marks[step.to % marks.length];
            if (there === undefined) continue;
            multi.revert(there.mark);
            model = there.model;
          } else {
            const walk = walks[step.walk % walks.length];
            if (walk === undefined) continue;
            const { value, done } = walk.walk.next();
            expect(done ? undefined : [toHex(value.key), toHex(value.value)]).toEqual(
              walk.left.shift(),
            );
          }
          // Iterating over all entries would end the batch of writes.
          for (const [k, value] of model) expect(toHex(store.get(fromHex(k)) ?? EMPTY)).toBe(value);
        }
        const after = multi.commit();
        const entries = entriesOf(after);
        apply(store, before.flat());
        expect(entriesOf(after)).toEqual(entries);
        expect(entries).toEqual(inOrder(model));
        expect(entriesOf(base)).toEqual(inOrder(marks[0]?.model ?? new Map()));
      }),
    );
  });

  test("older states stay readable as they were", () => {
    fc.assert(
      fc.property(anyBlocks, (blocks) => {
        const history: { state: CommittedState; entries: [string, string][] }[] = [];
        let state = emptyState(["s"]);
        blocks.forEach((writes, i) => {
          state = block(state, i + 1, (multi) => apply(multi.store("s"), writes));
          history.push({ state, entries: entriesOf(state) });
        });
        for (const { state: old, entries } of history) expect(entriesOf(old)).toEqual(entries);
      }),
    );
  });

  test("walks agree with a sorted list, in both directions and for any bounds", () => {
    const bound = fc.option(
      fc.uint8Array({ maxLength: 2 }).map((k) => k.map((b) => b % 12)),
      {
        nil: undefined,
      },
    );
    fc.assert(
      fc.property(fc.array(anyWrite, { maxLength: 60 }), bound, bound, (writes, start, end) => {
        const store = new MultiStore(emptyState(["s"]), 1).store("s");
        apply(store, writes);
        const model = new Map<string, Uint8Array>();
        for (const [k, value] of writes) {
          if (value) model.set(toHex(k), k);
          else model.delete(toHex(k));
        }
        const keys = [...model.values()].sort(compare);
        const inRange = keys.filter(
          (k) => (!start || compare(k, start) >= 0) && (!end || compare(k, end) < 0),
        );
        const walked = (reverse: boolean) =>
          Array.from(store.iterate(start, end, reverse), (e) => e.key);
        expect(walked(false)).toEqual(inRange);
        expect(walked(true)).toEqual(inRange.toReversed());
        const prefix = start ?? EMPTY;
        const withPrefix = keys.filter((k) => startsWith(k, prefix));
        expect(store.first(prefix)?.key).toEqual(withPrefix[0]);
        expect(Array.from(store.prefix(prefix), (e) => e.key)).toEqual(withPrefix);
        expect(Array.from(store.prefix(prefix, true), (e) => e.key)).toEqual(
          withPrefix.toReversed(),
        );
      }),
    );
  });
});

describe("a memory store", () => {
  const remember = (value: string) => (multi: MultiStore) =>
    multi.memory("s").set(key("k"), key(value));
  const remembered = (state: CommittedState) => new MultiStore(state, 9).memory("s").get(key("k"));
  const base = block(emptyState(["s", "t"]), 1, (multi) =>
    multi.store("s").set(key("a"), key("1")),
  );

  test("is kept with the state, and no hash or store shows it", () => {
    const after = block(base, 2, remember("x"));
    expect(after).not.toBe(base);
    expect(hex(after)).toBe(hex(base));
    expect(entriesOf(after)).toEqual(entriesOf(base));
    expect(remembered(after)).toEqual(key("x"));
    expect(remembered(base)).toBeUndefined();
    const later = block(after, 3, (multi) => multi.store("t").set(key("b"), key("2")));
    expect(remembered(later)).toEqual(key("x"));
    expect(block(later, 4, () => {})).toBe(later);
  });

  test("is reverted like a store", () => {
    const multi = new MultiStore(block(base, 2, remember("x")), 3);
    const mark = multi.mark();
    remember("y")(multi);
    multi.revert(mark);
    expect(remembered(multi.commit())).toEqual(key("x"));
  });

  test("belongs to its store: a renamed one takes it along, one that is not mounted has none", () => {
    const after = block(base, 2, remember("x"));
    const renamed = [{ oldKey: "s", newKey: "u" }];
    const moved = loadState(after, ["t", "u"], { added: [], renamed, deleted: [] }, 2);
    expect(new MultiStore(moved, 3).memory("u").get(key("k"))).toEqual(key("x"));
    expect(() => new MultiStore(moved, 3).memory("s")).toThrow("store s is not mounted");
  });
});

function entriesOf(state: CommittedState): [string, string][] {
  return Array.from(state.reader("s").iterate(), (e) => [toHex(e.key), toHex(e.value)]);
}
