/** Runs the Node tests that are near the given files: the inner loop of `npm run check`. */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { FactsCache } from "./facts-cache.ts";
import { ROOT, runTool } from "./setup.mjs";

/** A test imports what it is about, or what is made of it. */
const NEAR = 2;
/** Nearest first; others are left to `npm test`. */
const MOST = 12;
const NODE_TEST = /(?<!\.browser)\.test\.tsx?$/;

/**
 * The tests whose imports lead to a changed file in few steps, nearest first; where no test is so near, the nearest
 * there are.
 *
 * @param changed paths from the root
 * @param importers the files that import each file
 */
export function nearbyTests(
  changed: readonly string[],
  importers: ReadonlyMap<string, readonly string[]>,
): string[] {
  const seen = new Set(changed);
  const folders = new Set(changed.map(posix.dirname));
  const isBeside = (file: string): boolean => folders.has(posix.dirname(file));
  const tests = changed.filter((file) => NODE_TEST.test(file));
  let ring: readonly string[] = changed;
  for (let steps = 1; ring.length > 0 && (steps <= NEAR || tests.length === 0); steps++) {
    ring = [...new Set(ring.flatMap((file) => importers.get(file) ?? []))].filter(
      (file) => !seen.has(file),
    );
    for (const file of ring) seen.add(file);
    // Of those as near, a file's own before those of other folders.
    const found = ring.filter((file) => NODE_TEST.test(file));
    tests.push(...found.filter(isBeside), ...found.filter((file) => !isBeside(file)));
  }
  return tests;
}

function importersIn(root: string): Map<string, string[]> {
  const cache = FactsCache.open();
  const importers = new Map<string, string[]>();
  for (const folder of ["src", "bench", "tools"]) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
      const file = `${folder}/${name.replaceAll("\\", "/")}`;
      if (!/\.[mc]?[jt]sx?$/.test(file)) continue;
      for (const { specifier } of cache.read(file, readFileSync(join(root, file), "utf8"))
        .imports) {
        const target = posix.join(posix.dirname(file), specifier);
        importers.set(target, [...(importers.get(target) ?? []), file]);
      }
    }
  }
  cache.save();
  return importers;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const near = nearbyTests(process.argv.slice(2), importersIn(ROOT));
  const tests = near.slice(0, MOST);
  if (tests.length === 0) console.log("tests: none is near the changes");
  else if (runTool("vitest/vitest.mjs", ["run", "--project=!browser", ...tests], ["ignore", 1, 2]))
    console.log(
      near.length > MOST
        ? `tests: ok, the nearest ${MOST} of ${near.length} files; npm test runs the others`
        : "tests: ok",
    );
  else process.exitCode = 1;
}
