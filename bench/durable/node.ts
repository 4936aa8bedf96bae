import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { COMMAND, startNode } from "../../tools/started-node.ts";
import type { Row } from "./report.ts";

/** Limits for the first block of a new node and of one killed after many, and for `status`. */
const FIRST_BLOCK_MS = 500;
const RESTART_MS = 1_000;
const STATUS_MS = 300;
/** Times that each is measured; the median is reported. */
const TIMES = 5;

/** Time of `chainlab start` to its first block: in an empty home, and in one killed after many. */
export async function startTimes(folder: string, blocks: number): Promise<readonly Row[]> {
  const fresh = await median((i) => firstBlock(join(folder, `new-${i}`)));
  const old = join(folder, "old");
  await blocksIn(old, blocks);
  const again = await median(() => firstBlock(old));
  const node = await startNode("--home", old, "--speed", "1", "--quiet");
  const status = await median(() => timed(["status", "--home", old]));
  await node.end();
  const many = blocks.toLocaleString("en");
  return [
    { what: "start to the first block", value: fresh, unit: "ms", limit: FIRST_BLOCK_MS },
    {
      what: `start after a kill at ${many} blocks to the next block`,
      value: again,
      unit: "ms",
      limit: RESTART_MS,
    },
    { what: "status --home", value: status, unit: "ms", limit: STATUS_MS },
  ];
}

async function median(measure: (time: number) => Promise<number>): Promise<number> {
  const all: number[] = [];
  for (let i = 0; i < TIMES; i++) all.push(await measure(i));
  return all.sort((a, b) => a - b)[Math.floor(TIMES / 2)] ?? 0;
}

/** Milliseconds from the command to the line of its first block; it is killed then. */
async function firstBlock(home: string): Promise<number> {
  mkdirSync(home, { recursive: true });
  const servers = ["--rest", "--rpc", "--grpc"].flatMap((server) => [server, "127.0.0.1:0"]);
  const startMs = performance.now();
  const child = spawn(
    process.execPath,
    [COMMAND, "start", "--home", home, "--speed", "full", ...servers],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  for await (const line of createInterface(child.stdout)) {
    if (!line.startsWith("height ")) continue;
    const took = performance.now() - startMs;
    child.kill("SIGKILL");
    await once(child, "exit");
    return took;
  }
  throw new Error("chainlab start has made no block");
}

/** Has a node make blocks, and kills it. */
async function blocksIn(home: string, blocks: number): Promise<void> {
  const node = await startNode("--home", home, "--speed", "full", "--quiet");
  for (let height = 0; height < blocks; ) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { result } = JSON.parse(await (await fetch(`${node.rpc}/status`)).text());
    height = Number(result.sync_info.latest_block_height);
  }
  await node.end("SIGKILL");
}

/** Milliseconds that a command takes. */
async function timed(args: readonly string[]): Promise<number> {
  const startMs = performance.now();
  const child = spawn(process.execPath, [COMMAND, ...args], { stdio: "ignore" });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`chainlab ${args.join(" ")} has ended with ${code}`);
  return performance.now() - startMs;
}
