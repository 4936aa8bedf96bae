/**
 * The `chainlab` command on Node: composes and runs one command line, and loads only what it needs.
 */
import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import type { Output } from "../cli/context.ts";
import { main } from "../cli/main.ts";
import { beginFile, checkWritable, REPORT, readText, writeTo } from "./files.ts";
import { createNodeCommands } from "./node-commands.ts";
import { withQuickHashes } from "./quick-hashes.ts";
import { GRPC_THREAD, SCENARIO_THREAD, SEARCH_THREAD } from "./threads.ts";

/** The built command: other programs and threads run it too. */
const PROGRAM = new URL(import.meta.url);

const scenarioLab = () => withQuickHashes(import("./scenario-lab.ts"));
const searchLab = () => withQuickHashes(import("./search-lab.ts"));
const worldFolder = () => withQuickHashes(import("./world-folder.ts"));

/** Resolves when the command, or this thread's task, has ended or continues on its own. */
export const ended = begin();

async function begin(): Promise<void> {
  if (isMainThread) {
    // The reader of a pipe may close it, as `head` does.
    process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
      process.exit(code === "EPIPE" ? 0 : 1);
    });
    process.exitCode = await main(process.argv.slice(2), {
      stdout: output(process.stdout),
      stderr: output(process.stderr),
      readFile: async (path) => readText(path),
      checkWritable: async (path) => checkWritable(path, REPORT),
      writeFile: async (path, text) => writeTo(path, text, REPORT),
      beginFile: async (path, begins) => beginFile(path, { begins, name: "one of this kind" }),
      scenarios: async () => (await scenarioLab()).createScenarioLab(PROGRAM),
      withValue: async (text, file, value) => (await scenarioLab()).otherValue(text, file, value),
      coverage: async (files, onFile) => (await scenarioLab()).coverage(files, onFile),
      probe: async (file, expressions, range) =>
        (await scenarioLab()).probe(file, expressions, range),
      search: async () => (await searchLab()).createSearchLab(PROGRAM, () => buildOf(PROGRAM)),
      openFolder: async (path, use) =>
        (await worldFolder()).openWorldFolder(path, await buildOf(PROGRAM), use),
      openWorldFile: async (path) =>
        (await worldFolder()).openWorldFile(path, await buildOf(PROGRAM)),
      openMemory: async () => (await worldFolder()).openMemory(await buildOf(PROGRAM)),
      readWorld: async (path) => (await worldFolder()).readWorld(path),
      delay: (ms) => setTimeout(ms),
      wallet: async () => (await import("./wallet.ts")).createWallet(),
      nodes: createNodeCommands(PROGRAM, () => buildOf(PROGRAM)),
    });
  } else if (workerData === SCENARIO_THREAD) {
    const { serveJobs } = await import("./worker-pool.ts");
    const lab = await scenarioLab();
    serveJobs(lab.runJob);
  } else if (workerData === SEARCH_THREAD) {
    const { serveSearch } = await import("./search-pool.ts");
    const { JOBS } = await withQuickHashes(import("../scenario/search/jobs.ts"));
    serveSearch(JOBS);
  } else if (workerData === GRPC_THREAD && parentPort) {
    (await import("./server/grpc/front.ts")).serveFront(parentPort);
  }
}

/**
 * Identifies the build by its content: only the build that made a keyframe can use it. The name of
 * each file contains a hash, so the first file identifies all.
 */
async function buildOf(bundle: URL): Promise<string> {
  // Loaded here because short commands do not need it.
  const { createHash } = await import("node:crypto");
  return createHash("sha256")
    .update(await readFile(bundle))
    .digest("hex");
}

function output(stream: NodeJS.WriteStream): Output {
  return {
    write: (text) => void stream.write(text),
    ...(stream.isTTY ? { columns: stream.columns } : {}),
  };
}
