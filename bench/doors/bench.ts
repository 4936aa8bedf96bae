import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { startNode } from "../../tools/started-node.ts";
import { type Bench, readSamples, sampleOptions } from "../bench.ts";
import { type Row, reportOf, said } from "../durable/report.ts";
import { cpuSeconds } from "./cpu.ts";
import type { Asked, Asking, Load, NodeDoor } from "./doors.ts";
import { openTab } from "./tab.ts";

const PROGRAM = fileURLToPath(new URL("./load.ts", import.meta.url));
const WIDE = 64;
/** Requests per second beside which the chain makes its blocks, and what it may lose of them. */
const FIXED = 300;
const MOST_LOST = 20;
/** Milliseconds that a node may take to its first block. */
const FIRST_BLOCK_MS = 500;
/** Seconds that each door is asked, and that blocks are counted for each time. */
const SECONDS = 3;
const USUAL = 5;

const SECOND = 1_000;

/** Request rate of each server interface beside a chain at full speed, and its cost. */
export const doorsBench: Bench = {
  summary:
    "doors of a node, and of a tab: requests per second beside a chain at full speed, and its blocks beside requests",
  options: sampleOptions("times that blocks are counted", USUAL),

  async run(args) {
    const samples = readSamples(args, USUAL);
    const rows = await firstBlock(samples);
    const node = await startNode("--ephemeral", "--speed", "full", "--quiet");
    try {
      const height = async (): Promise<number> => {
        const { result } = await (await fetch(`${node.rpc}/status`)).json();
        return Number(result.sync_info.latest_block_height);
      };
      const addresses: Readonly<Record<NodeDoor, string>> = {
        REST: node.rest.replace("http://", ""),
        gRPC: node.grpc,
        RPC: node.rpc.replace("http://", ""),
      };
      const servers = Object.entries(addresses).map(
        ([server, address]): Asked => ({
          door: server,
          ask: (asking) => load(server, address, asking),
          height,
          cpu: async () => cpuSeconds(node.process.pid ?? 0),
        }),
      );
      for (const server of servers) rows.push(...(await speedOf(server)));
      for (const server of servers) rows.push(...(await lossBeside(server, samples)));
    } finally {
      await node.end();
    }
    const tab = await openTab();
    try {
      rows.push(...(await speedOf(tab)), ...(await lossBeside(tab, samples)));
    } finally {
      await tab.close();
    }
    return reportOf("doors", rows);
  },
};

/** Requests per second as fast as a door answers, and how long it takes. */
async function speedOf({ door: server, ask }: Asked): Promise<Row[]> {
  const rows: Row[] = [];
  for (const width of [1, WIDE]) {
    const { perSecond, p50, p99, refused } = await ask({ width, seconds: SECONDS });
    const what = `${server}, ${width === 1 ? "one after the other" : `${width} at once`}`;
    rows.push(
      ...said([
        {
          what,
          value: perSecond,
          unit: "requests/s",
          note: `median ${p50.toFixed(1)} ms${refusedOf(refused)}`,
        },
        { what: `${what}, p99`, value: p99, unit: "ms" },
      ]),
    );
  }
  return rows;
}

/** Measures the time from the start of a node with a new chain to its first block. */
async function firstBlock(samples: number): Promise<Row[]> {
  const times: number[] = [];
  for (let i = 0; i < samples; i++) {
    const home = await mkdtemp(join(tmpdir(), "chainlab-first-"));
    const startMs = performance.now();
    const node = await startNode("--home", home);
    await node.says(/^height 1 /);
    times.push(performance.now() - startMs);
    await node.end();
    await rm(home, { recursive: true, force: true });
  }
  const note = `of ${samples}, ${Math.min(...times).toFixed()} ms the quickest`;
  return said([
    {
      what: "start of a node to its first block",
      value: median(times),
      unit: "ms",
      limit: FIRST_BLOCK_MS,
      note,
    },
  ]);
}

/** Blocks that a chain makes. */
interface Made {
  readonly perSecond: number;
  /** Of each second that the thread of the block loop computes: what else the machine does is not in it. */
  readonly perCpuSecond: number | undefined;
}

/** Measures the blocks that a chain loses beside requests at a fixed rate. */
async function lossBeside(
  { door: server, ask, height, cpu }: Asked,
  samples: number,
): Promise<Row[]> {
  let refused = 0;
  const blocks = async (isAsked: boolean): Promise<Made> => {
    const asking = isAsked && ask({ width: WIDE, seconds: SECONDS + 2, rate: FIXED });
    // Let the requests start.
    if (isAsked) await new Promise((resolve) => setTimeout(resolve, SECOND));
    const [from, computed, startMs] = [await height(), await cpu(), performance.now()];
    await new Promise((resolve) => setTimeout(resolve, SECONDS * SECOND));
    const made = (await height()) - from;
    const perSecond = made / ((performance.now() - startMs) / SECOND);
    const by = await cpu();
    const load = await asking;
    if (load) refused += load.refused;
    const isTold = by !== undefined && computed !== undefined;
    return { perSecond, perCpuSecond: isTold ? made / (by - computed) : undefined };
  };
  // In turn, so that other work on the host falls on both.
  const lost: number[] = [];
  const lostOfCpu: number[] = [];
  for (let i = 0; i < samples; i++) {
    const quiet = await blocks(false);
    const requested = await blocks(true);
    lost.push(100 * (1 - requested.perSecond / quiet.perSecond));
    if (requested.perCpuSecond !== undefined && quiet.perCpuSecond !== undefined)
      lostOfCpu.push(100 * (1 - requested.perCpuSecond / quiet.perCpuSecond));
  }
  const what = `blocks lost beside ${FIXED} requests/s of ${server}`;
  const note = refused > 0 ? { note: refusedOf(refused).slice(2) } : {};
  const rows: Row[] = [{ what, value: median(lost), unit: "%", limit: MOST_LOST, ...note }];
  if (lostOfCpu.length > 0) {
    const ofCpu = `${what}, of those for each CPU second of the block loop`;
    rows.push({ what: ofCpu, value: median(lostOfCpu), unit: "%", limit: MOST_LOST, ...note });
  }
  return said(rows);
}

const refusedOf = (count: number): string => (count > 0 ? `, ${count} refused` : "");

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Has a process of its own ask a door; resolves when that is done. */
async function load(server: string, address: string, asking: Asking): Promise<Load> {
  const { width, seconds, rate } = asking;
  const args = [server, address, width, seconds, ...(rate === undefined ? [] : [rate])].map(String);
  const child = spawn(process.execPath, ["--import", "tsx", PROGRAM, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (code !== 0) throw new Error(`asking ${server} has ended with ${code}`);
  return JSON.parse(out);
}
