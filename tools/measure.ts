/**
 * `npm run measure`: counts what the sources should have none of. Every number should be 0; what is counted
 * is listed below it.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { danglingCitations, oldCitations, ruleNumbers } from "./citations.ts";
import { coinagesIn, namesIn, patternsOverSentences } from "./source-words.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MAX_LINES = 350;
const RULES = "docs/rules";

interface Source {
  readonly file: string;
  readonly text: string;
}

/** Rules by the name of their file. */
export function rulesOf(root: string): Map<string, ReadonlySet<string>> {
  const folder = join(root, RULES);
  const files = existsSync(folder) ? readdirSync(folder).filter((f) => f.endsWith(".md")) : [];
  return new Map(
    files.map((file) => [
      file.slice(0, -".md".length),
      ruleNumbers(readFileSync(join(folder, file), "utf8")),
    ]),
  );
}

/** The sources that people write, tests included. */
export function sourcesOf(root: string): Source[] {
  return ["src", "tools", "bench", "e2e", "proto"]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
        (file) => `${folder}/${file.replaceAll("\\", "/")}`,
      ),
    )
    .filter((file) => /\.(ts|tsx|mjs|proto)$/.test(file) && !file.startsWith("src/gen/"))
    .sort()
    .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
}

/**
 * Returns the files that may cite a rule: sources and documents, except those about citations,
 * whose own are invented.
 */
export function citingOf(root: string): Source[] {
  const documents = ["", "docs/", `${RULES}/`].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}${name}`)
      .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") })),
  );
  return [...sourcesOf(root), ...documents].filter(
    ({ file }) => !/^tools\/(citations|measure)\b/.test(file),
  );
}

const isTest = (file: string): boolean => /(^|[./])(test|testing|spec)\.tsx?$/.test(file);
const isScript = (file: string): boolean => /\.tsx?$/.test(file);

/** Each measure with what it counts. */
function measures(): readonly (readonly [what: string, found: readonly string[]])[] {
  const sources = sourcesOf(ROOT);
  const product = sources.filter(({ file }) => !isTest(file));
  const scripts = product.filter(({ file }) => isScript(file) && file.startsWith("src/"));
  const citing = citingOf(ROOT);
  const rules = rulesOf(ROOT);
  return [
    ["imports in circles", importCycles()],
    [
      `files over ${MAX_LINES} lines`,
      product
        .filter(({ file }) => !file.endsWith(".proto"))
        .flatMap(({ file, text }) => {
          const lines = text.split("\n").length - 1;
          return lines > MAX_LINES ? [`${file}: ${lines}`] : [];
        }),
    ],
    [
      "citations that lead nowhere",
      citing.flatMap(({ file, text }) => danglingCitations(file, text, rules)),
    ],
    [
      "citations of what is not in the repository",
      citing.flatMap(({ file, text }) => oldCitations(file, text)),
    ],
    [
      "patterns over sentences",
      scripts.flatMap(({ file, text }) => patternsOverSentences(file, text)),
    ],
    ["unused exports, files and packages", unused()],
    [
      "coinages in names",
      sources.flatMap(({ file, text }) => coinagesIn(file, namesIn(file, text))),
    ],
  ];
}

function importCycles(): string[] {
  const args = ["lint", "--only=suspicious/noImportCycles", "--reporter=github", "."];
  return outputOf("@biomejs/biome/bin/biome", args)
    .split("\n")
    .filter((line) => line.includes("noImportCycles"))
    .map(
      (line) => /file=([^,]+),line=(\d+)/.exec(line)?.slice(1).join(":").replace(ROOT, "") ?? line,
    );
}

function unused(): string[] {
  const report: { issues: ({ file: string } & Record<string, unknown>)[] } = JSON.parse(
    outputOf("knip/bin/knip.js", ["--reporter", "json", "--no-progress"]),
  );
  return report.issues.flatMap(({ file, ...kinds }) =>
    Object.entries(kinds).flatMap(([kind, found]) =>
      Array.isArray(found)
        ? found.map((one: { name?: string }) => `${file}: ${kind} ${one.name ?? ""}`)
        : [],
    ),
  );
}

function outputOf(tool: string, args: readonly string[]): string {
  const options = { cwd: ROOT, encoding: "utf8", maxBuffer: 2 ** 28 } as const;
  return spawnSync(process.execPath, [join(ROOT, "node_modules", tool), ...args], options).stdout;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const all = process.argv.includes("--list") ? Number.POSITIVE_INFINITY : 5;
  for (const [what, found] of measures()) {
    console.log(`${String(found.length).padStart(5)}  ${what}`);
    for (const one of found.slice(0, all)) console.log(`         ${one}`);
    if (found.length > all) console.log(`         … (--list shows all)`);
  }
}
