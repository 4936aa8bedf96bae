/** Programs that are installed on this machine. */
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The paths of all programs of these names on PATH, in its order. */
export function executablesNamed(names: readonly string[]): string[] {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .filter(isExecutable);
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A download without the libraries that it needs is executable, and does not start. */
export function starts(path: string): boolean {
  // Browsers for Windows open a window when they are asked for their version.
  if (process.platform === "win32") return true;
  return spawnSync(path, ["--version"], { timeout: 60_000 }).status === 0;
}
