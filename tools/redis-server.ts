/**
 * Finds a Redis or Valkey for the tests of the queue, and fetches one when there is none.
 *
 * Order: one on the PATH, the one that was fetched before, Debian's package. That is unpacked below node_modules and
 * not installed: its service would start with it. Run as a program it prints the path it settled on.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { executablesNamed, isExecutable, starts } from "./executables.ts";
import { ROOT } from "./setup.mjs";

const FOLDER = join(ROOT, "node_modules", ".cache-redis");
const FETCHED = join(FOLDER, "redis-server");

/** Path of a server that starts. Throws an Error that says how to have one. */
export function ensureRedisServer(): string {
  const present = [...executablesNamed(["valkey-server", "redis-server"]), FETCHED]
    .filter(isExecutable)
    .find(starts);
  if (present !== undefined) return present;
  if (process.platform === "linux" && process.getuid?.() === 0) {
    fetchPackage();
    if (isExecutable(FETCHED) && starts(FETCHED)) return FETCHED;
  }
  throw new Error("No Redis or Valkey found and none could be fetched: put one on the PATH.");
}

/** Has Debian's package and what it needs below FOLDER, with a program that starts it with its own libraries. */
function fetchPackage(): void {
  const archives = join(FOLDER, "archives");
  mkdirSync(join(archives, "partial"), { recursive: true });
  const own = ["--yes", "--no-install-recommends", "--download-only"];
  const where = ["-o", `Dir::Cache::archives=${archives}`];
  const download = (): boolean => run("apt-get", "install", ...own, ...where, "redis-server");
  if (!download() && !(run("apt-get", "update") && download())) return;
  for (const archive of readdirSync(archives).filter((file) => file.endsWith(".deb"))) {
    run("dpkg-deb", "--extract", join(archives, archive), FOLDER);
  }
  const libraries = join(FOLDER, "usr", "lib");
  if (!existsSync(libraries)) return;
  const below = readdirSync(libraries).map((name) => join(libraries, name));
  const server = join(FOLDER, "usr", "bin", "redis-server");
  const script = `#!/bin/sh\nLD_LIBRARY_PATH="${below.join(":")}" exec "${server}" "$@"\n`;
  writeFileSync(FETCHED, script);
  chmodSync(FETCHED, 0o755);
}

function run(command: string, ...args: readonly string[]): boolean {
  console.error(
    `No Redis or Valkey is installed that starts, trying: ${command} ${args.join(" ")}`,
  );
  return spawnSync(command, args, { stdio: ["ignore", 2, 2], timeout: 5 * 60_000 }).status === 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(ensureRedisServer());
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
