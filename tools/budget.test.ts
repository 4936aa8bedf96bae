import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { firstScreen, report } from "./budget.ts";

let dist: string;

beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), "budget-"));
});

afterEach(() => {
  rmSync(dist, { recursive: true, force: true });
});

function build(files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dist, file)), { recursive: true });
    writeFileSync(join(dist, file), text);
  }
}

const PAGE = {
  "index.html": '<script type="module" crossorigin src="./assets/main-1.js"></script>',
  "assets/main-1.js":
    'import{a}from"./shared-1.js";import("./charts-1.js");new Worker(p(``+new URL(`engine.worker-1.js`,import.meta.url).href),{type:`module`});',
  "assets/shared-1.js": 'export*from"./deep-1.js";export const a=1;',
  "assets/deep-1.js": "export const b=1;",
  "assets/charts-1.js": 'import{a}from"./shared-1.js";',
  "assets/engine.worker-1.js": 'import"./hash-1.js";import("./lazy-1.js");',
  "assets/hash-1.js": "export{};",
  "assets/lazy-1.js": "export{};",
};

describe("the first screen", () => {
  test("is the static imports of the page and of its worker, lazy chunks left out", () => {
    build(PAGE);
    expect(firstScreen(dist).map(({ file, part }) => `${part} ${file}`)).toEqual([
      "page assets/main-1.js",
      "page assets/shared-1.js",
      "page assets/deep-1.js",
      "worker assets/engine.worker-1.js",
      "worker assets/hash-1.js",
    ]);
  });

  test("counts a worker that a lazy chunk starts", () => {
    build({
      ...PAGE,
      "assets/main-1.js": 'import("./charts-1.js")',
      "assets/charts-1.js": 'new Worker("/assets/engine.worker-1.js")',
    });
    expect(firstScreen(dist).map(({ file }) => file)).toContain("assets/hash-1.js");
  });

  test("is measured in gzipped bytes", () => {
    build(PAGE);
    const [main] = firstScreen(dist);
    expect(main?.gzip).toBe(gzipSync(PAGE["assets/main-1.js"]).length);
  });

  test("without a page or a worker is an error, not a small page", () => {
    build({ ...PAGE, "assets/main-1.js": "export{};" });
    expect(() => firstScreen(dist)).toThrow(/worker/);
    build({ "index.html": "<p>Chainlab</p>" });
    expect(() => firstScreen(dist)).toThrow(/no script/);
  });
});

describe("the budget", () => {
  test("of 219.5 KB holds up to its last byte", () => {
    const chunks = (gzip: number) => [
      { file: "main.js", part: "page" as const, gzip: 1000 },
      { file: "engine.js", part: "worker" as const, gzip },
    ];
    expect(report(chunks(219.5 * 1024 - 1000)).withinBudget).toBe(true);
    const over = report(chunks(219.5 * 1024 - 999));
    expect(over.withinBudget).toBe(false);
    expect(over.text).toContain("over budget");
  });

  test("is broken by more incompressible script than it allows", () => {
    const noise = `export default "${randomBytes(130 * 1024).toString("hex")}";`;
    build({ ...PAGE, "assets/deep-1.js": noise, "assets/hash-1.js": noise });
    expect(report(firstScreen(dist)).withinBudget).toBe(false);
  });
});
