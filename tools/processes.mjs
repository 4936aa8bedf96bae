/** Runs commands side by side, as many at a time as there are processors. */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { ROOT } from "./setup.mjs";

/**
 * @typedef {{ name: string, command: readonly string[] }} Command arguments of Node, from the project's folder
 * @typedef {{ name: string, ok: boolean, output: string }} Ended with all that it printed
 */

/**
 * @param {readonly Command[]} commands begun in this order
 * @param {(ended: Ended) => void} onEnd called as each ends
 */
export async function runAll(commands, onEnd) {
  const waiting = [...commands];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      onEnd(await run(next));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}

/**
 * @param {Command} command
 * @returns {Promise<Ended>}
 */
function run({ name, command }) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, command, {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    child.on("close", (code) => resolve({ name, ok: code === 0, output }));
  });
}
