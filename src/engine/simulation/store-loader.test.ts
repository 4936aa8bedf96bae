import { describe, expect, test } from "vitest";
import { type BinarySpec, V1 } from "../app/binary.ts";
import type { StoreUpgrades } from "../store/store-upgrades.ts";
import { Simulation } from "./simulation.ts";
import { install, pass, runRounds, runTo, softwareUpgrade, worldSpec } from "./testing.ts";

const ALL = ["val-0", "val-1", "val-2", "val-3"];
const NONE: StoreUpgrades = { added: [], renamed: [], deleted: [] };

/** Binary with additional modules, a handler for the plan of its own name, and its StoreLoader. */
const binaryOf = (
  name: string,
  modules: Readonly<Record<string, number>>,
  stores: Partial<StoreUpgrades> = {},
): BinarySpec => ({
  ...V1,
  name,
  modules: { ...V1.modules, ...modules },
  handlers: [name],
  stores: { [name]: { ...NONE, ...stores } },
});

/** Every node has stopped for upgrade v2 at height 20; all started with this binary. */
function stopped(first: BinarySpec, ...binaries: readonly BinarySpec[]): Simulation {
  const spec = worldSpec({ binaries: [first, ...binaries] });
  const validators = spec.validators.map((validator) => ({ ...validator, binary: first.name }));
  const sim = Simulation.create({ ...spec, validators });
  pass(sim, softwareUpgrade(sim, "v2", 20));
  runTo(sim, 19);
  runRounds(sim, 2);
  return sim;
}

const stores = (sim: Simulation): readonly string[] =>
  sim.state().storeNames.filter((name) => !(name in V1.modules));
const value = (sim: Simulation, store: string, height?: number): string =>
  new TextDecoder().decode(sim.storeValue(store, Uint8Array.of(1), height));
const mismatch = (store: string, version: number): string =>
  `failed to load latest version: version of store ${store} mismatch root store's version; expected ${version} got 0; new stores should be added using StoreUpgrades`;

const OLD = { ...binaryOf("old", {}), handlers: [] };
const WITH_ORACLE = { ...binaryOf("old", { oracle: 1 }), handlers: [] };

describe("StoreLoader, by kind (rules/upgrade 6.2)", () => {
  test("Added: the store is there from the upgrade's height on", () => {
    const sim = stopped(OLD, binaryOf("v2", { oracle: 1 }, { added: ["oracle"] }));
    install(sim, "v2", ...ALL);
    runTo(sim, 23);
    expect(stores(sim)).toEqual(["oracle"]);
    expect(value(sim, "oracle")).toBe("1");
    expect(sim.state(19).has("oracle")).toBe(false);
  });

  test("Deleted, though the binary still mounts it: the upgrade's block runs with an empty store", () => {
    const sim = stopped(OLD, binaryOf("v2", {}, { deleted: ["slashing"] }));
    install(sim, "v2", ...ALL);
    runRounds(sim, 3);
    expect(sim.nodes().map(({ process, reason }) => [process, reason])).toEqual(
      Array(4).fill([
        "exited",
        "error during handshake: error on replay: no validator signing info found",
      ]),
    );
  });

  test.each<[string, BinarySpec, BinarySpec]>([
    ["dropped", binaryOf("v2", {}), WITH_ORACLE],
    ["deleted", binaryOf("v2", { oracle: 1 }, { deleted: ["oracle"] }), WITH_ORACLE],
    [
      "renamed away",
      binaryOf("v2", { feed: 1 }, { renamed: [{ oldKey: "oracle", newKey: "feed" }] }),
      WITH_ORACLE,
    ],
  ])(
    "Added where the disk has a store of that name that was %s: the process exits, and a restored one starts",
    (_, v2, first) => {
      const { modules } = v2;
      const { oracle: _oracle, ...stored } = modules as Record<string, number>;
      const v3 = binaryOf("v3", { ...stored, oracle: 1 }, { added: ["oracle"] });
      const plain = { ...v2, name: "v2.1", modules: stored, stores: {} };
      const sim = stopped(first, v2, plain, { ...v3, handlers: ["v2", "v3"] });
      install(sim, "v2", ...ALL);
      runTo(sim, 22);
      install(sim, "v2.1", ...ALL);
      pass(sim, softwareUpgrade(sim, "v3", 60));
      sim.apply({ type: "node", node: "val-3", action: { kind: "state_sync", from: "val-0" } });
      runTo(sim, 59);
      runRounds(sim, 2);
      install(sim, "v3", ...ALL);
      expect(sim.node("val-0")).toMatchObject({
        process: "exited",
        reason:
          "failed to load latest version: failed to load store: initial version set to 60, but found earlier version 1",
      });
      expect(sim.node("val-3")).toMatchObject({ process: "running", height: 60 });
    },
  );

  test("Added, and started again: it has acted and does nothing more", () => {
    const sim = stopped(OLD, binaryOf("v2", { oracle: 1 }, { added: ["oracle"] }));
    install(sim, "v2", ...ALL);
    for (const height of [20, 23]) {
      runTo(sim, height);
      for (const node of ALL) sim.apply({ type: "node", node, action: { kind: "start" } });
      expect(sim.nodes().map(({ process }) => process)).toEqual(Array(4).fill("running"));
    }
    expect(sim.appHashesAgree()).toBe(true);
    expect(value(sim, "oracle")).toBe("1");
  });

  test("Renamed: every pair is under the new name, the old store is gone, and the past keeps it", () => {
    const v2 = binaryOf("v2", { feed: 1 }, { renamed: [{ oldKey: "oracle", newKey: "feed" }] });
    const sim = stopped(WITH_ORACLE, v2);
    install(sim, "v2", ...ALL);
    runTo(sim, 23);
    expect(stores(sim)).toEqual(["feed"]);
    expect(value(sim, "feed")).toBe("1");
    expect(value(sim, "oracle", 19)).toBe("1");
  });

  test("Deleted while still mounted: the store goes, but the next start fails over it", () => {
    const sim = stopped(WITH_ORACLE, binaryOf("v2", { oracle: 1 }, { deleted: ["oracle"] }));
    install(sim, "v2", ...ALL);
    runTo(sim, 23);
    expect(stores(sim)).toEqual([]);
    sim.apply({ type: "node", node: "val-3", action: { kind: "start" } });
    expect(sim.node("val-3")).toMatchObject({ process: "exited", reason: mismatch("oracle", 23) });
  });

  test("Deleted in two steps: the release after does not mount it any more, and starts", () => {
    const sim = stopped(WITH_ORACLE, binaryOf("v2", { oracle: 1 }, { deleted: ["oracle"] }), {
      ...binaryOf("v2.1", {}),
      handlers: ["v2"],
    });
    install(sim, "v2", ...ALL);
    runTo(sim, 23);
    install(sim, "v2.1", ...ALL);
    runTo(sim, 26);
    expect(sim.nodes().map(({ process }) => process)).toEqual(Array(4).fill("running"));
    expect(sim.appHashesAgree()).toBe(true);
  });

  test("mounted but neither known nor added: the mismatch", () => {
    const sim = stopped(OLD, binaryOf("v2", { oracle: 1 }));
    install(sim, "v2", "val-0");
    expect(sim.node("val-0")).toMatchObject({ process: "exited", reason: mismatch("oracle", 19) });
  });

  test("known but no longer mounted: dropped without a word; its version stays listed", () => {
    const sim = stopped(WITH_ORACLE, binaryOf("v2", {}));
    install(sim, "v2", ...ALL);
    runTo(sim, 23);
    expect(stores(sim)).toEqual([]);
    const version = Uint8Array.of(2, ...new TextEncoder().encode("oracle"));
    expect(sim.storeValue("upgrade", version)?.at(-1)).toBe(1);
  });
});

describe("the mismatch, by its causes (rules/upgrade 6.3)", () => {
  const V2 = binaryOf("v2", { oracle: 1 }, { added: ["oracle"] });
  const start = (sim: Simulation): void => install(sim, "v2", "val-0");

  test("started before the height", () => {
    const sim = Simulation.create(worldSpec({ binaries: [V2] }));
    runTo(sim, 7);
    start(sim);
    expect(sim.node("val-0")?.reason).toBe(mismatch("oracle", 7));
  });

  test.each([
    ["no upgrade-info.json", undefined],
    ["the file of another plan", '{"name":"v3","time":"0001-01-01T00:00:00Z","height":20}'],
    ["the file of another height", '{"name":"v2","time":"0001-01-01T00:00:00Z","height":19}'],
  ])("%s", (_, content) => {
    const sim = stopped(OLD, V2);
    const path = "data/upgrade-info.json";
    const action =
      content === undefined
        ? { kind: "remove_file" as const, path }
        : { kind: "write_file" as const, path, content };
    sim.apply({ type: "node", node: "val-0", action });
    start(sim);
    expect(sim.node("val-0")?.reason).toBe(mismatch("oracle", 19));
    // The old binary writes the file again, and then the new one starts.
    install(sim, "old", "val-0");
    start(sim);
    expect(sim.node("val-0")).toMatchObject({ process: "running", height: 20 });
  });

  test("the skip flag at that height with a binary that mounts the new store", () => {
    const sim = stopped(OLD, V2);
    start(sim);
    const heights = [20];
    sim.apply({ type: "node", node: "val-1", action: { kind: "skip_upgrades", heights } });
    install(sim, "v2", "val-1");
    expect(sim.node("val-1")?.reason).toBe(mismatch("oracle", 20));
  });
});

test.each([
  ["", "unexpected end of JSON input"],
  ["{", "unexpected end of JSON input"],
  ["null", "name cannot be empty: invalid request"],
  ['{"name":"v2"}', "height must be greater than 0: invalid request"],
])("a file that holds no plan (%j) ends the process as it starts", (content, text) => {
  const sim = stopped(OLD, binaryOf("v2", {}));
  const path = "data/upgrade-info.json";
  sim.apply({ type: "node", node: "val-0", action: { kind: "write_file", path, content } });
  install(sim, "v2", "val-0");
  expect(sim.node("val-0")).toMatchObject({
    process: "exited",
    reason: `failed to read upgrade info from disk: ${text}`,
  });
});

describe("starting a binary commits nothing (rules/upgrade 6.1): the disk holds what the last block left", () => {
  test("a binary without the new store, started by mistake, does not cost the store", () => {
    const sim = stopped(OLD, binaryOf("v2", { oracle: 1 }, { added: ["oracle"] }));
    install(sim, "v2", ...ALL);
    runTo(sim, 23);
    install(sim, "old", "val-3");
    sim.apply({ type: "node", node: "val-3", action: { kind: "stop" } });
    install(sim, "v2", "val-3");
    expect(sim.node("val-3")).toMatchObject({ process: "running", reason: "" });
  });

  test("stores added, renamed and deleted for an upgrade that then failed are as they were", () => {
    const first = { ...binaryOf("old", { oracle: 1, feed: 1 }), handlers: [] };
    const changes = {
      added: ["fresh"],
      renamed: [{ oldKey: "feed", newKey: "feed2" }],
      deleted: ["oracle"],
    };
    const failing: BinarySpec = {
      ...binaryOf("v2", { feed2: 1, fresh: 1 }, changes),
      migration: { kind: "error", text: "no way" },
    };
    const sim = stopped(first, failing);
    install(sim, "v2", ...ALL);
    expect(sim.chainStatus().state).toBe("halted");
    for (const node of ALL) {
      sim.apply({ type: "node", node, action: { kind: "skip_upgrades", heights: [20] } });
    }
    install(sim, "old", ...ALL);
    runTo(sim, 23);
    expect(stores(sim).toSorted()).toEqual(["feed", "oracle"]);
  });
});
