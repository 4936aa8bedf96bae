import { expect, test } from "vitest";
import { concat, toHexUpper, utf8 } from "../../../base/bytes.ts";
import { fromHex } from "../../../base/from-hex.ts";
import { sha256 } from "../../../base/sha256.ts";
import { uvarint } from "../../../base/varint.ts";
import { Simulation } from "../../../engine/simulation/simulation.ts";
import { runTo, worldSpec } from "../../../engine/simulation/testing.ts";
import type { ExistenceProof } from "../../../gen/lab/v1/state_plain.ts";
import { handleRest } from "../../rest.ts";
import { atOnce } from "../reading.ts";
import { WorldQueries } from "../world-queries.ts";
import { stateDiffOf } from "./divergence.ts";
import { keyHistoryOf } from "./key-history.ts";
import { storeEntryOf, storeKeysOf, storeProofOf, storesOf } from "./stores.ts";

/** A world in which val-2 is slashed in block 7 for a double sign at height 6. */
function slashed(to: number): Simulation {
  const sim = Simulation.create(worldSpec());
  runTo(sim, 6);
  sim.apply({ type: "misbehavior", kind: 1, validator: "val-2", height: 6 });
  runTo(sim, to);
  return sim;
}

const keyOf = (sim: Simulation, store: string, name: string): string => {
  const { keys } = storeKeysOf(sim, { store }, sim.height);
  return keys.find((each) => each.name === name)?.key ?? `no ${name}`;
};

/** The root hash of a proof. */
const endOf = ({ key, value, leafPrefix, path }: ExistenceProof): string =>
  path.reduce(
    (hash, { prefix, suffix }) => toHexUpper(sha256(fromHex(prefix + hash + suffix))),
    toHexUpper(
      sha256(
        concat(
          fromHex(leafPrefix),
          uvarint(key.length / 2),
          fromHex(key),
          uvarint(32),
          sha256(fromHex(value)),
        ),
      ),
    ),
  );

test("the stores have counts and roots, and an app hash over all of them that the next header says", () => {
  const sim = slashed(9);
  const { height, appHash, stores } = storesOf(sim, 7);
  expect(height).toBe(7);
  expect(appHash).toBe(toHexUpper(sim.header(8)?.appHash ?? utf8("")));
  expect(stores.map(({ name }) => name)).toEqual(sim.state(7).storeNames);
  for (const { name, keys, root } of stores) {
    expect(keys).toBe([...sim.state(7).reader(name).iterate()].length);
    expect(root).toBe(toHexUpper(sim.state(7).root(name)));
  }
  expect(() => storesOf(sim, 10)).toThrow("the chain is at height 9");
});

test("keys come page by page, named and decoded, and each says when it was written", () => {
  const sim = slashed(9);
  const all = storeKeysOf(sim, { store: "staking" }, 9);
  expect(all.total).toBe(all.keys.length);
  const page = storeKeysOf(sim, { store: "staking", offset: 1, limit: 2 }, 9);
  expect(page).toEqual({ height: 9, keys: all.keys.slice(1, 3), total: all.total });
  const validator = all.keys.find(({ name }) => name === "validator val-2");
  expect(validator).toMatchObject({ written: 7 });
  expect(validator?.text).toContain('"tokens":"95000000"');
});

test("keys are found by prefix, and by words in key, name or value in any case and order", () => {
  const sim = slashed(9);
  const find = (search: string, prefix = "") =>
    storeKeysOf(sim, { store: "staking", prefix, search }, 9).keys.map(({ name }) => name);
  expect(find("VALIDATOR val-2", "21")).toEqual(["validator val-2"]);
  expect(find("95000000 21")).toContain("validator val-2");
  expect(find("no such thing")).toEqual([]);
  expect(find("", "21").every((name) => name.startsWith("validator "))).toBe(true);
  expect(() => find("", "2x")).toThrow('expected a key in hex, found "2x"');
  expect(() => storeKeysOf(sim, { store: "ibc" }, 9)).toThrow(
    'there is no store "ibc" after block 9: there are ',
  );
});

test("the proof of a key ends with the app hash in the next header, step by step", () => {
  const sim = slashed(9);
  const key = keyOf(sim, "staking", "validator val-2");
  const proof = storeProofOf(sim, "staking", key, 7);
  expect(proof).toMatchObject({ height: 7, headerHeight: 8 });
  if (proof.tree === undefined || proof.stores === undefined) throw new Error("no proof");
  expect(proof.tree.value).toBe(storeEntryOf(sim, "staking", key, 7).value);
  expect(endOf(proof.tree)).toBe(proof.stores.value);
  expect(proof.tree.path.at(-1)?.hash).toBe(proof.stores.value);
  expect(endOf(proof.stores)).toBe(proof.headerAppHash);
  expect(proof.appHash).toBe(proof.headerAppHash);
});

test("a key that is not there is proved absent by its neighbours, up to the same app hash", () => {
  const sim = slashed(9);
  const { missing, total } = storeKeysOf(
    sim,
    { store: "staking", search: "Delegation val-1 val-2" },
    7,
  );
  expect(total).toBe(0);
  expect(missing).toMatchObject({ name: "delegation val-1 val-2", text: "", size: 0, written: 0 });
  const { tree, absent, stores, headerAppHash } = storeProofOf(
    sim,
    "staking",
    missing?.key ?? "",
    7,
  );
  expect(tree).toBeUndefined();
  expect(absent).toMatchObject({ key: missing?.key, name: "delegation val-1 val-2" });
  if (stores === undefined) throw new Error("no proof");
  for (const side of [absent?.left, absent?.right]) {
    if (side === undefined) throw new Error("no neighbour");
    expect(side.name).toMatch(/^delegation val-/);
    expect(endOf(side)).toBe(stores.value);
  }
  expect(endOf(stores)).toBe(headerAppHash);
});

test("a search names a missing key in hex if it finds nothing, and never one that is there", () => {
  const sim = slashed(9);
  const missing = (search: string, store = "staking") =>
    storeKeysOf(sim, { store, search }, 9).missing?.key;
  const key = keyOf(sim, "staking", "validator val-2");
  expect(missing(`0x${key}00`)).toBe(`${key}00`);
  expect(missing(`21 ${"AB".repeat(20)}`)).toBe(`21${"AB".repeat(20)}`);
  expect(missing(key)).toBeUndefined();
  expect(missing("validator val-2")).toBeUndefined();
  expect(missing("no such thing")).toBeUndefined();
  expect(missing("21")).toBeUndefined();
  expect(missing("proposal 7", "gov")).toBe("000000000000000007");
  expect(missing("done v2", "upgrade")).toBe("017632");
});

test("an empty store has no neighbours, and its root is SHA-256 of nothing", () => {
  const sim = slashed(3);
  const { absent, stores } = storeProofOf(sim, "evidence", "00", 2);
  expect(absent).toEqual({ key: "00", name: "evidence" });
  expect(stores?.value).toBe(toHexUpper(sha256(new Uint8Array())));
});

test("the proof at the newest height says that no header has its app hash yet, and the genesis has none", () => {
  const sim = slashed(9);
  const key = keyOf(sim, "staking", "validator val-2");
  expect(storeProofOf(sim, "staking", key, 9)).toMatchObject({
    headerHeight: 0,
    headerAppHash: "",
    appHash: toHexUpper(sim.appHash),
  });
  expect(() => storeProofOf(sim, "staking", key, 0)).toThrow(
    "the genesis is committed with block 1: before it no header has its app hash",
  );
  expect(() => storeEntryOf(sim, "staking", "FF", 9)).toThrow(
    "store staking has no key FF after block 9",
  );
});

test("a key's history names the blocks that changed it and the genesis, with the value after each", () => {
  const sim = slashed(9);
  const key = keyOf(sim, "staking", "validator val-2");
  const { changes, complete, since } = atOnce(keyHistoryOf(sim, "staking", key, 0, 9));
  expect({ complete, since }).toEqual({ complete: true, since: 0 });
  for (const { height, value } of changes) {
    expect(value).toBe(storeEntryOf(sim, "staking", key, height).value);
  }
  expect(changes.map(({ height }) => height)).toEqual(changedHeights(sim, "staking", key, 9));
  expect(changes.map(({ text }) => JSON.parse(text).tokens)).toContain("95000000");
});

test("the history of any key is what looking at every height gives, also of keys that come and go", () => {
  const sim = Simulation.create(worldSpec());
  runTo(sim, 3);
  sim.apply({ type: "node", node: "val-3", action: { kind: "stop" } });
  runTo(sim, 30);
  sim.apply({ type: "node", node: "val-3", action: { kind: "start" } });
  runTo(sim, 34);
  const keys = new Map<string, Set<string>>();
  for (let height = 0; height <= 34; height++) {
    for (const store of sim.state(height).storeNames) {
      const found = keys.get(store) ?? new Set();
      for (const { key } of sim.state(height).reader(store).iterate()) found.add(toHexUpper(key));
      keys.set(store, found);
    }
  }
  for (const [store, found] of keys) {
    for (const key of found) {
      const { changes, complete } = atOnce(keyHistoryOf(sim, store, key, 50, 34));
      expect(complete).toBe(true);
      expect(changes.map(({ height }) => height)).toEqual(changedHeights(sim, store, key, 34));
    }
  }
});

function changedHeights(sim: Simulation, store: string, key: string, to: number): number[] {
  const valueAt = (height: number): string | undefined => {
    const value = height < 0 ? undefined : sim.storeValue(store, fromHex(key), height);
    return value && toHexUpper(value);
  };
  const heights = Array.from({ length: to + 1 }, (_, i) => to - i);
  return heights.filter((height) => valueAt(height) !== valueAt(height - 1));
}

test("a history of more changes than are asked for goes on at the height below", () => {
  const sim = slashed(9);
  const key = keyOf(sim, "staking", "validator val-2");
  const whole = atOnce(keyHistoryOf(sim, "staking", key, 0, 9));
  const first = atOnce(keyHistoryOf(sim, "staking", key, 1, 9));
  expect(first.complete).toBe(false);
  const rest = atOnce(keyHistoryOf(sim, "staking", key, 0, first.since - 1));
  expect([...first.changes, ...rest.changes]).toEqual(whole.changes);
});

test("two heights differ in what the blocks between them changed, of all stores or of one", () => {
  const sim = slashed(9);
  const all = { store: "", offset: 0, limit: 0 };
  const diff = stateDiffOf(sim, 6, 7, all);
  expect(diff).toMatchObject({ beforeHeight: 6, afterHeight: 7, total: diff.differences.length });
  const validator = diff.differences.find(({ name }) => name === "validator val-2");
  expect(JSON.parse(validator?.beforeText ?? "")).toMatchObject({ tokens: "100000000" });
  expect(JSON.parse(validator?.afterText ?? "")).toMatchObject({ tokens: "95000000" });
  const counts = diff.stores.map(({ changes }) => changes);
  expect(counts.reduce((sum, changes) => sum + changes, 0)).toBe(diff.total);
  const ofStaking = diff.differences.filter(({ store }) => store === "staking");
  expect(stateDiffOf(sim, 6, 7, { store: "staking", offset: 1, limit: 2 })).toMatchObject({
    total: ofStaking.length,
    differences: ofStaking.slice(1, 3),
  });
  expect(stateDiffOf(sim, 7, 7, all)).toMatchObject({ total: 0, stores: [] });
  expect(() => stateDiffOf(sim, 6, 10, all)).toThrow("the state of height 10 is not available");
});

test("every question about the state has a path, at the newest height and at an older one", () => {
  const sim = slashed(9);
  const queries = new WorldQueries(sim, () => {
    throw new Error("nothing is asked of what was observed");
  });
  const get = (path: string, height?: number) => {
    const headers = height === undefined ? {} : { "x-cosmos-block-height": `${height}` };
    return handleRest(queries, "GET", path, headers);
  };
  const key = keyOf(sim, "staking", "validator val-2");
  const at = `/lab/v1/state/staking/keys`;
  expect(get("/lab/v1/state", 7)).toMatchObject({ status: 200, body: { height: 7 } });
  expect(get(`${at}?prefix=21&limit=1`)).toMatchObject({
    status: 200,
    body: { height: 9, total: 4, keys: [{ name: "validator val-0" }] },
  });
  expect(get(`${at}/${key}`, 6).body).toMatchObject({ height: 6, name: "validator val-2" });
  expect(get(`${at}/${key.toLowerCase()}/proof`, 7).body).toMatchObject({ header_height: 8 });
  expect(get(`${at}/${key}/history?limit=1`, 8).body).toMatchObject({ complete: false });
  expect(get("/lab/v1/state_diff/6/7").body).toMatchObject({ before_height: 6 });
  expect(get(`${at}/zz`)).toMatchObject({ status: 400 });
  expect(get(`${at}/FF`)).toMatchObject({ status: 404 });
  expect(get(`${at}/FF/proof`, 7).body).toMatchObject({ tree: null, absent: { right: null } });
});
