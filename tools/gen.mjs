/**
 * `npm run gen`: writes all generated code and documents, or nothing when neither their sources nor they have changed
 * since the last run.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { ensureDependencies, ROOT, requireNode, runSource, runTool } from "./setup.mjs";

/** All that is read or written; more than is needed costs a run, less would leave something out of date. */
const FILES = [
  ...["proto", "src", "tools", "public", "buf.yaml", "buf.gen.yaml", "package-lock.json"],
  ...["docs/scenarios.md", "ARCHITECTURE.md"],
];

const STAMP = join(ROOT, "node_modules", ".cache-gen", "fingerprint");

requireNode();
ensureDependencies();
if (fingerprint() === lastFingerprint()) console.log("gen: nothing has changed");
else if (generate()) {
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, fingerprint());
} else process.exitCode = 1;

function generate() {
  const plugins = join(ROOT, "node_modules/.bin");
  const env = { PATH: `${plugins}${delimiter}${process.env.PATH}` };
  const io = /** @type {import("node:child_process").StdioOptions} */ (["ignore", 1, 2]);
  return (
    runTool("@bufbuild/buf/bin/buf", ["generate"], io, env) &&
    runSource("tools/generated-documents.ts", [], io)
  );
}

/** @returns {string} a hash of the names and contents of all files */
function fingerprint() {
  const hash = createHash("sha256");
  for (const file of FILES) addTo(hash, file);
  return hash.digest("hex");
}

/**
 * @param {import("node:crypto").Hash} hash
 * @param {string} path from the root; a folder stands for all files below it
 */
function addTo(hash, path) {
  if (/\.test\.tsx?$/.test(path)) return;
  const full = join(ROOT, path);
  if (statSync(full).isDirectory())
    for (const name of readdirSync(full).sort()) addTo(hash, `${path}/${name}`);
  else hash.update(`${path}\0`).update(readFileSync(full)).update("\0");
}

function lastFingerprint() {
  try {
    return readFileSync(STAMP, "utf8");
  } catch {
    return undefined;
  }
}
