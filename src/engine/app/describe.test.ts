import { describe, expect, test } from "vitest";
import * as bank from "../modules/bank/keys.ts";
import * as evidence from "../modules/evidence/keys.ts";
import * as gov from "../modules/gov/keys.ts";
import * as slashing from "../modules/slashing/keys.ts";
import * as staking from "../modules/staking/keys.ts";
import * as upgrade from "../modules/upgrade/keys.ts";
import { App } from "./app.ts";
import { type BinarySpec, V1 } from "./binary.ts";
import { describeEntry } from "./describe.ts";
import { profileOf } from "./profile.ts";

const BINARY: BinarySpec = { ...V1, modules: { ...V1.modules, market: 2, valueOf: 3 } };
const app = new App(BINARY, {
  profile: profileOf("documented"),
  params: { evidence: { maxAgeDuration: 1n, maxAgeNumBlocks: 1 } },
  evidenceRoutes: [],
  verifyVote: () => true,
});
const NONE = new Uint8Array();
const kindOf = (store: string, prefix: number): string =>
  describeEntry(app, store, Uint8Array.of(prefix), NONE).kind;

const KEYS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  bank,
  evidence,
  gov,
  slashing,
  staking,
  upgrade,
};

describe.each(Object.keys(KEYS))("every key of %s", (store) => {
  // Nodes cannot differ in the memory store.
  const { PREFIX, SET_TOUCHED: _, ...rest } = KEYS[store] ?? {};
  const prefixes = Object.values(PREFIX as Record<string, number>);

  test("is described under a name of its own", () => {
    const kinds = prefixes.map((prefix) => kindOf(store, prefix));
    expect(kinds).not.toContain("");
    expect(new Set(kinds).size).toBe(prefixes.length);
  });

  test("begins with one of the prefixes in the table", () => {
    const own = Object.values(rest).filter((value) => value instanceof Uint8Array);
    for (const key of own) expect(prefixes).toContain(key[0]);
  });
});

test("every module of a binary describes its store, those without code of their own too", () => {
  for (const name of Object.keys(V1.modules)) expect(Object.keys(KEYS)).toContain(name);
  expect(describeEntry(app, "market", Uint8Array.of(1), Uint8Array.of(0x32))).toEqual({
    kind: "version",
    of: [],
    value: "2",
  });
});

test("a module whose name every object has is one without code of its own", () => {
  const value = Uint8Array.of(0x33);
  const found = describeEntry(app, "valueOf", Uint8Array.of(1), value);
  expect(found).toEqual({ kind: "version", of: [], value: "3" });
});

test("a store without a module is of no kind", () => {
  expect(describeEntry(app, "nothing", Uint8Array.of(1), NONE)).toEqual({
    kind: "",
    of: [],
    value: "",
  });
});
