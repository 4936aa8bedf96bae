/**
 * `npm run measure`: counts of the sources that should be low, each with its limit and a list, and lines and files by
 * room. A test fails where a count is over its limit (`measure-limits.json`); `--write` lowers the limits to the counts.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { danglingCitations, oldCitations, ruleNumbers } from "./citations.ts";
import { clausesIn, coinagesIn, namesIn, patternsOverSentences, shapeOf } from "./source-words.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const LIMITS = join(ROOT, "tools/measure-limits.json");
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

type Measure = readonly [name: string, found: readonly string[]];

/** Counts that need the sources alone. */
export function measures(): readonly Measure[] {
  const sources = sourcesOf(ROOT);
  const product = sources.filter(({ file }) => !isTest(file));
  const scripts = product.filter(({ file }) => isScript(file) && file.startsWith("src/"));
  const citing = citingOf(ROOT);
  const rules = rulesOf(ROOT);
  const shapes = scripts.map(({ file, text }) => shapeOf(file, text, 60));
  const functions = shapes.flatMap((shape) => shape.functions);
  return [
    ["functions over 100 lines", functions.filter((one) => Number(one.split("  ")[1]) > 100)],
    ["functions over 60 lines", functions],
    ["casts", shapes.flatMap(({ casts }) => casts)],
    [
      `files over ${MAX_LINES} lines`,
      product
        .filter(({ file }) => !file.endsWith(".proto"))
        .flatMap(({ file, text }) => {
          const lines = linesOf(text);
          return lines > MAX_LINES ? [`${file}: ${lines}`] : [];
        }),
    ],
    ["rooms", [...roomsOf(scripts).keys()]],
    [
      "comments that begin with a clause",
      sources
        .filter(({ file }) => !file.startsWith("tools/source-words"))
        .flatMap(({ file, text }) => clausesIn(file, text)),
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
    [
      "coinages in names",
      sources.flatMap(({ file, text }) => coinagesIn(file, namesIn(file, text))),
    ],
  ];
}

/** The highest count of each measure. */
export const limits = (): Readonly<Record<string, number>> =>
  JSON.parse(readFileSync(LIMITS, "utf8"));

const linesOf = (text: string): number => text.split("\n").length - 1;

/** Sources by the folder of `src` that they lie in. */
function roomsOf(scripts: readonly Source[]): ReadonlyMap<string, readonly Source[]> {
  const rooms = new Map<string, Source[]>();
  for (const source of scripts) {
    const room = source.file.split("/").slice(0, 2).join("/");
    rooms.set(room, [...(rooms.get(room) ?? []), source]);
  }
  return rooms;
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
  const counted = measures();
  const most = limits();
  const checked: readonly Measure[] = [
    ["imports in circles", importCycles()],
    ["unused exports, files and packages", unused()],
  ];
  for (const [name, found] of [...counted, ...checked]) {
    console.log(`${String(found.length).padStart(5)} of ${most[name] ?? 0}  ${name}`);
    for (const one of found.slice(0, all)) console.log(`         ${one}`);
    if (found.length > all) console.log("         … (--list shows all)");
  }
  const product = sourcesOf(ROOT).filter(({ file }) => !isTest(file) && file.startsWith("src/"));
  for (const [room, sources] of roomsOf(product)) {
    const lines = sources.reduce((sum, { text }) => sum + linesOf(text), 0);
    console.log(`${String(lines).padStart(8)} lines in ${sources.length} files  ${room}`);
  }
  if (process.argv.includes("--write")) {
    const lower = counted.map(([name, found]) => [
      name,
      Math.min(found.length, most[name] ?? found.length),
    ]);
    writeFileSync(LIMITS, `${JSON.stringify(Object.fromEntries(lower), undefined, 2)}\n`);
  }
}
