/** The two builds of a comparison: this checkout's sources, and those of a commit before it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "../bench.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Names the projects of its own commit: what is built fails at one that the sources do not have. */
const PROJECTS = "tsconfig.json";

export interface Checkout {
  readonly name: string;
  readonly root: string;
  /** An empty folder for what is built of it, from which packages are found. */
  readonly built: string;
}

/**
 * Puts the sources of a commit into the scratch folder with the packages of its lockfile, since it may need some that
 * this checkout has no more, and beside them the benchmarks of this checkout, so that both builds are measured by the
 * same code.
 */
export async function checkoutsOf(before: string, scratch: string): Promise<[Checkout, Checkout]> {
  const root = join(scratch, "before");
  await mkdir(root);
  await extract(before, root);
  await install(root);
  await putBenchmarks(join(ROOT, "bench"), join(root, "bench"));
  const built = async (name: string, of: string): Promise<string> => {
    const folder = join(scratch, `built-${name}`);
    await mkdir(folder);
    await symlink(join(of, "node_modules"), join(folder, "node_modules"));
    return folder;
  };
  return [
    { name: before, root, built: await built("before", root) },
    { name: "this checkout", root: ROOT, built: await built("after", ROOT) },
  ];
}

/** Puts benchmarks in the place of those in a folder, whose list of projects stays. */
export async function putBenchmarks(from: string, to: string): Promise<void> {
  for (const name of await readdir(to))
    if (name !== PROJECTS) await rm(join(to, name), { recursive: true });
  const isProjects = (path: string): boolean => path === join(from, PROJECTS);
  await cp(from, to, { recursive: true, filter: (path) => !isProjects(path) });
}

async function extract(commit: string, folder: string): Promise<void> {
  const archive = spawn("git", ["archive", "--format=tar", commit], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", 2],
  });
  const unpack = spawn("tar", ["-x", "-C", folder], { stdio: [archive.stdout, 2, 2] });
  const [[archived], [unpacked]] = await Promise.all([once(archive, "exit"), once(unpack, "exit")]);
  if (archived !== 0 || unpacked !== 0)
    throw new UsageError(`--before ${commit}: expected a commit that this repository has`);
}

async function install(folder: string): Promise<void> {
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
  const npm = spawn("npm", args, { cwd: folder, stdio: ["ignore", 2, 2] });
  const [status] = await once(npm, "exit");
  if (status !== 0) throw new Error("npm could not install the packages of the commit before.");
}
