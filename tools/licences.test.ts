import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { thirdPartyText } from "./licence-texts.ts";
import { isAllowed, packagesAt, productionPaths } from "./licences.ts";

let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "licences-"));
  put("package-lock.json", {
    packages: {
      "": {},
      "node_modules/b": {},
      "node_modules/b/node_modules/a": {},
      "node_modules/tool": { dev: true },
      "node_modules/b-win32": { optional: true },
      "node_modules/b-linux": { optional: true },
    },
  });
  for (const [path, license] of [
    ["b", "MIT"],
    ["b/node_modules/a", "Apache-2.0"],
    ["tool", "GPL-3.0-only"],
    ["b-linux", undefined],
  ] as const) {
    const name = path.split("/").at(-1);
    put(`node_modules/${path}/package.json`, { name, version: "1.0.0", license });
  }
  for (const file of ["x.js", "y.js"])
    put(`node_modules/b/node_modules/a/${file}`, "// Copyright A\n// All kept.\nexport {};");
  put("LICENSE", "the text of Apache-2.0");
  put("node_modules/b/LICENSE.md", "the text of b");
  put("node_modules/b/NOTICE", "the notice of b");
});

afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

function put(file: string, content: string | object): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  const text = typeof content === "string" ? content : JSON.stringify(content);
  writeFileSync(join(root, file), text);
}

describe("licences", () => {
  test("are those of what the product needs and this platform has", () => {
    const found = packagesAt(root, productionPaths(root));
    expect(found.map(({ name, licence }) => `${name} ${licence}`)).toEqual([
      "a Apache-2.0",
      "b MIT",
      "b-linux ",
    ]);
  });

  test.each([
    "MIT",
    "(MIT AND ISC)",
    "(MIT OR GPL-3.0-only)",
    "GPL-3.0-only OR MIT",
    "MIT AND (GPL-2.0-only OR ISC)",
    "GPL-3.0-only AND MIT OR ISC",
  ])("%s is allowed", (expression) => {
    expect(isAllowed(expression)).toBe(true);
  });

  test.each([
    "",
    "GPL-3.0-only",
    "MIT AND GPL-3.0-only",
    "GPL-3.0-only AND (MIT OR ISC)",
    "SEE LICENSE IN LICENSE.md",
    "UNLICENSED",
    "(MIT",
    "MIT ISC",
    "MIT WITH Classpath-exception-2.0",
  ])('"%s" is not', (expression) => {
    expect(isAllowed(expression)).toBe(false);
  });

  test("stand beside the product in full, each package with its own text and notice", () => {
    const text = thirdPartyText(root, ["node_modules/b", "node_modules/b/node_modules/a"]);
    expect(text).toContain("b 1.0.0 (MIT)\n\nthe text of b\n\nthe notice of b");
    // The package brings no text of its own.
    expect(text).toContain(
      "a 1.0.0 (Apache-2.0)\n\nCopyright A\nAll kept.\n\nthe text of Apache-2.0",
    );
  });
});
