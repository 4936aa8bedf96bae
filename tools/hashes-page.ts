/** A page that comes to the hashes of a scenario as Node does, for a browser of any engine to open. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import type { BundledRun } from "../src/scenario/bundled-runs.testing.ts";
import { type NodeRun, nodeRuns } from "../src/workers/determinism.testing.ts";
import { serveFolder } from "./static-server.mjs";

declare global {
  /** Global defined by the page's script. */
  var chainlab: { bundledRunOf(text: string, file: string): BundledRun | undefined };
}

const SOURCE = fileURLToPath(new URL("../src/scenario/bundled-runs.testing.ts", import.meta.url));

export interface HashesPage {
  readonly origin: string;
  /** Results of every bundled scenario in Node. */
  readonly runs: readonly NodeRun[];
  close(): Promise<void>;
}

/** Builds the page and serves it to this machine, at an address of its own. */
export async function serveHashesPage(): Promise<HashesPage> {
  const folder = mkdtempSync(join(tmpdir(), "chainlab-hashes-"));
  const script = { entry: SOURCE, formats: ["iife" as const], name: "chainlab" };
  await build({
    configFile: false,
    logLevel: "error",
    publicDir: false,
    build: { outDir: folder, emptyOutDir: true, lib: { ...script, fileName: () => "hashes.js" } },
  });
  const html = '<!doctype html><title>App hashes</title><script src="hashes.js"></script>';
  writeFileSync(join(folder, "index.html"), html);
  const served = await serveFolder(folder, 0);
  const close = async (): Promise<void> => {
    await served.close();
    rmSync(folder, { recursive: true });
  };
  return { origin: served.origin, runs: nodeRuns(), close };
}
