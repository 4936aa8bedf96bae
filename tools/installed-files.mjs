/**
 * The files that npm put into node_modules, as they were right after it, so that one that has gone missing since is
 * noticed: npm itself compares versions alone. Run as a program (npm does, after it installed) it records them.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const RECORD = "node_modules/.chainlab-installed.json";
/** Written by npm each time it is done. */
const LOCKFILE = "node_modules/.package-lock.json";

/** @param {string} root */
export function recordInstalled(root) {
  const record = { after: timeOf(join(root, LOCKFILE)), files: [...installed(root)].sort() };
  writeFileSync(join(root, RECORD), JSON.stringify(record));
}

/**
 * The files that were there after npm was done and no longer are; records those that are there when npm ran since.
 * @param {string} root
 * @returns {string[]}
 */
export function missingFiles(root) {
  const { after, files } = readRecord(root);
  if (after !== timeOf(join(root, LOCKFILE))) {
    recordInstalled(root);
    return [];
  }
  const present = installed(root);
  return files.filter((file) => !present.has(file));
}

/**
 * @param {string} root
 * @returns {{ after?: number, files: string[] }}
 */
function readRecord(root) {
  try {
    return JSON.parse(readFileSync(join(root, RECORD), "utf8"));
  } catch {
    return { files: [] };
  }
}

/** @param {string} root */
function installed(root) {
  const folder = join(root, "node_modules");
  // Folders with a dot are the tools' own, but for the commands.
  const names = readdirSync(folder).filter((name) => name === ".bin" || !name.startsWith("."));
  const files = names.flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true, encoding: "utf8" }).map((file) =>
      `${name}/${file}`.replaceAll(sep, "/"),
    ),
  );
  return new Set(files);
}

/** @param {string} file */
function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL("..", import.meta.url));
  // npm calls it also where it wrote the lockfile alone.
  if (existsSync(join(root, LOCKFILE))) recordInstalled(root);
}
