import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkArchitecture } from "./architecture.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "architecture-"));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function plant(file: string, source: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), source);
}

const KEEPER = "src/engine/modules/evidence/keeper.ts";
const PAGE = "src/ui/panels/chain.tsx";

/** [what, file, source, line, why] */
const VIOLATIONS: [string, string, string, number, RegExp][] = [
  // Every way to write an import.
  ["import", KEEPER, 'import { x } from "../../../view/x.ts";', 1, /may not import src\/view/],
  ["import type", KEEPER, 'import type { X } from "../../../view/x.ts";', 1, /src\/view/],
  ["import for its effects", KEEPER, 'import "../../../view/x.ts";', 1, /src\/view/],
  ["export from", KEEPER, 'export { x } from "../../../view/x.ts";', 1, /src\/view/],
  ["export all", KEEPER, 'export * from "../../../view/x.ts";', 1, /src\/view/],
  ["export type", KEEPER, 'export type { X } from "../../../view/x.ts";', 1, /src\/view/],
  ["import()", KEEPER, 'const x = await import("../../../view/x.ts");', 1, /src\/view/],
  ["import() of a template", KEEPER, "await import(`../../../view/x.ts`);", 1, /src\/view/],
  ["import() as a type", KEEPER, 'type X = import("../../../view/x.ts").X;', 1, /src\/view/],
  ["import =", KEEPER, 'import x = require("../../../view/x.ts");', 1, /src\/view/],
  ["require()", KEEPER, 'const x = require("../../../view/x.ts");', 1, /src\/view/],
  ["glob import", PAGE, 'import.meta.glob("../../engine/**/*.ts");', 1, /src\/engine/],
  ["glob imports", PAGE, 'import.meta.glob(["../../engine/*.ts"]);', 1, /src\/engine/],
  ["address of a file", PAGE, 'new URL("../../engine/x.ts", import.meta.url);', 1, /src\/engine/],
  [
    "import over many lines",
    KEEPER,
    '\nimport {\n  x,\n} from "../../../view/x.ts";',
    2,
    /src\/view/,
  ],
  ["import with a query", KEEPER, 'import x from "../../../view/x.ts?raw";', 1, /src\/view/],
  ["import that is computed", KEEPER, "await import(name);", 1, /not a plain string/],
  ["import from the root", PAGE, 'import "/src/engine/app/x.ts";', 1, /relative path/],
  ["import from a host", PAGE, 'await import("https://example.org/x.js");', 1, /relative path/],

  // Every direction that is not in the table.
  ["module → module", KEEPER, 'import "../staking/keeper.ts";', 1, /modules\/staking/],
  ["module → app", KEEPER, 'import "../../app/x.ts";', 1, /engine\/app/],
  ["base → store", "src/base/x.ts", 'import "../engine/store/x.ts";', 1, /store/],
  ["base → gen", "src/base/x.ts", 'import "../gen/x.ts";', 1, /src\/gen/],
  ["store → framework", "src/engine/store/x.ts", 'import "../framework/x.ts";', 1, /framework/],
  ["framework → modules", "src/engine/framework/x.ts", 'import "../modules/gov/x.ts";', 1, /gov/],
  ["app → network", "src/engine/app/x.ts", 'import "../network/x.ts";', 1, /network/],
  ["app → consensus", "src/engine/app/x.ts", 'import "../consensus/x.ts";', 1, /consensus/],
  ["consensus → app", "src/engine/consensus/x.ts", 'import "../app/x.ts";', 1, /app/],
  ["network → simulation", "src/engine/network/x.ts", 'import "../simulation/x.ts";', 1, /simul/],
  ["engine → view", "src/engine/simulation/x.ts", 'import "../../view/x.ts";', 1, /src\/view/],
  ["view → scenario", "src/view/x.ts", 'import "../scenario/x.ts";', 1, /src\/scenario/],
  ["scenario → search", "src/scenario/x.ts", 'import "./search/x.ts";', 1, /scenario\/search/],
  ["scenario → client", "src/scenario/x.ts", 'import "../client/x.ts";', 1, /src\/client/],
  ["client → engine", "src/client/x.ts", 'import type { X } from "../engine/app/x.ts";', 1, /app/],
  ["cli → ui", "src/cli/x.ts", 'import "../ui/x.ts";', 1, /src\/ui/],
  ["cli → client", "src/cli/x.ts", 'import "../client/x.ts";', 1, /src\/client/],
  ["cli → node", "src/cli/x.ts", 'import "../node/x.ts";', 1, /src\/node/],
  ["ui → engine", PAGE, 'import "../../engine/app/x.ts";', 1, /src\/engine\/app/],
  ["ui → workers", PAGE, 'import "../../workers/engine.worker.ts";', 1, /src\/workers/],
  ["workers → ui", "src/workers/x.ts", 'import "../ui/x.ts";', 1, /src\/ui/],
  ["node → workers", "src/node/x.ts", 'import "../workers/x.ts";', 1, /src\/workers/],
  ["gen → engine", "src/gen/x.ts", 'import "../engine/app/x.ts";', 1, /src\/engine\/app/],
  ["source → tools", "src/node/x.ts", 'import "../../tools/x.ts";', 1, /tools\/x\.ts/],
  ["e2e → engine", "e2e/x.spec.ts", 'import "../src/engine/app/x.ts";', 1, /src\/engine\/app/],
  ["bench → ui", "bench/x.ts", 'import "../src/ui/x.ts";', 1, /src\/ui/],
  ["test → other layer", "src/client/x.test.ts", 'import "../engine/app/x.ts";', 1, /engine\/app/],

  // Packages.
  ["engine → react", KEEPER, 'import React from "react";', 1, /package react/],
  ["engine → Node", KEEPER, 'import { readFileSync } from "node:fs";', 1, /package node:\*/],
  ["engine → Node, old name", KEEPER, 'import { readFileSync } from "fs";', 1, /package node:\*/],
  ["hashing outside its seam", KEEPER, 'import "@noble/hashes/sha2.js";', 1, /@noble\/hashes/],
  ["page → Node", PAGE, 'import "node:path";', 1, /package node:\*/],
  ["page → schema of files", PAGE, 'import { parse } from "yaml";', 1, /package yaml/],
  ["unknown package", "src/node/x.ts", 'import "left-pad";', 1, /package left-pad/],
  ["test tools in the product", "src/view/x.ts", 'import "vitest";', 1, /package vitest/],

  // Workers.
  ["worker", PAGE, "\nnew Worker(address);", 2, /src\/ui\/store\/worker\.ts only/],
  ["worker by its global", PAGE, "new globalThis.Worker(address);", 1, /worker\.ts only/],
  ["shared worker", "src/client/x.ts", "new SharedWorker(address);", 1, /worker\.ts only/],
  ["worker import", PAGE, 'import W from "./x.ts?worker";', 1, /worker\.ts only/],

  // Determinism.
  ["clock", KEEPER, "\n\nconst t = Date.now();", 3, /Date\.now/],
  ["clock as a value", KEEPER, "const clock = Date.now;", 1, /Date\.now/],
  ["date of now", KEEPER, "const t = new Date();", 1, /new Date\(\)/],
  ["date as text", KEEPER, "const t = Date();", 1, /Date\(\)/],
  ["clock passed on", KEEPER, "const now = makeClock(Date);", 1, /Date as a value/],
  ["chance", KEEPER, "const r = Math.random();", 1, /Math\.random/],
  ["chance by a computed name", KEEPER, 'const r = Math["random"]();', 1, /Math\.random/],
  ["chance by destructuring", KEEPER, "const { random } = Math;", 1, /Math as a value/],
  ["printing", KEEPER, 'console.log("x");', 1, /console/],
  ["process", KEEPER, "const e = process.env;", 1, /process/],
  ["window", KEEPER, "window.alert(1);", 1, /window/],
  ["globalThis", KEEPER, "const x = globalThis.x;", 1, /globalThis/],
  ["locale order", KEEPER, "names.sort((a, b) => a.localeCompare(b));", 1, /localeCompare/],
  ["locale text", KEEPER, "const s = (1234).toLocaleString();", 1, /toLocaleString/],
  ["locale formats", KEEPER, "const f = new Intl.NumberFormat();", 1, /Intl/],

  // Addresses before a world's prefix is known.
  [
    "address at load",
    KEEPER,
    'const POOL = accAddress(moduleAddress("pool"));',
    1,
    /accAddress when/,
  ],
  ["its type at load", KEEPER, 'export const GOV: string = moduleAccount("gov");', 1, /moduleAcc/],
  [
    "address in a list",
    KEEPER,
    "\nconst P = NAMES.map((one) => valAddress(one));",
    2,
    /valAddress/,
  ],
  [
    "address by its function",
    KEEPER,
    "const P = new Set(NAMES.map(consAddress));",
    1,
    /consAddress/,
  ],
  ["address in a table", PAGE, "const T = { a: [{ b: fromAccAddress(x) }] };", 1, /fromAccAddress/],
  ["address at once", PAGE, "const P = (() => accAddress(x))();", 1, /accAddress/],
  ["address of a class", KEEPER, "class A { static pool = accAddress(x); }", 1, /accAddress/],
  [
    "address by the file's own functions",
    KEEPER,
    "const of = (x) => accAddress(x);\nfunction pool() { return of(1); }\nexport const P = [pool()];",
    3,
    /accAddress/,
  ],

  // Files that cannot be checked are refused.
  ["no layer", "src/helpers/x.ts", "export {};", 1, /belongs to no layer/],
  ["no inner layer", "src/engine/x.ts", "export {};", 1, /belongs to no layer/],
  ["no module", "src/engine/modules/x.ts", "export {};", 1, /belongs to no layer/],
  ["JavaScript too", "src/ui/x.js", 'import "../engine/app/x.ts";', 1, /src\/engine\/app/],
  ["broken syntax", KEEPER, "const a = 1;\nconst = 2;", 2, /does not parse/],
  ["types by comment", KEEPER, '/// <reference types="node" />', 1, /reference comment/],
];

describe("the guard catches, with file, line and reason,", () => {
  test.each(VIOLATIONS)("%s (%s)", (_what, file, source, line, why) => {
    plant(file, source);
    const { files, violations } = checkArchitecture(root);
    expect(files).toBe(1);
    expect(violations).toHaveLength(1);
    expect(violations[0]).toEqual({ file, line, why: expect.stringMatching(why) });
  });

  test("each of several violations in one file, in order", () => {
    plant(KEEPER, 'import "react";\nconst t = Date.now();\nconsole.log(t);');
    expect(checkArchitecture(root).violations.map(({ line }) => line)).toEqual([1, 2, 3]);
  });
});

/** [what, file, source] */
const ALLOWED: [string, string, string][] = [
  ["a layer's own files", KEEPER, 'import "./keys.ts";\nexport * from "./types.ts";'],
  ["modules below app", "src/engine/app/x.ts", 'import "../modules/gov/module.ts";'],
  ["merkle for consensus", "src/engine/consensus/x.ts", 'import "../store/merkle.ts";'],
  ["protobuf state", KEEPER, 'import { create } from "@bufbuild/protobuf/wkt";'],
  ["the page's packages", PAGE, 'import "react-dom/client";\nimport "recharts";'],
  ["styles", PAGE, 'import styles from "./chain.module.css";'],
  [
    "the worker, in its one place",
    "src/ui/store/worker.ts",
    'new Worker(new URL("../../workers/engine.worker.ts", import.meta.url), { type: "module" });',
  ],
  ["workers beside it", "src/workers/case-workers.ts", "new Worker(location.href);"],
  ["the address of data", PAGE, 'new URL("../../../public/icon.svg", import.meta.url);'],
  ["a worker to measure", "bench/x.ts", "new Worker(address);"],
  ["test tools in tests", "src/engine/store/x.test.ts", 'import "vitest";\nimport "fast-check";'],
  ["test tools in test helpers", "src/engine/store/testing.ts", 'import "fast-check";'],
  ["Node in tests", "src/scenario/x.test.ts", 'import { readFileSync } from "node:fs";'],
  ["Node in the Node root", "src/node/main.ts", 'import { argv } from "node:process";'],
  ["addresses once they are asked for", KEEPER, "export const f = (x) => [x].map(accAddress);"],
  [
    "a method with addresses",
    KEEPER,
    "class A { pool = accAddress(x); of() { return valAddress(x); } }",
  ],
  ["a table of functions", PAGE, "export const T = define({ read: (x) => accAddress(x) });"],
  ["a field called process", KEEPER, "export const f = (n: { process: string }) => n.process;"],
  ["a parameter called window", KEEPER, "export const f = (window: number) => window + 1;"],
  ["a date from the chain", KEEPER, "export const f = (ms: number) => new Date(ms).toISOString();"],
  ["text that looks like an import", KEEPER, "// import '../gov/x.ts'\nconst s = \"Date.now()\";"],
];

describe("the guard allows", () => {
  test.each(ALLOWED)("%s (%s)", (_what, file, source) => {
    plant(file, source);
    expect(checkArchitecture(root)).toMatchObject({ files: 1, violations: [] });
  });
});

test("checking no file at all is an error, not a success", () => {
  mkdirSync(join(root, "src/engine"), { recursive: true });
  expect(() => checkArchitecture(root)).toThrow(/no source files/);
});

test("a right of the table that no import needs is named, for a folder and for a package", () => {
  plant(KEEPER, 'import "../../store/kv-store.ts";');
  const { unusedRights } = checkArchitecture(root);
  expect(unusedRights).not.toContain("src/engine/modules/* → src/engine/store");
  expect(unusedRights).toContain("src/engine/modules/* → @bufbuild/protobuf");
  plant(PAGE, 'import "@bufbuild/protobuf";');
  expect(checkArchitecture(root).unusedRights).toContain(
    "src/engine/modules/* → @bufbuild/protobuf",
  );
  plant(KEEPER, 'import "@bufbuild/protobuf/wkt";');
  expect(checkArchitecture(root).unusedRights).toEqual(
    expect.arrayContaining(["src/engine/modules/* → src/engine/store"]),
  );
  expect(checkArchitecture(root).unusedRights).not.toContain(
    "src/engine/modules/* → @bufbuild/protobuf",
  );
});
