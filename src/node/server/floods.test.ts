/**
 * Floods: many, slow and silent clients must have no effect on other clients, on blocks or on
 * memory.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as after } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { create, toBinary } from "@bufbuild/protobuf";
import { Client, credentials } from "@grpc/grpc-js";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import { SERVER } from "../../base/limits.ts";
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import { WatchBlocksRequestSchema } from "../../gen/lab/v1/watch_pb.ts";
import { ATTACH_PATH } from "./attached.ts";
import { ByteBudget } from "./byte-budget.ts";
import { makeBlocks, reached, runChain } from "./chain.testing.ts";
import type { Speed } from "./chain.ts";
import { openRest } from "./doors.ts";
import { openGrpc } from "./grpc/server.ts";
import { type ChainServer, readBind } from "./listen.ts";
import { openRpc } from "./rpc.ts";
import type { Served } from "./served.ts";

const ANY_PORT = readBind("127.0.0.1:0");
const MEGABYTE = 1024 * 1024;
const LARGE_CALLS = fileURLToPath(new URL("./large-calls.testing.ts", import.meta.url));
/** Maximum difference between two measurements of the heap, in bytes. */
const NOISE = 12 * MEGABYTE;
/**
 * Maximum bytes of a quiet block: its row on a page, 34, and the keyframes in memory, until they
 * reach their maximum. A stream that retained blocks would use more.
 */
const MOST_BLOCK = 250;

async function serve(speed: Speed = "paused") {
  const chain = await runChain({ speed });
  const served: Served = { chain, namespace: "both", cors: "*" };
  const open = async (server: Promise<ChainServer>): Promise<ChainServer> => {
    const listening = await server;
    onTestFinished(() => listening.close());
    // Later loading would be counted as memory of requests.
    await listening.load();
    return listening;
  };
  return {
    chain,
    rest: await open(openRest(served, ANY_PORT)),
    rpc: await open(openRpc(served, ANY_PORT)),
    grpc: await open(openGrpc(served, ANY_PORT)),
  };
}

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Bytes in use. */
function used(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The same, once released memory was collected: the system frees buffers concurrently. */
async function settledUse(): Promise<number> {
  for (let last = used(); ; ) {
    await after(50);
    const now = used();
    if (last - now < MEGABYTE) return now;
    last = now;
  }
}

/** Requests a path many times over some connections; resolves to the statuses of the answers. */
async function flood(server: ChainServer, path: string, count: number): Promise<readonly number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const ask = (): Promise<number> =>
    new Promise((resolve, reject) => {
      request(`http://${server.address}${path}`, { agent }, (answer) => {
        answer.resume();
        answer.once("end", () => resolve(answer.statusCode ?? 0));
      })
        .once("error", reject)
        .end();
    });
  const statuses = await Promise.all(Array.from({ length: count }, ask));
  agent.destroy();
  return [...new Set(statuses)];
}

test.each(["/cosmos/bank/v1beta1/supply", "/cosmos/no/such/path", "/metrics"])(
  "a flood of %s is answered whole, and blocks are made meanwhile",
  async (path) => {
    const { chain, rest } = await serve(0);
    const before = chain.session.sim.height;
    const [status] = await flood(rest, path, inject("soak") ? 500 : 100);
    expect(status).toBe(path.includes("no") ? 501 : 200);
    // None waited for the flood to end.
    expect(chain.session.sim.height).toBeGreaterThan(before);
  },
);

test("memory does not grow with the number of requests", async () => {
  const { rest, rpc } = await serve();
  const count = inject("soak") ? 1_000 : 200;
  const both = async (): Promise<void> => {
    await flood(rest, "/cosmos/staking/v1beta1/validators", count);
    await flood(rpc, "/status", count);
  };
  await both();
  const before = await settledUse();
  for (let i = 0; i < 4; i++) await both();
  expect((await settledUse()) - before).toBeLessThan(NOISE);
});

test("hundreds of requests that never end leave others and the chain as they were", async () => {
  const { chain, rest, rpc } = await serve(0);
  const sockets = [rest, rpc].flatMap(({ port }) =>
    Array.from({ length: 150 }, () => connect(port, "127.0.0.1")),
  );
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (const socket of sockets) {
    socket.on("error", () => {});
    socket.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n{");
  }
  const { height } = chain.session.sim;
  expect((await fetch(`http://${rest.address}/health`)).status).toBe(200);
  expect((await fetch(`http://${rpc.address}/health`)).status).toBe(200);
  await reached(chain, height + 100);
});

test("calls over HTTP/2 that never end leave others and the chain as they were", async () => {
  const { chain, grpc } = await serve(0);
  const session = connectHttp2(`http://${grpc.address}`);
  session.on("error", () => {});
  onTestFinished(() => session.destroy());
  for (let i = 0; i < 100; i++) {
    const stream = session.request({
      ":method": "POST",
      ":path": "/cosmos.bank.v1beta1.Query/TotalSupply",
      "content-type": "application/grpc",
    });
    stream.on("error", () => {});
    stream.write(Buffer.of(0, 0));
  }
  const client = new Client(grpc.address, credentials.createInsecure());
  onTestFinished(() => client.close());
  const same = (bytes: Buffer): Buffer => bytes;
  const { height } = chain.session.sim;
  const answer = await new Promise<Buffer | undefined>((resolve, reject) =>
    client.makeUnaryRequest(
      "/cosmos.bank.v1beta1.Query/TotalSupply",
      same,
      same,
      Buffer.alloc(0),
      (error, bytes) => (error ? reject(error) : resolve(bytes)),
    ),
  );
  expect(answer?.length).toBeGreaterThan(0);
  await reached(chain, height + 100);
});

test.each(["/chain.bank.v1beta1.Query/TotalSupply", "/lab.v1.Lab/RunStep", "/lab.v1.Watch/Blocks"])(
  "large calls of %s that never end are let go of from some memory on",
  async (path) => {
    const { grpc } = await serve();
    const client = spawn(process.execPath, ["--import", "tsx", LARGE_CALLS, grpc.address, path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void client.kill("SIGKILL"));
    const [line] = await once(createInterface(client.stdout), "line");
    const trailers: unknown = JSON.parse(line);
    expect(trailers).toMatchObject({
      "grpc-status": "8",
      "grpc-message": expect.stringContaining("ask again later"),
    });
  },
);

test("large bodies that never end are refused from some memory on, and the room is given back", async () => {
  const { rest } = await serve();
  const sockets: Socket[] = [];
  const refused = new Promise<string>((resolve) => {
    for (let i = 0; i < 80; i++) {
      const socket = connect(rest.port, "127.0.0.1");
      sockets.push(socket);
      socket.on("error", () => {});
      socket.on("data", (data) => resolve(String(data)));
      socket.write("POST /cosmos/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 990000\r\n\r\n");
      socket.write(Buffer.alloc(980_000));
    }
  });
  expect(await refused).toMatch(/^HTTP\/1.1 429 .*"message":"requests that are not answered yet/s);
  for (const socket of sockets) socket.destroy();
  const body = Buffer.alloc(900_000);
  await expect
    .poll(
      async () => (await fetch(`http://${rest.address}/cosmos/x`, { method: "POST", body })).status,
    )
    .toBe(501);
});

test("a stream of blocks that is not read holds back no block, and no memory", async () => {
  const { chain, grpc } = await serve();
  // A client that stops at its window: one that accepts unread data would buffer it here, in the
  // same process.
  const client = connectHttp2(`http://${grpc.address}`);
  onTestFinished(() => client.destroy());
  await makeBlocks(chain, 1);
  const watched = Array.from({ length: 20 }, () => {
    const stream = client.request({
      ":method": "POST",
      ":path": "/lab.v1.Watch/Blocks",
      "content-type": "application/grpc",
      te: "trailers",
    });
    stream.on("error", () => {});
    const message = toBinary(
      WatchBlocksRequestSchema,
      create(WatchBlocksRequestSchema, { from: 1 }),
    );
    stream.end(Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]));
    return stream;
  });
  await Promise.all(watched.map((stream) => once(stream, "response")));
  // The newest blocks always stay in memory, and each stream's window fills up once.
  await makeBlocks(chain, 20_000);
  const before = await settledUse();
  const count = inject("soak") ? 60_000 : 20_000;
  await makeBlocks(chain, count);
  expect(((await settledUse()) - before) / count).toBeLessThan(MOST_BLOCK);
});

test("blocks are made while one batch is answered", async () => {
  const { rpc } = await serve(0);
  const calls = Array.from({ length: 100 }, (_, id) => ({ jsonrpc: "2.0", id, method: "genesis" }));
  calls[0] = { jsonrpc: "2.0", id: 0, method: "status" };
  calls[99] = { jsonrpc: "2.0", id: 99, method: "status" };
  const answer = await fetch(`http://${rpc.address}`, {
    method: "POST",
    body: JSON.stringify(calls),
  });
  const answers = (await answer.json()) as {
    result: { sync_info: { latest_block_height: string } };
  }[];
  const [first, last] = [answers[0], answers[99]].map((one) =>
    Number(one?.result.sync_info.latest_block_height),
  );
  expect(last).toBeGreaterThan(first ?? 0);
});

test("where too many requests wait, each door refuses in its own form, and in words", async () => {
  const { chain, rest, rpc, grpc } = await serve();
  const words = "1000 requests wait for their turn on this node; ask again later";
  vi.spyOn(chain.admission, "turn").mockRejectedValue(
    new StatusError(STATUS.resourceExhausted, words),
  );
  const form = async (
    server: ChainServer,
    path: string,
    init?: RequestInit,
  ): Promise<unknown[]> => {
    const answer = await fetch(`http://${server.address}${path}`, init);
    return [answer.status, await answer.json()];
  };
  const post = (body: string, type = "application/json"): RequestInit => ({
    method: "POST",
    body,
    headers: { "content-type": type },
  });
  const ofRest = [429, { code: 8, message: words, details: [] }];
  const ofRpc = { jsonrpc: "2.0", error: { code: -32000, message: "Server error", data: words } };
  expect(await form(rest, "/cosmos/bank/v1beta1/supply")).toEqual(ofRest);
  expect(await form(rest, "/metrics")).toEqual(ofRest);
  expect(await form(rest, "/cosmos/tx/v1beta1/simulate", post("{}"))).toEqual(ofRest);
  expect(await form(rpc, "/status")).toEqual([429, ofRpc]);
  expect(await form(rpc, "/", post('{"id":1,"method":"status"}'))).toEqual([429, ofRpc]);
  // A monitor would take a refusal for a node that is down.
  expect(await form(rest, "/health")).toEqual([200, {}]);
  expect(await form(rpc, "/health")).toEqual([200, { jsonrpc: "2.0", id: -1, result: {} }]);
  const health = post('{"jsonrpc":"2.0","id":1,"method":"health"}');
  expect(await form(rpc, "/", health)).toEqual([200, { jsonrpc: "2.0", id: 1, result: {} }]);
  const supply = "/cosmos.bank.v1beta1.Query/TotalSupply";
  expect(await form(rest, supply, post("{}"))).toMatchObject([
    429,
    { code: "resource_exhausted", message: words },
  ]);
  const web = await fetch(
    `http://${rest.address}${supply}`,
    post("\0\0\0\0\0", "application/grpc-web+proto"),
  );
  expect((await web.text()) + web.headers.get("grpc-status")).toMatch(/grpc-status: 8|8$/);
  const client = new Client(grpc.address, credentials.createInsecure());
  onTestFinished(() => client.close());
  const same = (bytes: Buffer): Buffer => bytes;
  for (const path of [supply, "/lab.v1.Watch/Blocks"]) {
    const refused = new Promise((resolve) =>
      client.makeUnaryRequest(path, same, same, Buffer.alloc(0), resolve),
    );
    expect(await refused).toMatchObject({ code: 8, details: words });
  }
  const socket = new WebSocket(`ws://${rpc.address}/websocket`);
  onTestFinished(() => socket.terminate());
  await once(socket, "open");
  socket.send('{"id":1,"method":"status"}');
  expect(JSON.parse(String((await once(socket, "message"))[0]))).toEqual(ofRpc);
  const page = new WebSocket(`ws://${rest.address}${ATTACH_PATH}`);
  onTestFinished(() => page.terminate());
  await once(page, "open");
  page.send('{"call":1,"method":"lab.getFrame"}');
  expect((await once(page, "close")).map(String)).toEqual(["1013", words]);
});

test("a request of the RPC knows when its client has gone, whatever brings it", async () => {
  const { chain, rpc } = await serve();
  const ask = vi.spyOn(chain, "query").mockReturnValue(new Promise(() => {}));
  const gone = (): unknown[] => ask.mock.calls.map(([, caller]) => caller?.gone?.());
  const leaving = new AbortController();
  void fetch(`http://${rpc.address}/status`, { signal: leaving.signal }).catch(() => {});
  await expect.poll(gone).toEqual([false]);
  const socket = new WebSocket(`ws://${rpc.address}/websocket`);
  await once(socket, "open");
  socket.send('{"id":1,"method":"status"}');
  await expect.poll(gone).toEqual([false, false]);
  leaving.abort();
  socket.terminate();
  await expect.poll(gone).toEqual([true, true]);
});

test("unfinished messages of WebSockets at all servers have one bound, which leaves room for other requests", async () => {
  const { chain, rest, rpc } = await serve();
  const closed: string[] = [];
  const send = async (server: ChainServer, path: string, bytes: number): Promise<void> => {
    const socket = new WebSocket(`ws://${server.address}${path}`);
    onTestFinished(() => socket.terminate());
    socket.on("error", () => {});
    socket.on("close", (code, why) => closed.push(`${code} ${why}`));
    await once(socket, "open");
    socket.send(Buffer.alloc(bytes), { fin: false });
  };
  const most = SERVER.requestBytes / 2;
  for (let i = 0; i < 20; i++) await send(rpc, "/websocket", 900_000);
  for (let i = 0; i < 3; i++) await send(rest, ATTACH_PATH, 20_000_000);
  await expect.poll(() => closed.length).toBeGreaterThanOrEqual(3);
  expect(new Set(closed)).toEqual(new Set([`1013 ${ByteBudget.TOO_MANY}`]));
  expect(chain.admission.bytes.reserved).toBeLessThan(most + 23 * 65_536);
  const body = Buffer.alloc(900_000);
  const url = `http://${rest.address}/cosmos/x`;
  expect((await fetch(url, { method: "POST", body })).status).toBe(501);
});

test("what batches have answered so far is limited, and a batch beyond that is refused in words", async () => {
  const { chain, rpc } = await serve();
  const { answers } = chain.admission;
  const call = (id: number) => ({ jsonrpc: "2.0", id, method: "genesis" });
  const batch = JSON.stringify(Array.from({ length: 20 }, (_, id) => call(id)));
  const post = async (body: string): Promise<[number, unknown]> => {
    const answer = await fetch(`http://${rpc.address}`, { method: "POST", body });
    return [answer.status, await answer.json()];
  };
  const overSocket = async (text: string): Promise<unknown> => {
    const socket = new WebSocket(`ws://${rpc.address}/websocket`);
    onTestFinished(() => socket.terminate());
    await once(socket, "open");
    socket.send(text);
    const [answer] = await once(socket, "message");
    return JSON.parse(String(answer));
  };
  const others = answers.of({ once: () => {} });
  const most = SERVER.requestBytes - 30_000;
  others.reserve(most);
  const data = { error: { code: -32000, data: ByteBudget.TOO_MANY_ANSWERS } };
  expect(await post(batch)).toMatchObject([429, data]);
  expect(await overSocket(batch)).toMatchObject(data);
  expect(answers.reserved).toBe(most);
  expect(await post(JSON.stringify(call(7)))).toMatchObject([200, { id: 7, result: {} }]);
  others.release();
  const [status, all] = await post(batch);
  expect([status, all]).toMatchObject([200, { length: 20 }]);
  expect(await overSocket(batch)).toEqual(all);
  await expect.poll(() => answers.reserved).toBe(0);
});

test("a batch of more calls than are taken is refused as one, and costs no more than that", async () => {
  const { rpc } = await serve();
  const calls = Array.from({ length: 5_000 }, (_, id) => ({
    jsonrpc: "2.0",
    id,
    method: "genesis",
  }));
  const answer = await fetch(`http://${rpc.address}`, {
    method: "POST",
    body: JSON.stringify(calls),
  });
  const text = await answer.text();
  expect(text.length).toBeLessThan(1_000);
  expect(JSON.parse(text)).toHaveProperty("error");
});
