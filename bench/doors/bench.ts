import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { startNode } from "../../tools/started-node.ts";
import { type Bench, readSamples, sampleOptions } from "../bench.ts";
import { type Row, reportOf, said } from "../durable/report.ts";
import type { Door, Load } from "./doors.ts";

const PROGRAM = fileURLToPath(new URL("./load.ts", import.meta.url));
const DOORS: readonly Door[] = ["REST", "gRPC", "RPC"];
const WIDE = 64;
/** Requests per second beside which the chain makes its blocks, and what it may lose of them. */
const FIXED = 300;
const MOST_LOST = 20;
/** Seconds that each door is asked, and that blocks are counted for each time. */
const SECONDS = 3;
const USUAL = 5;

const SECOND = 1_000;

/** How fast a node answers while its chain runs at full speed, and what that costs the chain. */
export const doorsBench: Bench = {
  summary:
    "a node's doors: requests per second beside a chain at full speed, and its blocks beside requests",
  options: sampleOptions("times that blocks are counted", USUAL),

  async run(args) {
    const samples = readSamples(args, USUAL);
    const node = await startNode("--ephemeral", "--speed", "full", "--quiet");
    const addressOf: Readonly<Record<Door, string>> = {
      REST: node.rest.replace("http://", ""),
      gRPC: node.grpc,
      RPC: node.rpc.replace("http://", ""),
    };
    const height = async (): Promise<number> => {
      const { result } = await (await fetch(`${node.rpc}/status`)).json();
      return Number(result.sync_info.latest_block_height);
    };
    const blocks = async (door?: Door): Promise<number> => {
      const asking = door && load(door, addressOf[door], WIDE, SECONDS + 2, FIXED);
      // The other process begins to ask.
      if (asking) await new Promise((resolve) => setTimeout(resolve, SECOND));
      const [from, begun] = [await height(), performance.now()];
      await new Promise((resolve) => setTimeout(resolve, SECONDS * SECOND));
      const made = (await height()) - from;
      const rate = made / ((performance.now() - begun) / SECOND);
      await asking;
      return rate;
    };
    const rows: Row[] = [];
    try {
      for (const door of DOORS) {
        for (const width of [1, WIDE]) {
          const { perSecond, p50, p99 } = await load(door, addressOf[door], width, SECONDS);
          const what = `${door}, ${width === 1 ? "one after the other" : `${width} at once`}`;
          rows.push(
            ...said([
              { what, value: perSecond, unit: "requests/s", note: `median ${p50.toFixed(1)} ms` },
              { what: `${what}, p99`, value: p99, unit: "ms" },
            ]),
          );
        }
      }
      for (const door of DOORS) {
        // In turn, so that other work on the host falls on both.
        const lost: number[] = [];
        for (let i = 0; i < samples; i++) {
          const quiet = await blocks();
          lost.push(100 * (1 - (await blocks(door)) / quiet));
        }
        const what = `blocks lost beside ${FIXED} requests/s of ${door}`;
        rows.push(...said([{ what, value: median(lost), unit: "%", limit: MOST_LOST }]));
      }
      return reportOf("doors", rows);
    } finally {
      await node.end();
    }
  },
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Has a process of its own ask a door; resolves when that is done. */
async function load(
  door: Door,
  address: string,
  width: number,
  seconds: number,
  rate?: number,
): Promise<Load> {
  const args = [door, address, width, seconds, ...(rate === undefined ? [] : [rate])].map(String);
  const child = spawn(process.execPath, ["--import", "tsx", PROGRAM, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (code !== 0) throw new Error(`asking ${door} has ended with ${code}`);
  return JSON.parse(out);
}
