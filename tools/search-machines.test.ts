/** Searches over several machines, with the command as people start it. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { findRedisServer, TestRedis } from "../src/node/queue/redis.testing.ts";
import { DOUBLE_SIGN, STOPPED } from "../src/search/families.testing.ts";
import { COMMAND as OF_EACH_POD, PARTS } from "./kubernetes.ts";
import { COMMAND, ran } from "./started-node.ts";

const folder = mkdtempSync(join(tmpdir(), "chainlab-machines-"));
const families = join(folder, "families");
const reports = join(folder, "reports");
const found = findRedisServer();

beforeAll(() => {
  mkdirSync(families);
  mkdirSync(reports);
  writeFileSync(join(families, "stopped.yaml"), STOPPED.text);
  // More cases than are counted: each of few is run once, and the search is over.
  const many = "vary:\n  - { at: seed, range: [1, 2000000] }";
  writeFileSync(join(folder, "operators.yaml"), DOUBLE_SIGN.text.replace("vary:", many));
});
afterAll(() => rmSync(folder, { recursive: true }));

test("what the pods of the Indexed Job find is together what one search finds", () => {
  const runs = 100 * PARTS;
  const command = OF_EACH_POD.replace("exec chainlab", `exec "${process.execPath}" "${COMMAND}"`)
    .replaceAll("/families", families)
    .replaceAll("/reports", reports)
    .replace("--runs 100000", `--runs ${runs}`);
  const written = Array.from({ length: PARTS }, (_, index) => {
    const env = { ...process.env, JOB_COMPLETION_INDEX: String(index) };
    const { status } = spawnSync("sh", ["-c", command], { env });
    // Something was found: its index fails, and is not run again.
    expect(status).toBe(1);
    return join(reports, `${index}.json`);
  });
  const merged = ran("merge", "--json", ...written);
  const file = join(families, "stopped.yaml");
  const whole = ran("search", file, "--all", "--runs", String(runs), "--json");
  expect(merged.status).toBe(1);
  expect(JSON.parse(merged.stdout)).toEqual(JSON.parse(whole.stdout));
  const missing = ran("merge", ...written.slice(1));
  expect(missing).toMatchObject({ status: 2 });
  expect(missing.stderr).toContain(`no report is there: 1/${PARTS}`);
}, 300_000);

if ("reason" in found) test.skip(found.reason, () => {});

interface Worker {
  readonly process: ChildProcess;
  /** What it has said. */
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
  await once(heard, "line");
  return { process: worker, lines };
}

async function redis(): Promise<TestRedis> {
  const server = await TestRedis.start("path" in found ? found.path : "");
  onTestFinished(() => server.kill());
  return server;
}

test.runIf("path" in found)(
  "a search finds the same on workers of a queue of which one is killed as on threads, nothing lost or counted twice",
  async () => {
    const file = join(folder, "operators.yaml");
    const line = ["search", file, "--all", "--runs", "1500", "--json"];
    const local = ran(...line);
    const { url } = await redis();
    const [first, second] = [await startWorker(url), await startWorker(url)];
    const search = spawn(process.execPath, [COMMAND, ...line, "--queue", url]);
    let output = "";
    search.stdout.on("data", (data) => {
      output += data;
    });
    const ended = once(search, "close");
    // Its jobs are under way.
    await expect
      .poll(
        async () => spawnSync(process.execPath, ["-e", ACTIVE, url], { encoding: "utf8" }).stdout,
      )
      .toBe("2");
    first.process.kill("SIGKILL");
    expect(await ended).toEqual([1, null]);
    expect(JSON.parse(output)).toEqual(JSON.parse(local.stdout));
    const told = once(second.process, "close");
    second.process.kill("SIGTERM");
    expect(await told).toEqual([0, null]);
    expect(second.lines.at(-1)).toMatch(/^told to end; jobs done: [5-7]$/);
  },
  300_000,
);

/** How many jobs are under way at a Redis. */
const ACTIVE = `
const { Redis } = require("ioredis");
const redis = new Redis(process.argv[1]);
redis.keys("bull:*:active").then(async ([key]) => {
  process.stdout.write(String(key ? await redis.llen(key) : 0));
  redis.disconnect();
});
`;

test.runIf("path" in found)(
  "a search whose Redis goes away keeps what was found, and writes no report that would count as whole",
  async () => {
    const server = await redis();
    const away = join(folder, "away.json");
    const file = join(folder, "operators.yaml");
    const search = spawn(process.execPath, [
      ...[COMMAND, "search", file, "--report", away, "--queue", server.url],
    ]);
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
  },
  300_000,
);

test.each([
  ["worker", "--queue", "nowhere"],
  ["search", "FILE", "--queue", "redis://127.0.0.1:1"],
])("%s without a Redis says so, and its exit status is 2", (...line) => {
  const file = join(folder, "operators.yaml");
  const { status, stderr } = ran(...line.map((word) => (word === "FILE" ? file : word)));
  expect(status).toBe(2);
  expect(stderr).toMatch(
    /expected the address of a Redis|does not answer: the connection was refused/,
  );
});
