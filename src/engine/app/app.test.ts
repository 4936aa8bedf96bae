import { expect, test } from "vitest";
import { emptyState } from "../store/multi-store.ts";
import { App } from "./app.ts";
import { storeUpgradesOf, V1 } from "./binary.ts";
import { profileOf } from "./profile.ts";

test("App.setStoreLoader decides how stores are loaded, given the upgrade's height and store upgrades", () => {
  const added = { added: ["oracle"], renamed: [], deleted: [] };
  const binary = { ...V1, modules: { ...V1.modules, oracle: 1 }, stores: { v2: added } };
  const app = new App(binary, {
    profile: profileOf("documented"),
    params: { evidence: { maxAgeDuration: 1n, maxAgeNumBlocks: 1 } },
    evidenceRoutes: [],
    verifyVote: () => true,
  });
  const old = emptyState(Object.keys(V1.modules));
  expect(() => app.loadStores(old, 9, undefined)).toThrow("version of store oracle mismatch");
  expect(app.loadStores(old, 9, { name: "v2", height: 10 }).has("oracle")).toBe(true);

  const other = emptyState(["other"]);
  const calls: unknown[] = [];
  app.setStoreLoader((height, upgrades) => (committed, mounted, version) => {
    calls.push({ height, upgrades, committed, mounted, version });
    return other;
  });
  expect(app.loadStores(old, 9, { name: "v2", height: 10 })).toBe(other);
  expect(app.loadStores(old, 9, { name: "v3", height: 10 })).toBe(other);
  const loaded = { height: 10, committed: old, mounted: app.storeNames, version: 9 };
  expect(calls).toEqual([
    { ...loaded, upgrades: added },
    { ...loaded, upgrades: undefined },
  ]);
});

test("a plan whose name every object has comes with no store upgrades unless the binary says so", () => {
  const added = { added: ["oracle"], renamed: [], deleted: [] };
  expect(storeUpgradesOf({ ...V1, stores: { v2: added } }, "constructor")).toBeUndefined();
  expect(storeUpgradesOf({ ...V1, stores: { constructor: added } }, "constructor")).toBe(added);
});
