/**
 * Checks that src/gen is what `npm run gen` would write today: generates it aside and compares.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Returns the differences between two folders, one line per file; empty if they are equal. */
export function differences(committed: string, fresh: string): string[] {
  const before = filesBelow(committed);
  const after = filesBelow(fresh);
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((file) => {
    if (!after.has(file)) return [`${file} is not generated any more`];
    if (!before.has(file)) return [`${file} is missing`];
    return before.get(file) === after.get(file) ? [] : [`${file} is out of date`];
  });
}

function filesBelow(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => statSync(join(folder, file)).isFile())
    .map((file) => [file.replaceAll("\\", "/"), readFileSync(join(folder, file), "utf8")] as const);
  return new Map(files);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const aside = mkdtempSync(join(tmpdir(), "chainlab-gen-"));
  try {
    const plugins = join(root, "node_modules/.bin");
    const generated = spawnSync(
      process.execPath,
      [join(root, "node_modules/@bufbuild/buf/bin/buf"), "generate", "--output", aside],
      {
        cwd: root,
        stdio: ["ignore", 1, 2],
        env: { ...process.env, PATH: `${plugins}${delimiter}${process.env.PATH}` },
      },
    );
    const found =
      generated.status === 0
        ? differences(join(root, "src/gen"), join(aside, "src/gen"))
        : ["buf could not generate"];
    for (const line of found) console.error(`src/gen: ${line}; run npm run gen`);
    process.exitCode = found.length > 0 ? 1 : 0;
  } finally {
    rmSync(aside, { recursive: true });
  }
}
