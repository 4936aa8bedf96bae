import { once } from "node:events";
import { connect } from "node:net";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test, vi } from "vitest";
import { STATUS } from "../../../engine/framework/errors.ts";
import { makeBlocks, runChain } from "../chain.testing.ts";
import { readBind } from "../listen.ts";
import type { ToChain, ToFront } from "./front.ts";
import { openGrpc } from "./server.ts";
import type { UnaryAnswer } from "./unary-calls.ts";

const ANY_PORT = readBind("127.0.0.1:0");

async function served() {
  const chain = await runChain({ speed: "paused" });
  return { chain, namespace: "both", cors: "*" } as const;
}

/** Collects the log's output. */
function readLog(): { text(): string } {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  return { text: () => write.mock.calls.map(([line]) => line).join("") };
}

test("a call that was given up before the services are loaded is not answered any further", async () => {
  let send = (_: ToChain): void => {};
  let answered = (_: UnaryAnswer): void => {};
  const answer = new Promise<UnaryAnswer>((resolve) => {
    answered = resolve;
  });
  const front = {
    on(event: string, listener: (message: ToChain) => void) {
      if (event === "message") send = listener;
    },
    postMessage(message: ToFront) {
      if ("listen" in message) send({ listening: { address: "127.0.0.1:1", port: 1 } });
      else if ("answer" in message) answered(message.answer);
    },
  };
  await openGrpc(await served(), ANY_PORT, () => front as unknown as Worker);
  const path = "/lab.v1.Lab/CompareWorlds";
  send({
    call: 1,
    request: { path, message: new Uint8Array(), headers: { "x-cosmos-block-height": undefined } },
  });
  send({ cancelled: 1 });
  expect((await answer).trailers).toMatchObject({ "grpc-status": String(STATUS.cancelled) });
});

/** A thread that listens, and fails at its first connection. */
const FAILING = `
  const { parentPort } = require("node:worker_threads");
  const { createServer } = require("node:net");
  parentPort.on("message", ({ listen }) => {
    if (!listen) return parentPort.postMessage({ closed: true });
    const server = createServer(() => { throw new Error("a failure of the thread"); });
    server.listen(listen.port, listen.host, () => {
      const { port } = server.address();
      parentPort.postMessage({ listening: { address: "127.0.0.1:" + port, port } });
    });
  });`;

/** A thread that fails before it listens. */
const BROKEN = `throw new Error("broken from its beginning");`;

/** Connects to a port, and resolves once the connection is refused or closed. */
const connectionTo = (port: number): Promise<void> =>
  new Promise((resolve) => {
    connect(port, "127.0.0.1")
      .on("error", () => {})
      .on("close", () => resolve());
  });

test("a thread that fails is reported and started again at the same address, and the chain goes on", async () => {
  const log = readLog();
  const about = await served();
  const start = vi.fn(() => new Worker(FAILING, { eval: true }));
  const server = await openGrpc(about, ANY_PORT, start);
  onTestFinished(() => server.close());
  for (const failures of [1, 2]) {
    await expect
      .poll(async () => {
        await connectionTo(server.port);
        return start.mock.calls.length;
      })
      .toBeGreaterThan(failures);
    await makeBlocks(about.chain, 1);
  }
  expect(log.text()).toContain("Error: a failure of the thread");
  expect(log.text()).toContain(
    `gRPC: the thread of ${server.address} has failed and is started again`,
  );
});

test("where no other thread can be started, the address is closed and that is reported", async () => {
  const log = readLog();
  const about = await served();
  const programs = [FAILING, BROKEN];
  const start = (): Worker => new Worker(programs.shift() ?? "", { eval: true });
  const server = await openGrpc(about, ANY_PORT, start);
  await connectionTo(server.port);
  await expect.poll(() => log.text()).toContain("is closed");
  expect(log.text()).toContain(`gRPC: ${server.address} is closed: broken from its beginning`);
  await makeBlocks(about.chain, 1);
  await server.close();
});

test("a door is closed whose thread has just failed", async () => {
  readLog();
  const start = (): Worker => new Worker(FAILING, { eval: true });
  const server = await openGrpc(await served(), ANY_PORT, start);
  await connectionTo(server.port);
  await server.close();
  const next = await openGrpc(await served(), { ...ANY_PORT, port: server.port });
  expect(next.port).toBe(server.port);
  await next.close();
});

test("a thread that fails before it listens is refused with its cause", async () => {
  const start = (): Worker => new Worker(BROKEN, { eval: true });
  await expect(openGrpc(await served(), ANY_PORT, start)).rejects.toThrow(
    "broken from its beginning",
  );
});

test("a closed door ends its thread, and reports nothing", async () => {
  const log = readLog();
  const thread = new Worker(FAILING, { eval: true });
  const exit = once(thread, "exit");
  const server = await openGrpc(await served(), ANY_PORT, () => thread);
  await server.close();
  await exit;
  expect(log.text()).toBe("");
});
