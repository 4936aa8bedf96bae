/** Prints the Node tests that are near changed files, nearest first, one a line: the inner loop of `npm run check`. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { FactsCache } from "./facts-cache.ts";
import { ROOT } from "./setup.mjs";

/** A test imports what it is about, or what is made of it. */
const NEAR = 2;
/** Nearest first; what is further away is for `npm test`. */
const MOST = 20;
const NODE_TEST = /(?<!\.browser)\.test\.tsx?$/;

/**
 * The tests whose imports lead to a changed file in few steps; where no test is so near, the nearest there are.
 *
 * @param changed paths from the root
 * @param importers the files that import each file
 */
export function nearbyTests(
  changed: readonly string[],
  importers: ReadonlyMap<string, readonly string[]>,
): string[] {
  const seen = new Set(changed);
  const tests = changed.filter((file) => NODE_TEST.test(file));
  let ring: readonly string[] = changed;
  for (let steps = 1; ring.length > 0 && (steps <= NEAR || tests.length === 0); steps++) {
    ring = [...new Set(ring.flatMap((file) => importers.get(file) ?? []))].filter(
      (file) => !seen.has(file),
    );
    for (const file of ring) seen.add(file);
    tests.push(...ring.filter((file) => NODE_TEST.test(file)));
  }
  return tests.slice(0, MOST);
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

/** Files that are not committed yet or, when there are none, those of the last commit. */
function changedFiles(): string[] {
  const git = (...args: string[]): string[] =>
    execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).split("\0").filter(Boolean);
  const open = [
    ...git("diff", "--name-only", "-z", "HEAD"),
    ...git("ls-files", "--others", "--exclude-standard", "-z"),
  ];
  const changed = open.length > 0 ? open : git("diff", "--name-only", "-z", "HEAD~1");
  return changed.filter((file) => existsSync(join(ROOT, file)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const test of nearbyTests(changedFiles(), importersIn(ROOT))) console.log(test);
}
