/** A real Redis or Valkey for tests, which can stop, restart and fill it. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { Redis } from "ioredis";

/** The path of a server, or the reason why nothing is tested with one. */
export function findRedisServer(): { readonly path: string; readonly reason?: string } {
  const finder = ["--import", "tsx", "tools/redis-server.ts"];
  const { status, stdout } = spawnSync(process.execPath, finder, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", 2],
  });
  if (status === 0) return { path: stdout.trim() };
  const reason =
    "The tests of the queue did NOT run: there is no Redis or Valkey. Put redis-server or valkey-server on the PATH, and run npm test again.";
  return { path: "", reason };
}

/** Attempts to reach a starting server, 50 ms apart: half a minute. */
const TRIES = 600;

export class TestRedis {
  readonly url: string;
  readonly #program: string;
  readonly #port: number;
  #process: ChildProcess | undefined;

  private constructor(program: string, port: number) {
    this.#program = program;
    this.#port = port;
    this.url = `redis://127.0.0.1:${port}`;
  }

  static async start(program: string): Promise<TestRedis> {
    const server = new TestRedis(program, await freePort());
    await server.begin();
    return server;
  }

  /** Starts it empty. */
  async begin(): Promise<void> {
    const flags = ["--port", String(this.#port), "--save", "", "--appendonly", "no"];
    this.#process = spawn(this.#program, [...flags, "--bind", "127.0.0.1"], { stdio: "ignore" });
    const retryStrategy = (times: number) => (times < TRIES ? 50 : null);
    const client = new Redis(this.url, { retryStrategy, maxRetriesPerRequest: null });
    client.on("error", () => {});
    await client.ping();
    client.disconnect();
  }

  /** Kills it; its data is lost. */
  async kill(): Promise<void> {
    const running = this.#process;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, "exit");
    running.kill("SIGKILL");
    await ended;
  }

  async command(...words: readonly string[]): Promise<unknown> {
    const client = new Redis(this.url);
    const [name = "", ...rest] = words;
    const answer = await client.call(name, ...rest);
    client.disconnect();
    return answer;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("a socket without a port");
  return address.port;
}
