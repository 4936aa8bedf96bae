/**
 * The size budget of the first screen: gzipped script that the page and its worker load before
 * anything lazy. Read from the built files themselves, so it holds however the bundler names them.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { parseSync } from "vite";

/**
 * 1 KB = 1024 B. The goal is 110 KB, which is impossible with the current libraries: React's client
 * has 67 KB and the protobuf runtime of the engine 17 KB. This budget prevents further growth.
 *
 * Ways to stay within it: scripts that save worlds, answer calls and explain halts load in parallel
 * to the first blocks. Queries, the grammar of scenarios, and the texts of store entries and of files
 * load on demand. Frames read the keepers directly. Texts in the protos about fields and faults are
 * options of source retention, so no descriptor contains them, and descriptors are bytes
 * (`lean-protobuf.ts`). A module is bundled completely if any part of it runs at startup, so code
 * that only lazy parts use has a separate module.
 */
const BUDGET = 219.5 * 1024;

export interface Chunk {
  /** Path below the build's folder. */
  file: string;
  part: "page" | "worker";
  /** Bytes after gzip. */
  gzip: number;
}

/** The chunks of the first screen, page first. Throws if the build contains no page or no worker. */
export function firstScreen(dist: string): Chunk[] {
  const html = readFileSync(join(dist, "index.html"), "utf8");
  const entries = [...html.matchAll(/<script\b[^>]*\bsrc="([^"]+)"/g)].map((m) =>
    pathOf(m[1] ?? ""),
  );
  if (entries.length === 0) throw new Error(`${dist}/index.html loads no script`);
  const page = closure(dist, entries);

  // Workers may be started by any chunk, lazy ones too: the chain runs on the first screen.
  const scripts = readdirSync(dist, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".js"));
  const workers = scripts.flatMap((file) => workersStartedBy(dist, file));
  if (workers.length === 0) throw new Error(`nothing in ${dist} starts a worker`);

  const chunk = (part: Chunk["part"]) => (file: string) => {
    return { file, part, gzip: gzipSync(readFileSync(join(dist, file))).length };
  };
  return [...page.map(chunk("page")), ...closure(dist, workers).map(chunk("worker"))];
}

/** Files reached by static imports only; lazy imports do not delay the first screen. */
function closure(dist: string, entries: readonly string[]): string[] {
  const reached = new Set(entries);
  // Iteration over a set includes elements that are added meanwhile.
  for (const file of reached) {
    for (const specifier of staticImports(file, readFileSync(join(dist, file), "utf8")))
      reached.add(pathOf(specifier, file));
  }
  return [...reached];
}

function staticImports(file: string, source: string): string[] {
  const { module } = parseSync(file, source);
  const reexports = module.staticExports.flatMap(({ entries }) => entries);
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...reexports.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
  ];
}

/** A worker's file has the name of its source, and the chunk that starts it contains that name. */
function workersStartedBy(dist: string, file: string): string[] {
  const source = readFileSync(join(dist, file), "utf8");
  const named = source.matchAll(/([`"'])([^`"']*\.worker-[\w-]+\.js)\1/g);
  return [...named].map((match) => pathOf(match[2] ?? "", file));
}

/** The path below the build's folder of an address in `from`. */
function pathOf(address: string, from = "index.html"): string {
  return new URL(address, `http://x/${from}`).pathname.slice(1);
}

/** A table of the chunks, their sum against the budget, and whether it holds. */
export function report(chunks: readonly Chunk[]): { text: string; withinBudget: boolean } {
  const kb = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`.padStart(9);
  const total = chunks.reduce((sum, { gzip }) => sum + gzip, 0);
  const withinBudget = total <= BUDGET;
  const lines = [
    ...chunks.map(({ file, part, gzip }) => `${kb(gzip)}  ${part.padEnd(6)}  ${file}`),
    `${kb(total)}  first screen, gzipped; the budget is${kb(BUDGET)}`,
  ];
  if (!withinBudget) lines.push(`over budget by ${kb(total - BUDGET).trim()}`);
  return { text: lines.join("\n"), withinBudget };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { text, withinBudget } = report(
    firstScreen(fileURLToPath(new URL("../dist", import.meta.url))),
  );
  console.log(text);
  process.exitCode = withinBudget ? 0 : 1;
}
