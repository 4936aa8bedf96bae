/** Modules that the command line loads at startup: each one adds to the time of every start. */
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync } from "vite";
import { expect, test } from "vitest";
import { ROOT } from "./setup.mjs";

/** Every file of the sources, and every package, that files bring with them at once. */
function loadedWith(...files: readonly string[]): ReadonlySet<string> {
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    if (!file.startsWith("src/")) return;
    for (const specifier of broughtBy(file)) {
      load(specifier.startsWith(".") ? posix.join(posix.dirname(file), specifier) : specifier);
    }
  };
  files.forEach(load);
  return loaded;
}

/** Returns the modules that a file imports or re-exports as values. */
function broughtBy(file: string): readonly string[] {
  const { module } = parseSync(file, readFileSync(join(ROOT, file), "utf8"));
  const imported = module.staticImports
    .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
    .map(({ moduleRequest }) => moduleRequest.value);
  const passedOn = module.staticExports
    .flatMap(({ entries }) => entries)
    .filter(({ isType }) => !isType)
    .flatMap(({ moduleRequest }) => moduleRequest?.value ?? []);
  return [...imported, ...passedOn];
}

const outside = (loaded: ReadonlySet<string>): readonly string[] =>
  [...loaded].filter((file) => !file.startsWith("src/") && !file.startsWith("node:")).sort();

const STATUS = ["src/node/main.ts", "src/cli/node-commands.ts"];

test("status, version and config load nothing of the chain, and one package", () => {
  const loaded = loadedWith(...STATUS);
  expect([...loaded]).toContain("src/cli/main.ts");
  expect(outside(loaded)).toEqual(["@stricli/core"]);
  const layers = new Set([...loaded].map((file) => file.split("/").slice(0, 2).join("/")));
  expect([...layers].filter((name) => name.startsWith("src/")).sort()).toEqual([
    "src/base",
    "src/cli",
    "src/node",
  ]);
});

test("start makes its first block without what answers requests and what reads files", () => {
  const loaded = loadedWith(...STATUS, "src/node/start.ts");
  expect([...loaded]).toContain("src/engine/simulation/simulation.ts");
  const late = ["@connectrpc/", "ws", "yaml", "@scure/", "@noble/curves/secp256k1"];
  expect(outside(loaded).filter((name) => late.some((one) => name.startsWith(one)))).toEqual([]);
  expect(
    [...loaded].filter((file) =>
      /^src\/(server\/(rest|rpc)|view\/rest|scenario\/parse|client)\b/.test(file),
    ),
  ).toEqual([]);
});
