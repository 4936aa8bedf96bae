/**
 * Setup before anything is installed: plain JavaScript, Node's own modules only.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { missingFiles, recordInstalled } from "./installed-files.mjs";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

const MIN_NODE = { major: 20, minor: 19 };

/** Ends the process with one sentence when this Node is too old. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > MIN_NODE.major || (major === MIN_NODE.major && minor >= MIN_NODE.minor)) return;
  const wanted = `${MIN_NODE.major}.${MIN_NODE.minor}`;
  console.error(`Chainlab needs Node ${wanted} or newer; this is ${process.version}.`);
  process.exit(1);
}

/**
 * Installs exactly what package-lock.json says when node_modules does not hold all of it. Throws when that fails twice:
 * a network may fail once.
 */
export function ensureDependencies() {
  const problem = problemOfPath(ROOT);
  if (problem) throw new Error(problem);
  if (dependenciesMatch()) {
    const [missing, ...more] = missingFiles(ROOT);
    if (missing === undefined) return;
    const others = more.length > 0 ? ` and ${more.length} more` : "";
    console.error(`Not all that was installed is there: node_modules/${missing}${others}.`);
  }
  console.error("Installing dependencies …");
  // stdout stays free for the command that asked for them.
  const install = () => npm(["ci", "--include=dev", "--no-audit", "--no-fund"], ["ignore", 2, 2]);
  if (!install()) {
    console.error("That failed. Once more …");
    if (!install())
      throw new Error("npm could not install the dependencies; its own words are above.");
  }
  recordInstalled(ROOT);
}

/**
 * Returns why the tools would misread the path of this folder as a URL, in one sentence.
 * @param {string} path
 * @returns {string | undefined}
 */
export function problemOfPath(path) {
  const [found] = /[#?]|%(?![0-9a-f]{2})/i.exec(path) ?? [];
  if (found === undefined) return undefined;
  return `Chainlab's tools cannot work below a folder with "${found}" in its name. Rename or move it: ${path}`;
}

/** Compares the lockfile with the one that npm leaves in node_modules, and with what is really there. */
export function dependenciesMatch(root = ROOT) {
  const wanted = packagesOf(join(root, "package-lock.json"));
  const installed = packagesOf(join(root, "node_modules/.package-lock.json"));
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    const found = installed[path];
    // Binaries for other platforms are in the lockfile only.
    if (!found) return entry.optional === true || entry.devOptional === true;
    return found.version === entry.version && existsSync(join(root, path, "package.json"));
  });
}

/**
 * @param {string} lockfile
 * @returns {Record<string, { version: string, optional?: boolean, devOptional?: boolean }>}
 */
function packagesOf(lockfile) {
  return existsSync(lockfile) ? JSON.parse(readFileSync(lockfile, "utf8")).packages : {};
}

/**
 * True if `output` is missing or older than anything in `sources` (files or folders); tests do not
 * count.
 * @param {string} output
 * @param {readonly string[]} sources
 */
export function isStale(output, sources, root = ROOT) {
  const built = statSync(join(root, output), { throwIfNoEntry: false });
  if (!built) return true;
  return sources.some((source) => changedAfter(join(root, source), built.mtimeMs));
}

/**
 * @param {string} path
 * @param {number} time
 * @returns {boolean}
 */
function changedAfter(path, time) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat || /\.test\.tsx?$/.test(path)) return false;
  // A folder changes when one of its files goes, which no file that is left can tell.
  if (stat.mtimeMs > time) return true;
  return (
    stat.isDirectory() && readdirSync(path).some((name) => changedAfter(join(path, name), time))
  );
}

/**
 * Runs one of the installed tools; true when it succeeded.
 * @param {string} tool its file below node_modules
 * @param {readonly string[]} args
 * @param {import("node:child_process").StdioOptions} stdio
 * @param {NodeJS.ProcessEnv} [env] added to this process's
 */
export function runTool(tool, args, stdio, env = {}) {
  return run(process.execPath, [join(ROOT, "node_modules", tool), ...args], stdio, env);
}

/**
 * Runs one of the project's own programs in TypeScript, without the second process of tsx's command; true when it
 * succeeded.
 * @param {string} source its file from the project's folder
 * @param {readonly string[]} args
 * @param {import("node:child_process").StdioOptions} stdio
 */
export function runSource(source, args, stdio) {
  return run(process.execPath, ["--import", "tsx", source, ...args], stdio, {});
}

/**
 * @param {readonly string[]} args
 * @param {import("node:child_process").StdioOptions} stdio
 */
export function npm(args, stdio) {
  const itself = process.env.npm_execpath;
  if (itself?.endsWith("npm-cli.js")) return run(process.execPath, [itself, ...args], stdio, {});
  const command = process.platform === "win32" ? "npm.cmd" : "npm";
  return run(command, args, stdio, {}, process.platform === "win32");
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import("node:child_process").StdioOptions} stdio
 * @param {NodeJS.ProcessEnv} env
 */
function run(command, args, stdio, env, shell = false) {
  const options = { cwd: ROOT, stdio, shell, env: { ...process.env, ...env } };
  return spawnSync(command, args, options).status === 0;
}
