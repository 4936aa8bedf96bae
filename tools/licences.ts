/**
 * The licences of what the product is made of. Run as a program it checks those of all production dependencies against
 * the list of those that need no more than their text beside the product.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { filesOf } from "./static-server.mjs";

const ALLOWED = new Set(["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"]);

export interface Package {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression; empty when the package names none. */
  readonly licence: string;
  /** Its licence and notice, as they lie in the package; empty when none do. */
  readonly text: string;
  /** Without such files: the distinct headers of its sources that name a copyright. */
  readonly heads: readonly string[];
}

/** The packages at these paths below `root`, by name. */
export function packagesAt(root: string, paths: Iterable<string>): Package[] {
  return [...paths].map((path) => packageAt(join(root, path))).sort(byName);
}

const byName = (a: Package, b: Package): number => (a.name < b.name ? -1 : 1);

function packageAt(folder: string): Package {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice)(\.(md|txt))?$/i.test(file))
    .map((file) => readFileSync(join(folder, file), "utf8").trim());
  return {
    name,
    version,
    licence: typeof license === "string" ? license : "",
    text: texts.join("\n\n"),
    heads: texts.length > 0 ? [] : copyrightHeads(folder),
  };
}

function copyrightHeads(folder: string): string[] {
  const heads = filesOf(folder)
    .filter((file) => /\.m?js$/.test(file))
    .map((file) => /^(\/\/.*\r?\n)+/.exec(readFileSync(join(folder, file), "utf8"))?.[0] ?? "")
    .filter((head) => /copyright/i.test(head))
    .map((head) => head.replaceAll(/^\/\/ ?/gm, "").trim());
  return [...new Set(heads)].sort();
}

/** The paths of installed packages that the product needs, by the lockfile; for other platforms others are optional. */
export function productionPaths(root: string): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean; optional?: boolean }>;
  };
  return Object.entries(packages)
    .filter(([path, entry]) => path !== "" && !entry.dev && !entry.devOptional)
    .filter(([path, { optional }]) => !optional || existsSync(join(root, path)))
    .map(([path]) => path);
}

/** True if the product may contain code under an SPDX expression. */
export function isAllowed(expression: string): boolean {
  const words = expression.replaceAll(/[()]/g, " $& ").trim().split(/\s+/);
  const take = (): string => words.shift() ?? "";
  // OR binds less than AND.
  const any = (): boolean => {
    let allowed = all();
    while (words[0] === "OR" && take()) allowed = all() || allowed;
    return allowed;
  };
  const all = (): boolean => {
    let allowed = one();
    while (words[0] === "AND" && take()) allowed = one() && allowed;
    return allowed;
  };
  const one = (): boolean => {
    const word = take();
    if (word !== "(") return ALLOWED.has(word);
    const allowed = any();
    return take() === ")" && allowed;
  };
  const allowed = any();
  return allowed && words.length === 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const packages = packagesAt(root, productionPaths(root));
  const refused = packages.filter(({ licence }) => !isAllowed(licence));
  for (const { name, version, licence } of refused)
    console.error(
      `${name} ${version}: the licence "${licence}" is not in the list of tools/licences.ts`,
    );
  console.log(`licences: ${packages.length} packages, ${refused.length} not allowed`);
  process.exitCode = refused.length === 0 && packages.length > 0 ? 0 : 1;
}
