/** Found cases as files: of worlds and scenario files the file itself, of all others the case as YAML. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse, stringify } from "yaml";
import { readText } from "../../src/node/files.ts";

/** Cases that were found and must not come back, in a folder for each target. */
export const FOUND = fileURLToPath(new URL("./found", import.meta.url));

export interface FoundCase {
  readonly target: string;
  readonly file: string;
  readonly given: unknown;
}

/** The case as text. A file whose text itself matters stays as it is. */
export const written = (given: unknown): string =>
  typeof given === "string" ? JSON.stringify(given) : stringify(given, { lineWidth: 110 });

/** Writes a case below a folder and returns its path. */
export function keep(folder: string, target: string, given: unknown, about: string): string {
  const text = written(given);
  const name = createHash("sha256").update(text).digest("hex").slice(0, 12);
  const path = join(folder, target, `${name}.yaml`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${about.replace(/^/gm, "# ")}\n${text}`);
  return path;
}

export const readCase = (file: string): FoundCase => ({
  target: basename(dirname(file)),
  file,
  given: parse(readText(file), { maxAliasCount: -1 }),
});

/** All kept cases below a folder. */
export const casesIn = (folder: string): readonly FoundCase[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".yaml"))
    .sort()
    .map((file) => readCase(join(folder, file)));
