/** The `chainlab` command on Node: puts the parts together and runs one command line. */
import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { isMainThread, workerData } from "node:worker_threads";
import type { Output } from "../cli/context.ts";
import { main } from "../cli/main.ts";
import { toHex } from "../engine/primitives/bytes.ts";
import { accelerateSha256, sha256 } from "../engine/primitives/sha256.ts";
import { checkWritable, REPORT, readText, writeTo } from "./files.ts";
import { createNodeCommands } from "./node-commands.ts";
import { createScenarioLab, runJob } from "./scenario-lab.ts";
import { createWallet } from "./wallet.ts";
import { serveJobs, WORKER_NAME } from "./worker-pool.ts";
import { openWorldFolder, readWorld } from "./world-folder.ts";

await accelerateSha256();
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
    scenarios: createScenarioLab(),
    openFolder: async (path, use) =>
      openWorldFolder(path, await buildOf(new URL(import.meta.url)), use),
    readWorld,
    delay: (ms) => setTimeout(ms),
    wallet: createWallet(),
    nodes: createNodeCommands(() => buildOf(new URL(import.meta.url))),
  });
} else if (workerData === WORKER_NAME) {
  serveJobs(runJob);
}

/** Names the build by its content: keyframes are of use only to the build that made them. */
async function buildOf(bundle: URL): Promise<string> {
  return toHex(sha256(await readFile(bundle)));
}

function output(stream: NodeJS.WriteStream): Output {
  return {
    write: (text) => void stream.write(text),
    ...(stream.isTTY ? { columns: stream.columns } : {}),
  };
}
