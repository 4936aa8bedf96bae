#!/usr/bin/env node
/** The `chainlab` command of this checkout: builds itself when needed, then runs. */
import { mkdirSync, readdirSync, renameSync, rmSync, utimesSync } from "node:fs";
import { basename, join } from "node:path";
import { ensureDependencies, isStale, ROOT, requireNode, runTool } from "../tools/setup.mjs";

const BUNDLE = "dist-node/main.js";
const SOURCES = [
  "vite.node.config.ts",
  "tools/one-program.ts",
  "tools/begin-program.mjs",
  "tools/keep-bytecode.mjs",
  "tools/late-builtins.ts",
  "tools/late-descriptors.ts",
  "tools/late-protobuf.ts",
  "tools/late-yaml.ts",
  "tools/licence-texts.ts",
  "package-lock.json",
  // The page's own sources are no part of it.
  ...readdirSync(join(ROOT, "src"))
    .filter((folder) => folder !== "ui" && folder !== "workers")
    .map((folder) => `src/${folder}`),
];

requireNode();
try {
  if (isStale(BUNDLE, SOURCES)) build();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
await import(new URL(`../${BUNDLE}`, import.meta.url).href);

function build() {
  ensureDependencies();
  const startedAt = new Date();
  // Built aside and moved into place in one step: commands may start at the same time.
  const aside = join("node_modules", ".cache-node", String(process.pid));
  const args = ["build", "--config", "vite.node.config.ts", "--outDir", aside];
  if (!runTool("vite/bin/vite.js", [...args, "--logLevel", "warn"], ["ignore", 2, 2]))
    throw new Error("The build failed; its own words are above.");
  const main = basename(BUNDLE);
  utimesSync(join(ROOT, aside, main), startedAt, startedAt);
  mkdirSync(join(ROOT, "dist-node"), { recursive: true });
  // Last the file that names the others. Those of builds before stay, for the commands that still run.
  const others = readdirSync(join(ROOT, aside)).filter((name) => name !== main);
  for (const name of [...others, main])
    renameSync(join(ROOT, aside, name), join(ROOT, "dist-node", name));
  rmSync(join(ROOT, aside), { recursive: true });
}
