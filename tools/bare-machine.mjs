/**
 * Runs `npm test` and `npm start` of the committed sources on a minimal Debian with Node, npm, git and certificates, and
 * nothing else, made by debootstrap. It needs root on Debian: elsewhere it says so, with exit status 3. Status 1: one
 * of the two failed there; its own output says what was missing.
 */
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ROOT } from "./setup.mjs";

const PACKAGES = ["ca-certificates", "git"];
/** Package sources and certificates, as on this machine. */
const SETTINGS = [
  ...["/etc/apt/sources.list", "/etc/apt/sources.list.d", "/etc/apt/apt.conf.d"],
  ...["/etc/hosts", "/etc/resolv.conf", "/etc/ssl/certs", "/usr/local/share/ca-certificates"],
  join(homedir(), ".npmrc"),
];
const MOUNTS = ["/proc", "/sys", "/dev", "/dev/shm"];
const START_MS = 5 * 60_000;

if (process.platform !== "linux" || process.getuid?.() !== 0 || !existsSync("/etc/debian_version"))
  end(3, "A bare machine is made by debootstrap, which needs root on Debian.");
if (!run("debootstrap", ["--version"]) && !run("apt-get", ["install", "--yes", "debootstrap"]))
  end(3, "There is no debootstrap, and it could not be installed.");

const machine = mkdtempSync(join(tmpdir(), "chainlab-bare-"));
/** @type {string[]} */
const mounted = [];
/** @type {string[]} */
const failed = [];
try {
  prepare();
  if (!inside("npm test")) failed.push("npm test");
  if (!(await starts())) failed.push("npm start");
} finally {
  const isDetached = mounted.reverse().every((folder) => run("umount", ["--lazy", folder]));
  // Files below a remaining mount belong to this machine.
  if (isDetached) rmSync(machine, { recursive: true, force: true });
}
if (failed.length > 0) end(1, `On a bare machine these failed: ${failed.join(", ")}.`);

function prepare() {
  const include = `--include=${PACKAGES.join(",")}`;
  const release = spawnSync("sh", ["-c", '. /etc/os-release; printf %s "$VERSION_CODENAME"'], {
    encoding: "utf8",
  }).stdout;
  if (!run("debootstrap", ["--variant=minbase", include, release, machine]))
    throw new Error("debootstrap failed; its own words are above.");
  for (const file of SETTINGS.filter(existsSync)) copy(file, file);
  copy(process.execPath, "/usr/bin/node");
  const npm = dirname(
    dirname(process.env.npm_execpath ?? "/usr/lib/node_modules/npm/bin/npm-cli.js"),
  );
  copy(npm, "/usr/lib/node_modules/npm");
  inside("ln -sf ../lib/node_modules/npm/bin/npm-cli.js /usr/bin/npm");
  for (const folder of MOUNTS) {
    if (run("mount", ["--bind", folder, join(machine, folder)]))
      mounted.push(join(machine, folder));
  }
  if (!run("git", ["clone", "--quiet", ROOT, join(machine, "chainlab")]))
    throw new Error("git could not clone the sources.");
}

/**
 * @param {string} from
 * @param {string} to path on the bare machine
 */
function copy(from, to) {
  const target = join(machine, to);
  // Links of that system would be followed to files of this one.
  rmSync(target, { recursive: true, force: true });
  mkdirSync(dirname(target), { recursive: true });
  if (from.endsWith(".conf") || from === process.execPath) copyFileSync(from, target);
  else cpSync(from, target, { recursive: true, dereference: true });
}

/**
 * @param {string} line run by its shell, in the clone where that is there
 * @returns {boolean}
 */
function inside(line) {
  return run("chroot", [machine, "sh", "-c", `cd /chainlab 2>/dev/null; exec ${line}`]);
}

/** Resolves to true if `npm start` serves the page. */
function starts() {
  const line = "cd /chainlab && CI=1 exec npm start";
  const child = spawn("chroot", [machine, "sh", "-c", line], {
    stdio: ["ignore", "pipe", 2],
    detached: true,
    env: environment(),
  });
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), START_MS).unref();
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (text) => {
      output += text;
      const origin = /Chainlab is at (\S+)/.exec(output)?.[1];
      if (origin === undefined) return;
      fetch(origin).then(
        ({ ok }) => resolve(ok),
        () => resolve(false),
      );
    });
    child.on("exit", () => resolve(false));
  }).finally(() => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
  });
}

/** No more of this machine's environment than its certificates: paths of its programs would be found inside. */
function environment() {
  const certificates = Object.entries(process.env).filter(([name]) => /CERT|CA_BUNDLE/.test(name));
  return {
    ...Object.fromEntries(certificates),
    PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
    HOME: "/root",
  };
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 */
function run(command, args) {
  return (
    spawnSync(command, args, { stdio: ["ignore", 1, 2], env: runEnvironment(command) }).status === 0
  );
}

/** @param {string} command */
function runEnvironment(command) {
  return command === "chroot" ? environment() : process.env;
}

/**
 * @param {number} status
 * @param {string} text
 */
function end(status, text) {
  console.error(text);
  process.exit(status);
}
