import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { RPC } from "../../base/limits.ts";
import { inTime, reached, runChain } from "./chain.testing.ts";
import type { RunningChain } from "./chain.ts";
import { readBind } from "./listen.ts";
import { openRpc } from "./rpc.ts";
import type { Served } from "./served.ts";

const ANY_PORT = readBind("127.0.0.1:0");

async function served(over: Partial<Served> = {}) {
  const chain = over.chain ?? (await runChain());
  const server = await openRpc({ chain, namespace: "both", cors: "*", ...over }, ANY_PORT);
  onTestFinished(() => server.close());
  return { chain, origin: `http://${server.address}`, port: server.port };
}

const post = async (origin: string, body: unknown) => {
  const answer = await fetch(origin, { method: "POST", body: JSON.stringify(body) });
  return { status: answer.status, answer: await answer.json() };
};

/** A WebSocket client with its received messages. */
async function opened(port: number) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/websocket`);
  onTestFinished(() => socket.terminate());
  const heard: { id: unknown; result?: { data?: unknown }; error?: { data: string } }[] = [];
  let woken = (): void => {};
  socket.on("error", () => {});
  socket.on("message", (data) => {
    heard.push(JSON.parse(String(data)));
    woken();
  });
  await inTime(once(socket, "open"), "an open connection");
  const closed = new Promise<void>((resolve) => socket.on("close", resolve));
  /** Resolves with the first matching messages. */
  const hear = async (fits: (one: (typeof heard)[number]) => boolean, count = 1) => {
    while (heard.filter(fits).length < count) {
      const more = new Promise<void>((resolve) => {
        woken = resolve;
      });
      await inTime(more, `message ${heard.filter(fits).length + 1} of ${count}`);
    }
    return heard.filter(fits).slice(0, count);
  };
  const call = async (id: number, method: string, params: unknown) => {
    socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    const [answer] = await hear((one) => one.id === id && one.result?.data === undefined);
    return answer;
  };
  return { socket, heard, hear, call, closed };
}

const NEW_BLOCK = { query: "tm.event='NewBlock'" };

interface NewBlockData {
  readonly value: { readonly block: { readonly header: { readonly height: string } } };
}

/** Makes blocks one by one. */
async function makeBlocks(chain: RunningChain, count: number): Promise<void> {
  const height = chain.session.sim.height + count;
  chain.session.player.stepBlocks(count);
  chain.session.player.changed();
  await reached(chain, height);
}

test("HTTP answers by POST and GET, also pages of other origins", async () => {
  const { origin } = await served();
  const { status, answer } = await post(origin, { id: 1, method: "status" });
  expect([status, answer.id, answer.result.node_info.version]).toEqual([200, 1, "0.38.26"]);
  const listens = origin.replace("http", "tcp");
  expect(answer.result.node_info.other.rpc_address).toBe(listens);
  const got = await fetch(`${origin}/status`, { headers: { Origin: "https://a.example" } });
  expect(got.headers.get("access-control-allow-origin")).toBe("*");
  expect(await got.json()).toMatchObject({ id: -1, result: answer.result });
  expect((await fetch(`${origin}/nothing`)).status).toBe(404);
  expect(await (await fetch(origin)).text()).toContain("Available endpoints");
  const requested = await fetch(origin, { method: "OPTIONS" });
  expect(requested.status).toBe(204);
  const head = await fetch(`${origin}/status`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

test("metrics are served beside it, of the blocks since the door opened", async () => {
  const { chain, origin } = await served();
  await makeBlocks(chain, 3);
  const answer = await fetch(`${origin}/metrics`);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const text = await answer.text();
  const { height } = chain.session.sim;
  expect(text).toContain(`cometbft_consensus_latest_block_height{chain_id="lab-1"} ${height}\n`);
  expect(text).toContain('cosmos_validator_watcher_tracked_blocks{chain_id="lab-1"} 3\n');
});

test("a body too large is refused as CometBFT does, and the next one answered", async () => {
  const { origin } = await served();
  const answer = await fetch(origin, { method: "POST", body: new Uint8Array(1_000_001) });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error: { code: -32600 } });
  expect((await post(origin, { id: 1, method: "health" })).answer.result).toEqual({});
});

test("a WebSocket answers every method, and tells of blocks by the id that subscribed", async () => {
  const { chain, port } = await served();
  const { call, hear } = await opened(port);
  expect(await call(1, "status", {})).toMatchObject({ result: { sync_info: expect.any(Object) } });
  expect(await call(2, "subscribe", NEW_BLOCK)).toEqual({ jsonrpc: "2.0", id: 2, result: {} });
  expect(await call(3, "subscribe", ["tm.event='NewBlockHeader'"])).toMatchObject({ result: {} });
  await makeBlocks(chain, 3);
  const heightOf = (data: unknown) => (data as NewBlockData).value.block.header.height;
  const told = await hear(({ id, result }) => id === 2 && result?.data !== undefined, 3);
  const first = chain.session.sim.height - 2;
  expect(told.map(({ result }) => heightOf(result?.data))).toEqual(
    [0, 1, 2].map((more) => String(first + more)),
  );
  await hear(({ id, result }) => id === 3 && result?.data !== undefined, 3);
});

test("ending one subscription leaves the others, and CosmJS's late end does not end the next", async () => {
  const { chain, port } = await served();
  const { call, hear } = await opened(port);
  await call(1, "subscribe", NEW_BLOCK);
  await call(2, "subscribe", { query: "tm.event='NewBlockHeader'" });
  expect(await call(3, "unsubscribe", NEW_BLOCK)).toMatchObject({ result: {} });
  await makeBlocks(chain, 1);
  const told = await hear(({ result }) => result?.data !== undefined);
  expect(told.map(({ id }) => id)).toEqual([2]);
  expect(await call(4, "unsubscribe_all", {})).toMatchObject({ result: {} });
  expect(await call(5, "unsubscribe_all", {})).toMatchObject({
    error: { data: "subscription not found" },
  });
});

test("what is no request is refused, and the socket stays", async () => {
  const { port } = await served();
  const { socket, hear, call } = await opened(port);
  socket.send("{");
  const [refused] = await hear(({ error }) => error !== undefined);
  expect(refused).toMatchObject({ error: { code: -32700 } });
  expect(await call(1, "nothing", {})).toMatchObject({ error: { code: -32601 } });
  expect(await call(2, "subscribe", { query: "nonsense" })).toMatchObject({
    error: { code: -32603, data: "failed to parse query: offset 8: EOF" },
  });
  expect(await call(3, "subscribe", {})).toMatchObject({ error: { code: -32603 } });
  expect(await call(4, "health", {})).toMatchObject({ result: {} });
});

test("a message too large ends its socket, and no other", async () => {
  const { port } = await served();
  const [one, other] = [await opened(port), await opened(port)];
  one.socket.send("x".repeat(RPC.messageBytes + 1));
  await inTime(one.closed, "the end of the connection");
  expect(await other.call(1, "health", {})).toMatchObject({ result: {} });
});

test("a flood of requests is answered whole, in order", async () => {
  const { port } = await served();
  const { socket, hear } = await opened(port);
  for (let id = 0; id < 500; id++) socket.send(JSON.stringify({ id, method: "health" }));
  const answers = await hear(() => true, 500);
  expect(answers.map(({ id }) => id)).toEqual(Array.from({ length: 500 }, (_, id) => id));
});

/** Maximum bytes that the system buffers for a connection whose other end reads nothing. */
function systemBuffers(): number {
  if (process.platform !== "linux") return 16_000_000;
  const most = ["tcp_rmem", "tcp_wmem"].map((name) => {
    const [, , bytes] = readFileSync(`/proc/sys/net/ipv4/${name}`, "utf8").split(/\s+/);
    return Number(bytes);
  });
  return most.reduce((sum, bytes) => sum + bytes);
}

test("one who reads nothing is let go with the reason, while the chain runs and others are told", async () => {
  const unread = 100_000;
  const chain = await runChain();
  const server = await openRpc({ chain, namespace: "both", cors: "*" }, ANY_PORT, unread);
  onTestFinished(() => server.close());
  const [stalled, other] = [await opened(server.port), await opened(server.port)];
  const ids = Array.from({ length: RPC.subscriptionsPerClient }, (_, i) => i + 1);
  for (const id of ids) {
    const query = `tm.event CONTAINS '${"NewBlock".slice(-id)}'`;
    await stalled.call(id, "subscribe", { query: `tm.event='NewBlock' AND ${query}` });
  }
  await other.call(1, "subscribe", { query: "tm.event='NewBlockHeader'" });
  const isTold = ({ result }: { result?: { data?: unknown } }) => result?.data !== undefined;
  await makeBlocks(chain, ids.length);
  const ofBlock = (await stalled.hear(isTold, ids.length)).reduce(
    (sum, one) => sum + JSON.stringify(one).length,
    0,
  );
  stalled.socket.pause();
  // More than the system buffers.
  for (let sent = 0; sent <= systemBuffers() + unread; sent += 100 * ofBlock) {
    other.heard.length = 0;
    await makeBlocks(chain, 100);
    await other.hear(isTold, 100);
  }
  stalled.socket.resume();
  const reasons = await stalled.hear(({ error }) => error !== undefined, ids.length);
  expect(reasons.map(({ id }) => id)).toEqual(ids);
  expect(reasons[0]).toMatchObject({
    error: {
      code: -32000,
      message: "Server error",
      data: "subscription was cancelled (reason: slow client)",
    },
  });
  await inTime(stalled.closed, "the end of the connection");
  expect(await other.call(2, "health", {})).toMatchObject({ result: {} });
});

test.each([
  ["a foreign name", "/websocket", { Host: "attacker.example" }],
  ["a page of another origin than the one allowed", "/websocket", { Origin: "https://b.example" }],
])("%s may not connect", async (_, path, headers) => {
  const { port } = await served({ cors: "https://a.example" });
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  const lines = Object.entries({
    Host: "localhost",
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  const [answer] = await inTime(once(socket, "data"), "an answer");
  expect(String(answer)).toMatch(/^HTTP\/1.1 403/);
});
