import { create } from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { runMigrations } from "./migrations.ts";
import { genesisOf, type Module, type ValidatorUpdate } from "./module.ts";
import { refusalOf, TestChain, thrownBy } from "./testing.ts";

/** Log of the modules' actions, in order. */
type Diary = string[];

function moduleOf(
  diary: Diary,
  name: string,
  consensusVersion: number,
  steps: readonly number[] = [],
  updates: readonly ValidatorUpdate[] = [],
): Module {
  return {
    name,
    consensusVersion,
    migrations: steps.map((from) => ({
      from,
      run: () => {
        diary.push(`${name} ${from} → ${from + 1}`);
        if (name === "broken") throw new Error("no space left on device");
      },
    })),
    registerMessages: () => {},
    genesis: genesisOf({
      schema: EmptySchema,
      defaults: () => create(EmptySchema),
      validate: () => {},
      init: () => {
        diary.push(`${name} InitGenesis`);
        return updates;
      },
      export: () => create(EmptySchema),
    }),
  };
}

function run(from: Record<string, number>, ...modules: ((diary: Diary) => Module)[]) {
  const diary: Diary = [];
  const chain = new TestChain("upgrade");
  const versions = runMigrations(
    chain.block(10),
    modules.map((module) => module(diary)),
    new Map(Object.entries(from)),
  );
  return { diary, versions: [...versions], logs: chain.takeLogs() };
}

const a =
  (version: number, ...steps: number[]) =>
  (diary: Diary) =>
    moduleOf(diary, "a", version, steps);

describe("RunMigrations (rules/upgrade 7.1, 7.2, 7.3)", () => {
  test("a module that is not in the map: its default genesis, and its version", () => {
    expect(run({}, a(3, 1, 2))).toEqual({
      diary: ["a InitGenesis"],
      versions: [["a", 3]],
      logs: ["info: adding a new module: a"],
    });
  });

  test("a map that was never stored runs every InitGenesis", () => {
    const { diary } = run({}, a(1), (d) => moduleOf(d, "b", 2, [1]));
    expect(diary).toEqual(["a InitGenesis", "b InitGenesis"]);
  });

  test("a new module that returns validators is refused: they are another module's", () => {
    const update = { pubKey: new Uint8Array(32), power: 1 };
    expect(refusalOf(() => run({}, (d) => moduleOf(d, "a", 1, [], [update])))).toBe(
      "sdk/35 validator InitGenesis update is already set by another module: internal logic error",
    );
  });

  test("a lower version: each step in turn", () => {
    expect(run({ a: 2 }, a(5, 1, 2, 3, 4))).toEqual({
      diary: ["a 2 → 3", "a 3 → 4", "a 4 → 5"],
      versions: [["a", 5]],
      logs: [
        "info: migrating module a from version 2 to version 3",
        "info: migrating module a from version 3 to version 4",
        "info: migrating module a from version 4 to version 5",
      ],
    });
  });

  test.each([
    ["equal", { a: 2 }, a(2)],
    ["version 1 or none, whatever the map says", { a: 4 }, a(1)],
  ])("%s: nothing runs", (_, from, module) => {
    expect(run(from, module).diary).toEqual([]);
  });

  test("a higher version: nothing runs, and the lower one is recorded", () => {
    expect(run({ a: 5 }, a(3, 1, 2))).toMatchObject({ diary: [], versions: [["a", 3]] });
  });

  test.each([
    ["no migrations at all", a(3), "sdk/38 no migrations found for module a: not found"],
    [
      "one step missing",
      a(4, 2),
      "sdk/38 no migration found for module a from version 3 to version 4: not found",
    ],
  ])("%s", (_, module, text) => {
    expect(refusalOf(() => run({ a: 2 }, module))).toBe(text);
  });

  test("a step that fails ends it all, with its own words", () => {
    const error = thrownBy(() =>
      run(
        { broken: 1, c: 1 },
        (d) => moduleOf(d, "broken", 2, [1]),
        (d) => moduleOf(d, "c", 2, [1]),
      ),
    );
    expect(error.message).toContain("no space left on device");
  });

  test("in alphabetical order, auth last", () => {
    const names = ["staking", "auth", "bank", "zebra", "authz"];
    const from = Object.fromEntries(names.map((name) => [name, 1]));
    const { diary } = run(from, ...names.map((name) => (d: Diary) => moduleOf(d, name, 2, [1])));
    expect(diary.map((line) => line.split(" ")[0])).toEqual([
      "authz",
      "bank",
      "staking",
      "zebra",
      "auth",
    ]);
  });

  test("a module that is gone is not in the result", () => {
    expect(run({ a: 1, gone: 3 }, a(1)).versions).toEqual([["a", 1]]);
  });
});
