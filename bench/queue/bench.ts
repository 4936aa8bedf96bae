import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findRedisServer, TestRedis } from "../../src/node/queue/redis.testing.ts";
import { DOUBLE_SIGN } from "../../src/scenario/search/families.testing.ts";
import { type Bench, type Report, UsageError } from "../bench.ts";
import { reportOf } from "../durable/report.ts";

const COMMAND = fileURLToPath(new URL("../../bin/chainlab.mjs", import.meta.url));
/** More cases than are ever asked for: a family that is smaller is over once all of its cases were run. */
const FAMILY = DOUBLE_SIGN.text.replace("vary:", "vary:\n  - { at: seed, range: [1, 1000000] }");
const USUAL = { workers: 10, every: 30, runs: 20_000 };

interface Search {
  readonly findings: string;
  readonly cases: number;
  readonly seconds: number;
}

/** Checks that a search neither loses nor repeats a case while its workers are killed. */
export const queueBench: Bench = {
  summary:
    "a search on workers of one queue, of which one is killed every so often, against threads",
  options: [
    `--workers N         processes that run cases, ${USUAL.workers} unless given`,
    `--every SECONDS     between two kills, ${USUAL.every} unless given`,
    `--runs N            cases, ${USUAL.runs} unless given`,
  ].join("\n"),

  async run(args: readonly string[]): Promise<Report> {
    const { workers, every, runs } = options(args);
    const found = findRedisServer();
    if ("reason" in found) throw new Error(found.reason);
    const folder = mkdtempSync(join(tmpdir(), "chainlab-queue-"));
    const file = join(folder, "family.yaml");
    writeFileSync(file, FAMILY);
    const line = ["search", file, "--all", "--runs", String(runs), "--json"];
    try {
      console.error("on threads …");
      const threads = await searched(line);
      const redis = await TestRedis.start(found.path);
      const killing = new Killing(redis.url, workers, every * 1_000);
      try {
        await killing.begin();
        console.error(`on ${workers} workers, one killed every ${every} s …`);
        const queue = await searched([...line, "--queue", redis.url]);
        return reportOf("queue", [
          { what: "cases on threads", value: threads.cases, unit: "", note: secondsOf(threads) },
          { what: "cases on workers", value: queue.cases, unit: "", note: secondsOf(queue) },
          { what: "workers killed", value: killing.killed, unit: "" },
          {
            what: "cases lost or counted twice",
            value: Math.abs(threads.cases - queue.cases),
            unit: "",
            limit: 0,
          },
          {
            what: "reports that differ",
            value: threads.findings === queue.findings ? 0 : 1,
            unit: "",
            limit: 0,
          },
        ]);
      } finally {
        killing.end();
        await redis.kill();
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

const secondsOf = ({ seconds }: Search): string => `${Math.round(seconds)} s`;

function options(args: readonly string[]): typeof USUAL {
  let values: Record<string, string | undefined>;
  try {
    const text = { type: "string" } as const;
    ({ values } = parseArgs({
      args: [...args],
      options: { workers: text, every: text, runs: text },
    }));
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const whole = (name: keyof typeof USUAL): number => {
    const number = Number(values[name] ?? USUAL[name]);
    if (Number.isInteger(number) && number > 0) return number;
    throw new UsageError(`--${name}: expected a whole number from 1 on`);
  };
  return { workers: whole("workers"), every: whole("every"), runs: whole("runs") };
}

/** Runs a search to its end, as people start it. */
async function searched(line: readonly string[]): Promise<Search> {
  const before = performance.now();
  const search = spawn(process.execPath, [COMMAND, ...line], { stdio: ["ignore", "pipe", 2] });
  let findings = "";
  search.stdout?.on("data", (data) => {
    findings += data;
  });
  await once(search, "close");
  const { families } = JSON.parse(findings) as { families: readonly { cases: number }[] };
  const cases = families.reduce((sum, family) => sum + family.cases, 0);
  return { findings, cases, seconds: (performance.now() - before) / 1_000 };
}

/** Workers of a queue, of which the oldest is killed every so often, and another begins in its place. */
class Killing {
  killed = 0;
  readonly #url: string;
  readonly #count: number;
  readonly #everyMs: number;
  readonly #workers: ChildProcess[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(url: string, count: number, everyMs: number) {
    this.#url = url;
    this.#count = count;
    this.#everyMs = everyMs;
  }

  async begin(): Promise<void> {
    await Promise.all(Array.from({ length: this.#count }, () => this.#start()));
    this.#timer = setInterval(() => {
      this.#workers.shift()?.kill("SIGKILL");
      this.killed += 1;
      void this.#start();
    }, this.#everyMs);
  }

  end(): void {
    clearInterval(this.#timer);
    for (const worker of this.#workers) worker.kill("SIGKILL");
  }

  async #start(): Promise<void> {
    const line = ["worker", "--queue", this.#url, "--jobs", "1"];
    const worker = spawn(process.execPath, [COMMAND, ...line], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#workers.push(worker);
    await once(createInterface({ input: worker.stderr }), "line");
  }
}
