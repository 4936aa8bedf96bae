/** Searches over several machines, with the command as people start it. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { skippedFor } from "../src/base/skipped.testing.ts";
import { chainlab } from "../src/node/command-line.testing.ts";
import { findRedisServer, TestRedis } from "../src/node/queue/redis.testing.ts";
import { DOUBLE_SIGN, STOPPED } from "../src/scenario/search/families.testing.ts";
import { COMMAND as OF_EACH_POD, PARTS } from "./kubernetes.ts";
import { COMMAND, ran } from "./started-node.ts";

const folder = mkdtempSync(join(tmpdir(), "chainlab-machines-"));
const families = join(folder, "families");
const reports = join(folder, "reports");
const found = findRedisServer();
/** More cases run in soak. */
const LONGEST_MS = inject("soak") ? 600_000 : 120_000;

beforeAll(() => {
  mkdirSync(families);
  mkdirSync(reports);
  writeFileSync(join(families, "stopped.yaml"), STOPPED.text);
  // More cases than are counted: each of few is run once, and the search is over.
  const many = "vary:\n  - { at: seed, range: [1, 2000000] }";
  const { text } = inject("soak") ? DOUBLE_SIGN : STOPPED;
  writeFileSync(join(folder, "operators.yaml"), text.replace("vary:", many));
});
afterAll(() => rmSync(folder, { recursive: true }));

test(
  "what the pods of the Indexed Job find is together what one search finds",
  async () => {
    const runs = (inject("soak") ? 100 : 10) * PARTS;
    const command = OF_EACH_POD.replace("exec chainlab", `exec "${process.execPath}" "${COMMAND}"`)
      .replaceAll("/families", families)
      .replaceAll("/reports", reports)
      .replace("--runs 100000", `--runs ${runs}`);
    const file = join(families, "stopped.yaml");
    const search = ["search", file, "--all", "--runs", String(runs), "--jobs", "1"];
    /** Runs a part as its pod does. */
    const podOf = (index: number) => {
      const env = { ...process.env, JOB_COMPLETION_INDEX: String(index) };
      return spawnSync("sh", ["-c", command], { env });
    };
    const text: string[] = [];
    for (let index = 0; index < PARTS; index++) {
      const report = join(reports, `${index}.json`);
      const asPod = inject("soak") || index === 0 || index === PARTS - 1;
      const { status } = asPod
        ? podOf(index)
        : await chainlab(...search, "--shard", `${index + 1}/${PARTS}`, "--report", report);
      // Something was found: its index fails, and is not run again.
      expect(status).toBe(1);
      text.push(report);
    }
    const merged = await chainlab("merge", "--json", ...text);
    const whole = await chainlab(...search, "--json");
    expect(merged.status).toBe(1);
    expect(JSON.parse(merged.stdout)).toEqual(JSON.parse(whole.stdout));
    const missing = await chainlab("merge", ...text.slice(1));
    expect(missing).toMatchObject({ status: 2 });
    expect(missing.stderr).toContain(`no report is there: 1/${PARTS}`);
  },
  LONGEST_MS,
);

interface Worker {
  readonly process: ChildProcess;
  /** Output so far. */
  readonly lines: readonly string[];
}

/** A worker that waits for cases. */
async function startWorker(url: string): Promise<Worker> {
  const worker = spawn(process.execPath, [COMMAND, "worker", "--queue", url, "--jobs", "1"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void worker.kill("SIGKILL"));
  const lines: string[] = [];
  const heard = createInterface({ input: worker.stderr });
  heard.on("line", (line) => lines.push(line));
  await expect.poll(() => lines.join()).toContain("waiting for the cases of searches");
  return { process: worker, lines };
}

async function redis(): Promise<TestRedis> {
  const server = await TestRedis.start(found.path);
  onTestFinished(() => server.kill());
  return server;
}

test("a search finds the same on workers of a queue of which one is killed as on threads, nothing lost or counted twice", {
  ...skippedFor(found.reason),
  timeout: LONGEST_MS,
}, async () => {
  const file = join(folder, "operators.yaml");
  const line = ["search", file, "--all", "--runs", inject("soak") ? "1500" : "300", "--json"];
  const local = ran(...line);
  const server = await redis();
  const { url } = server;
  const [first, second] = [await startWorker(url), await startWorker(url)];
  const search = spawn(process.execPath, [COMMAND, ...line, "--queue", url]);
  onTestFinished(() => void search.kill("SIGKILL"));
  let output = "";
  search.stdout.on("data", (data) => {
    output += data;
  });
  const ended = once(search, "close");
  // Its jobs are under way.
  await expect
    .poll(async () => {
      const [key = "none"] = (await server.command("KEYS", "bull:*:active")) as string[];
      return server.command("LLEN", key);
    })
    .toBe(2);
  first.process.kill("SIGKILL");
  expect(await ended).toEqual([1, null]);
  expect(JSON.parse(output)).toEqual(JSON.parse(local.stdout));
  const told = once(second.process, "close");
  second.process.kill("SIGTERM");
  expect(await told).toEqual([0, null]);
  expect(second.lines.at(-1)).toMatch(
    inject("soak") ? /^told to end; jobs done: [5-7]$/ : /^told to end; jobs done: [34]$/,
  );
});

// With the usual patience it takes half a minute; with less it is a test of the queue.
if (inject("soak"))
  test("a search whose Redis goes away keeps what was found, and writes no report that would count as whole", {
    ...skippedFor(found.reason),
    timeout: LONGEST_MS,
  }, async () => {
    const server = await redis();
    const away = join(folder, "away.json");
    const file = join(folder, "operators.yaml");
    const search = spawn(process.execPath, [
      ...[COMMAND, "search", file, "--report", away, "--queue", server.url],
    ]);
    onTestFinished(() => void search.kill("SIGKILL"));
    const heard = createInterface({ input: search.stderr });
    const lines: string[] = [];
    heard.on("line", (line) => lines.push(line));
    await expect.poll(() => lines.join()).toContain("no worker of this build serves the queue");
    const ended = once(search, "close");
    await server.kill();
    expect(await ended).toEqual([2, null]);
    expect(lines.join("\n")).toMatch(
      /does not answer: .*; what is done is kept, and it is tried again for 30 s\n.*away.json: was not written\n.*given up after 60 tries: these are the cases up to then$/,
    );
    expect(existsSync(away)).toBe(false);
  });

test.each([
  ["worker", "--queue", "nowhere"],
  // The first connection is tried for some seconds.
  ...(inject("soak") ? [["search", "FILE", "--queue", "redis://127.0.0.1:1"]] : []),
])("%s without a Redis says so, and its exit status is 2", (...line) => {
  const file = join(folder, "operators.yaml");
  const { status, stderr } = ran(...line.map((word) => (word === "FILE" ? file : word)));
  expect(status).toBe(2);
  expect(stderr).toMatch(
    /expected the address of a Redis|does not answer: the connection was refused/,
  );
});
