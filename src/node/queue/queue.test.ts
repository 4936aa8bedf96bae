import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Queue, Worker } from "bullmq";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { skippedFor } from "../../base/skipped.testing.ts";
import { runCampaign } from "../../scenario/search/campaign.ts";
import { STOPPED } from "../../scenario/search/families.testing.ts";
import { localWorkers } from "../../scenario/search/local-workers.ts";
import { runBatch } from "../../scenario/search/run-batch.ts";
import type { CaseWorkers } from "../../scenario/search/search.ts";
import { chainlabIn } from "../command-line.testing.ts";
import { PROGRAM } from "../program.testing.ts";
import { createSearchLab } from "../search-lab.ts";
import { BUILD, batchFrom, findingOf, NotedCases, resultOf, violated } from "./cases.testing.ts";
import { queueName } from "./jobs.ts";
import { QueuedWorkers } from "./queued-workers.ts";
import { findRedisServer, freePort, TestRedis } from "./redis.testing.ts";
import { DELAYS, type QueueDelays } from "./redis.ts";
import { serveQueue } from "./serve-queue.ts";

const found = findRedisServer();

/** Short delays for retries and polling. */
const delays = { ...DELAYS, retryMs: 20, lookMs: 50 };

describe("the address of a queue", () => {
  const open = (url: string) => QueuedWorkers.open({ url, build: BUILD, log: () => {}, delays });

  test("is that of a Redis", async () => {
    const expected = "expected the address of a Redis such as redis://127.0.0.1:6379";
    await expect(open("somewhere")).rejects.toThrow(`${expected}, found "somewhere"`);
    await expect(open("https://a")).rejects.toThrow(
      `${expected}, found one that begins with https://`,
    );
    await expect(open("redis://")).rejects.toThrow(`${expected}, found one without a host`);
  });

  test("is told without its password where nothing answers, and nothing was begun", async () => {
    const port = await freePort();
    await expect(open(`redis://lab:secret@127.0.0.1:${port}/2`)).rejects.toThrow(
      `the Redis at redis://lab@127.0.0.1:${port}/2 does not answer: the connection was refused; nothing was begun`,
    );
  });
});

/** Runs the command with a queue and short timeouts. */
const searched = (file: string, url: string, ...line: readonly string[]) =>
  chainlabIn(
    { search: async () => createSearchLab(PROGRAM, async () => BUILD, { tries: 3, delays }) },
    ...["search", file, "--queue", url, ...line],
  );

test("a search without a Redis says so, and its exit status is 2", async () => {
  const { status, stderr } = await searched(familyFile(), `redis://127.0.0.1:${await freePort()}`);
  expect(status).toBe(2);
  expect(stderr).toContain("does not answer: the connection was refused");
});

describe("a queue on a real Redis", skippedFor(found.reason), () => {
  let redis: TestRedis;
  let text: string[];
  const say = (line: string) => void text.push(line);

  beforeEach(async (context) => {
    text = [];
    const server = await TestRedis.start(found.path);
    redis = server;
    // Last, when all of its users have ended.
    context.onTestFinished(() => server.kill());
  });

  async function asking(
    more: Partial<Parameters<typeof QueuedWorkers.open>[0]> = {},
  ): Promise<QueuedWorkers> {
    const how = { url: redis.url, build: BUILD, log: say, delays, ...more };
    const workers = await QueuedWorkers.open(how);
    onTestFinished(() => workers.close());
    return workers;
  }

  /** Makes a worker in this process run its jobs with these cases, until the test ends. */
  function serving(cases: CaseWorkers, { lockMs }: Pick<QueueDelays, "lockMs"> = delays): void {
    const stop = new AbortController();
    const how = { url: redis.url, build: BUILD, log: say, delays: { ...delays, lockMs } };
    const ended = serveQueue(how, cases, stop.signal);
    onTestFinished(async () => {
      stop.abort();
      await ended;
    });
  }

  function working(own: Pick<QueueDelays, "lockMs"> = delays): NotedCases {
    const cases = new NotedCases();
    serving(cases, own);
    return cases;
  }

  test("gives the same results whatever the number of workers, each batch done once", async () => {
    const batches = Array.from({ length: 20 }, (_, index) => batchFrom(index * 100));
    for (const count of [1, 3]) {
      const requested = await asking();
      const workers = Array.from({ length: count }, () => working());
      const results = await Promise.all(batches.map((batch) => requested.run(batch)));
      expect(results).toEqual(batches.map(resultOf));
      const done = workers.flatMap((worker) => worker.done).sort((a, b) => a - b);
      if (count === 1) expect(done).toEqual(batches.map(({ first }) => first));
    }
    expect(await redis.command("EXISTS", `bull:${queueName(BUILD)}:failed`)).toBe(0);
  });

  test("has cases shrunk", async () => {
    const requested = await asking();
    working();
    const request = { family: batchFrom(0).family, seed: 7, found: violated(26) };
    expect(await requested.shrink(request)).toEqual(findingOf(request));
  });

  test("has a batch done elsewhere when its worker is killed", async () => {
    const requested = await asking();
    const program = fileURLToPath(new URL("./stuck-worker.testing.ts", import.meta.url));
    const lockMs = 1_000;
    const stuck = spawn(
      process.execPath,
      ["node_modules/tsx/dist/cli.mjs", program, redis.url, `${lockMs}`],
      { stdio: ["ignore", "pipe", "inherit"], detached: true },
    );
    const result = requested.run(batchFrom(300));
    await once(stuck.stdout, "data");
    const ended = once(stuck, "exit");
    // The process group: the program's launcher is a process of its own.
    process.kill(-(stuck.pid ?? 0), "SIGKILL");
    await ended;
    const cases = working({ lockMs });
    expect(await result).toEqual(resultOf(batchFrom(300)));
    expect(cases.done).toEqual([300]);
  });

  test("has a batch that has lost its workers done alone, and names the case that ends them", async () => {
    const requested = await asking();
    const results = [0, 100, 200].map((first) => requested.run(batchFrom(first)));
    const waiting = () => redis.command("LRANGE", `bull:${queueName(BUILD)}:wait`, "0", "-1");
    await expect.poll(waiting).toHaveLength(3);
    const [deadly, lost] = ((await waiting()) as string[]).sort();
    const note = (job: string | undefined, ...fields: string[]) =>
      redis.command("HSET", `bull:${queueName(BUILD)}:${job}`, "stc", "4", ...fields);
    await note(deadly, "progress", JSON.stringify({ number: 42, times: 2 }));
    await note(lost, "progress", JSON.stringify({ number: 142, times: 1 }));
    const cases = working();
    await expect(results[0]).rejects.toThrow(
      "case 42 of seed 7 ends the worker that runs it: 4 were lost",
    );
    expect(await results[1]).toEqual(resultOf(batchFrom(100)));
    expect(await results[2]).toEqual(resultOf(batchFrom(200)));
    const each = Array.from({ length: 100 }, (_, index) => 100 + index);
    expect(cases.done.filter((first) => first < 200)).toEqual([...each, 100]);
  });

  test("gives again what a Redis has lost that was gone in mid-run, and counts it once", async () => {
    const requested = await asking();
    const results = [0, 100, 200].map((first) => requested.run(batchFrom(first)));
    await expect.poll(() => redis.command("LLEN", `bull:${queueName(BUILD)}:wait`)).toBe(3);
    await redis.kill();
    await expect.poll(() => text.join()).toContain("what is done is kept, and it is tried");
    await redis.begin();
    working();
    expect(await Promise.all(results)).toEqual(
      [0, 100, 200].map((first) => resultOf(batchFrom(first))),
    );
    await expect.poll(() => text.join()).toContain("the Redis answers again; ");
  });

  test("is given up after so many tries, with what it was that did not answer", async () => {
    const requested = await asking({ tries: 3 });
    const result = requested.run(batchFrom(0));
    result.catch(() => {});
    await redis.kill();
    await expect(result).rejects.toThrow(
      /does not answer: the connection (was refused|broke|is closed); it was given up after 3 tries/,
    );
    await expect(requested.run(batchFrom(100))).rejects.toThrow("given up after 3 tries");
  });

  test("waits for room where the Redis is full", async () => {
    const requested = await asking();
    await redis.command("CONFIG", "SET", "maxmemory", "1");
    const result = requested.run(batchFrom(0));
    await expect.poll(() => text.join()).toContain("is full: OOM command not allowed");
    await redis.command("CONFIG", "SET", "maxmemory", "0");
    working();
    expect(await result).toEqual(resultOf(batchFrom(0)));
  });

  test("says when no worker is there", async () => {
    const requested = await asking();
    requested.run(batchFrom(0)).catch(() => {});
    await expect.poll(() => text.join()).toContain("no worker of this build serves the queue");
  });

  test("is given up where no worker comes, and its jobs are let go", async () => {
    const requested = await asking({ waitMs: 1 });
    const results = [0, 100, 200].map((first) => requested.run(batchFrom(first)));
    for (const result of results) {
      await expect(result).rejects.toThrow(
        "no worker of this build serves the queue, and none came",
      );
    }
    await requested.close();
    expect(await redis.command("LLEN", `bull:${queueName(BUILD)}:wait`)).toBe(0);
  });

  test("ends with status 2 and words where no worker serves it", async () => {
    const file = familyFile();
    const { status, stdout, stderr } = await searched(file, redis.url, "--wait", "1ms");
    expect(status).toBe(2);
    expect(stderr).toContain(
      "no worker of this build serves the queue, and none came within 0 s: these are the cases up to then\n",
    );
    expect(stdout).toContain("0 cases, nothing found");
  });

  test("that goes away in a search leaves it what was found, and no report that would count as whole", async () => {
    const file = familyFile();
    const away = `${file}.json`;
    const search = searched(file, redis.url, "--report", away);
    await expect.poll(() => redis.command("LLEN", `bull:${queueName(BUILD)}:wait`)).toBe(4);
    await redis.kill();
    const { status, stdout, stderr } = await search;
    expect(status).toBe(2);
    expect(stdout).toContain("0 cases, nothing found");
    expect(stderr).toMatch(
      /does not answer: .*; what is done is kept, and it is tried again for 1 s\n.*family.yaml.json: was not written\n.*given up after 3 tries: these are the cases up to then\n$/,
    );
    expect(existsSync(away)).toBe(false);
  });

  test("finds with guidance what one thread finds, by several workers of which one is lost", async () => {
    const options = { seed: 4, all: true, guided: true, runs: 320, batchCases: 250 };
    const whole = await runCampaign(localWorkers, [STOPPED], options);
    expect(whole.families[0]?.coverage?.generations).toBe(3);
    const requested = await asking();
    // It runs some, and is then told to end in the middle of the others.
    const leaving = new AbortController();
    let left = 9;
    const first = serveQueue(
      { url: redis.url, build: BUILD, log: say, delays },
      {
        ...localWorkers,
        run: async (batch) => {
          if (--left === 0) leaving.abort();
          return runBatch(batch);
        },
      },
      leaving.signal,
    );
    serving(localWorkers);
    expect(await runCampaign(requested, [STOPPED], options)).toEqual(whole);
    leaving.abort();
    await first;
  });

  test("lets go of the jobs under way when the search is interrupted, and ends with what it has", async () => {
    const lab = createSearchLab(PROGRAM, async () => BUILD);
    const family = lab.check(STOPPED.text, STOPPED.file);
    if (!("text" in family)) throw new Error("the family is not sound");
    const how = { seed: 1, runs: 5_000, jobs: 1, all: true, guided: false, queue: redis.url };
    const searched = lab.run([family], how, { log: say, onProgress() {}, onFinding() {} });
    // There is no worker to run them.
    const jobs = () => redis.command("LLEN", `bull:${queueName(BUILD)}:wait`);
    await expect.poll(jobs).toBe(8);
    process.emit("SIGINT");
    const { interrupted, problem, report } = await searched;
    expect({ interrupted, problem, cases: report.families[0]?.cases }).toEqual({
      interrupted: true,
      problem: undefined,
      cases: 0,
    });
    expect(await jobs()).toBe(0);
  });

  test("uses no result that does not fit what was asked", async () => {
    const requested = await asking();
    const liar = new Worker(queueName(BUILD), async () => ({ ...resultOf(batchFrom(500)) }), {
      connection: { url: redis.url },
    });
    onTestFinished(() => liar.close());
    await expect(requested.run(batchFrom(0))).rejects.toThrow(
      "the queue gave no result that can be used: first: expected 0, found 500",
    );
    expect(text.filter((line) => line.endsWith("it is done again"))).toHaveLength(2);
  });

  test("takes a job that is not JSON any more for no result", async () => {
    const requested = await asking();
    const spoiler = new Worker(
      queueName(BUILD),
      async ({ id }) => {
        await redis.command("HSET", `bull:${queueName(BUILD)}:${id}`, "data", "{not JSON");
        return resultOf(batchFrom(0));
      },
      { connection: { url: redis.url } },
    );
    onTestFinished(() => spoiler.close());
    await expect(requested.run(batchFrom(0))).rejects.toThrow(
      "the queue gave no result that can be used: it is not JSON",
    );
    expect(text.filter((line) => line.endsWith("it is done again"))).toHaveLength(2);
  });

  test("does no job that is none", async () => {
    const queue = new Queue(queueName(BUILD), { connection: { url: redis.url } });
    onTestFinished(() => queue.close());
    await queue.add("erase", {});
    await queue.add("batch", { ...batchFrom(0), count: 1e9 });
    const cases = working();
    await expect.poll(() => text.filter((line) => line.startsWith("job "))).toHaveLength(2);
    expect(text.join("\n")).toMatch(/expected batch or shrink, found "erase"/);
    expect(text.join("\n")).toMatch(
      /count: expected a number of cases from 1 to 10000, found 1000000000/,
    );
    expect(cases.done).toEqual([]);
    const requested = await asking();
    expect(await requested.run(batchFrom(0))).toEqual(resultOf(batchFrom(0)));
  });

  test("does no job that is not JSON, and does not take it for trouble with the Redis", async () => {
    const queue = new Queue(queueName(BUILD), { connection: { url: redis.url } });
    onTestFinished(() => queue.close());
    const { id = "" } = await queue.add("batch", {});
    await redis.command("HSET", queue.toKey(id), "data", "{not JSON");
    working();
    await expect.poll(() => text).toContain("a job of the queue is not JSON: it is not done");
    const requested = await asking();
    expect(await requested.run(batchFrom(0))).toEqual(resultOf(batchFrom(0)));
    expect(text.join("\n")).not.toMatch(/does not answer|bug of Chainlab/);
  });
});

/** A family in a new folder, which is removed after the test. */
function familyFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "chainlab-queue-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "family.yaml");
  writeFileSync(file, STOPPED.text);
  return file;
}
