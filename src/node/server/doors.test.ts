import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { text as readText } from "node:stream/consumers";
import { Client, credentials, Metadata } from "@grpc/grpc-js";
import { expect, onTestFinished, test } from "vitest";
import { reached, runChain } from "./chain.testing.ts";
import { openRest } from "./doors.ts";
import { openGrpc } from "./grpc/server.ts";
import { readBind } from "./listen.ts";
import { openRpc } from "./rpc.ts";
import type { Served } from "./served.ts";

const ANY_PORT = readBind("127.0.0.1:0");

async function served(over: Partial<Served> = {}): Promise<{ origin: string; port: number }> {
  const chain = over.chain ?? (await runChain());
  const server = await openRest({ chain, namespace: "both", cors: "*", ...over }, ANY_PORT);
  onTestFinished(() => server.close());
  return { origin: `http://${server.address}`, port: server.port };
}

test("a query is answered under both names, with the height that it was answered for", async () => {
  const chain = await runChain({ speed: 0 });
  await reached(chain, 5);
  chain.session.player.pause();
  const { origin } = await served({ chain });
  for (const name of ["chain", "cosmos"]) {
    const answer = await fetch(`${origin}/${name}/upgrade/v1beta1/current_plan`, {
      headers: { "x-cosmos-block-height": "3" },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-cosmos-block-height")).toBe("3");
    expect(await answer.json()).toEqual({ plan: null });
  }
  const newest = await fetch(`${origin}/cosmos/upgrade/v1beta1/current_plan`);
  expect(newest.headers.get("x-cosmos-block-height")).toBe(String(chain.session.sim.height));
});

test("types in answers have the names that were asked by", async () => {
  const { origin } = await served();
  const typesAt = async (path: string): Promise<string[]> =>
    (await (await fetch(origin + path)).text()).match(/"@type":"[^"]*"/g) ?? [];
  expect(await typesAt("/cosmos/staking/v1beta1/validators")).toContain(
    '"@type":"/cosmos.crypto.ed25519.PubKey"',
  );
  expect(await typesAt("/chain/staking/v1beta1/validators")).toContain(
    '"@type":"/chain.crypto.ed25519.PubKey"',
  );
});

test.each([
  ["chain", "/cosmos/evidence/v1beta1/evidence", 501],
  ["chain", "/cosmos/bank/v1beta1/supply", 200],
  ["cosmos", "/chain/bank/v1beta1/supply", 501],
  ["cosmos", "/cosmos/evidence/v1beta1/evidence", 200],
] as const)("with --namespace %s, %s is answered with %d", async (namespace, path, status) => {
  const { origin } = await served({ namespace });
  expect((await fetch(origin + path)).status).toBe(status);
});

test("an unknown path and a wrong method are not implemented, in the gateway's words", async () => {
  const { origin } = await served();
  const answers = [
    await fetch(`${origin}/cosmos/feegrant/v1beta1/allowances/x`),
    await fetch(`${origin}/cosmos/bank/v1beta1/supply`, { method: "DELETE" }),
  ];
  for (const answer of answers) {
    expect(answer.status).toBe(501);
    expect(await answer.text()).toBe('{"code":12, "message":"Not Implemented", "details":[]}');
  }
});

test("REST is described for programs and for people", async () => {
  const { origin } = await served();
  expect(await (await fetch(`${origin}/openapi.json`)).json()).toMatchObject({ openapi: "3.1.0" });
  expect((await fetch(`${origin}/openapi`)).headers.get("content-type")).toContain("text/html");
});

test("a body beyond the limit is refused", async () => {
  const { origin } = await served();
  const body = new Uint8Array(1_000_001);
  const answer = await fetch(`${origin}/cosmos/tx/v1beta1/nothing`, { method: "POST", body });
  expect(answer.status).toBe(413);
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(await answer.text()).toBe(
    '{"code":8, "message":"expected a body of at most 1000000 bytes", "details":[]}',
  );
});

test("pages of every origin may ask, and read the height; HEAD has no body", async () => {
  const { origin } = await served();
  const path = `${origin}/cosmos/bank/v1beta1/supply`;
  const requested = await fetch(path, {
    method: "OPTIONS",
    headers: { Origin: "https://a.example", "Access-Control-Request-Headers": "content-type" },
  });
  expect(requested.status).toBe(204);
  expect(requested.headers.get("access-control-allow-origin")).toBe("*");
  expect(requested.headers.get("access-control-allow-headers")).toBe("content-type");
  const head = await fetch(path, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect(head.headers.get("access-control-expose-headers")).toContain("x-cosmos-block-height");
  expect(await (await fetch(`${origin}/health`)).json()).toEqual({});
});

/** Status and text of an answer; the request can have any headers. */
const ask = (
  port: number,
  path: string,
  headers: Record<string, string>,
  body?: string,
): Promise<[number | undefined, string, IncomingHttpHeaders]> =>
  new Promise((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    httpRequest({ port, host: "127.0.0.1", path, headers, method }, async (answer) =>
      resolve([answer.statusCode, await readText(answer), answer.headers]),
    )
      .on("error", reject)
      .end(body);
  });

test("pages of other origins are refused at every door with what would let them, and the node's own and programs are not", async () => {
  const chain = await runChain();
  const rest = await served({ chain, cors: "" });
  const rpc = await openRpc({ chain, namespace: "both", cors: "" }, ANY_PORT);
  onTestFinished(() => rpc.close());
  const Origin = "https://wallet.example";
  const words = `pages of ${Origin} may not ask this node: start it with --cors ${Origin} to let them`;
  // Simple requests, which a page can send without a preflight.
  const type = { "Content-Type": "text/plain" };
  const requested = [
    [rest, "/cosmos/bank/v1beta1/supply"],
    [rest, "/cosmos/tx/v1beta1/txs", "{}"],
    [rest, "/cosmos/no/such/path"],
    [rest, "/health"],
    [rest, "/openapi"],
    [rest, "/metrics"],
    [rest, "/chain.bank.v1beta1.Query/TotalSupply", "{}"],
    [rest, "/lab.v1.Lab/GetNodes", "{}"],
    [rpc, "/"],
    [rpc, "/status"],
    [rpc, "/metrics"],
    [rpc, "/", '{"id":1,"method":"status"}'],
  ] as const;
  for (const [{ port }, path, body] of requested) {
    const [status, text] = await ask(port, path, { ...type, Origin }, body);
    expect([path, status, JSON.parse(text).message]).toEqual([path, 403, words]);
    const picture = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors" };
    expect((await ask(port, path, { ...type, ...picture }, body))[0]).toBe(403);
    const program = await ask(port, path, type, body);
    expect(program[0]).not.toBe(403);
    for (const host of ["127.0.0.1", "localhost"]) {
      for (const from of [rest, rpc]) {
        const own = { ...type, Origin: `http://${host}:${from.port}` };
        expect((await ask(port, path, own, body))[0]).toBe(program[0]);
      }
    }
  }
  for (const foreign of ["null", "http://127.0.0.1:1", "x"]) {
    expect((await ask(rest.port, "/health", { Origin: foreign }))[0]).toBe(403);
  }
  const grpc = await openGrpc({ chain, namespace: "both", cors: "" }, ANY_PORT);
  onTestFinished(() => grpc.close());
  const client = new Client(grpc.address, credentials.createInsecure());
  onTestFinished(() => client.close());
  const same = (bytes: Buffer): Buffer => bytes;
  const metadata = new Metadata();
  metadata.set("origin", Origin);
  for (const path of ["/cosmos.bank.v1beta1.Query/TotalSupply", "/lab.v1.Watch/Blocks"]) {
    const refused = new Promise((resolve) =>
      client.makeUnaryRequest(path, same, same, Buffer.alloc(0), metadata, resolve),
    );
    expect(await refused).toMatchObject({ code: 7, details: words });
  }
  const link = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate" };
  const [linked, framed] = await Promise.all(
    ["document", "iframe"].map((dest) =>
      ask(rest.port, "/openapi", { ...link, "Sec-Fetch-Dest": dest }),
    ),
  );
  expect([linked?.[0], framed?.[0]]).toEqual([200, 403]);
});

test("pages of each of the origins that are named may ask", async () => {
  const { port } = await served({ cors: "https://a.example,chrome-extension://b" });
  for (const Origin of ["https://a.example", "chrome-extension://b"]) {
    const [status, , headers] = await ask(port, "/health", { Origin });
    expect([status, headers["access-control-allow-origin"]]).toEqual([200, Origin]);
    expect(headers.vary).toBe("Origin");
  }
  expect((await ask(port, "/health", { Origin: "https://c.example" }))[0]).toBe(403);
});

test("whatever a node answers over HTTP has the security headers of the page", async () => {
  const chain = await runChain();
  const { port } = await served({ chain });
  const rpc = await openRpc({ chain, namespace: "both", cors: "*" }, ANY_PORT);
  onTestFinished(() => rpc.close());
  const requested = [
    [port, "/openapi"],
    [port, "/openapi.json"],
    [port, "/metrics"],
    [port, "/health"],
    [port, "/cosmos/bank/v1beta1/supply"],
    [port, "/cosmos/no/such/path"],
    [port, "/chain.bank.v1beta1.Query/TotalSupply"],
    [rpc.port, "/"],
    [rpc.port, "/status"],
    [rpc.port, "/nothing"],
  ] as const;
  for (const [at, path] of requested) {
    const [, , headers] = await ask(at, path, {});
    expect({ path, ...headers }).toMatchObject({
      path,
      "content-security-policy": expect.stringMatching(/^default-src 'self';.*frame-ancestors/),
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": expect.stringContaining("camera=()"),
    });
  }
});

test("a request under a foreign name is refused, since a foreign page may have sent it", async () => {
  const { port } = await served();
  let text = "";
  const statusFor = (host: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = { Host: host };
      httpRequest({ port, host: "127.0.0.1", path: "/health", headers }, (answer) => {
        text = "";
        answer.on("data", (part) => {
          text += part;
        });
        answer.once("end", () => resolve(answer.statusCode));
      })
        .on("error", reject)
        .end();
    });
  expect(await statusFor("attacker.example")).toBe(403);
  expect(JSON.parse(text)).toEqual({
    code: 7,
    message: "this is no name of the node: ask for it by its address",
    details: [],
  });
  expect(await statusFor(`attacker.example:${port}`)).toBe(403);
  expect(await statusFor(`localhost:${port}`)).toBe(200);
  expect(await statusFor(`127.0.0.1:${port}`)).toBe(200);
  expect(await statusFor(`[::1]:${port}`)).toBe(200);
});

test.each([
  ["what is no HTTP", "\u0001\u0002\r\n\r\n", /^HTTP\/1.1 400/],
  [
    "headers beyond the limit",
    `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(70_000)}\r\n\r\n`,
    /^HTTP\/1.1 431/,
  ],
])("%s is refused, and the next client is answered", async (_, bytes, answer) => {
  const { origin, port } = await served();
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  const first = new Promise<string>((resolve) =>
    socket.once("data", (data) => resolve(data.toString())),
  );
  socket.write(bytes);
  expect(await first).toMatch(answer);
  expect((await fetch(`${origin}/health`)).status).toBe(200);
});

test("clients that send nothing hold up neither others nor the chain", async () => {
  const chain = await runChain({ speed: 0 });
  const { origin, port } = await served({ chain });
  const stalled = Array.from({ length: 50 }, () => connect(port, "127.0.0.1"));
  onTestFinished(() => {
    for (const socket of stalled) socket.destroy();
  });
  for (const socket of stalled) socket.write("GET /health HTTP/1.1\r\nHost: ");
  const { height } = chain.session.sim;
  expect((await fetch(`${origin}/health`)).status).toBe(200);
  await reached(chain, height + 10);
});

test("what was done is read as a scenario, by anyone who may ask", async () => {
  const chain = await runChain({ speed: 0 });
  await reached(chain, 3);
  chain.session.player.pause();
  const { origin } = await served({ chain, token: "a secret" });
  const found = await (await fetch(`${origin}/lab/v1/scenario`)).json();
  expect(found).toMatchObject({ file: "recorded.yaml", steps: 2, left_out: [] });
  expect(found.text).toMatch(/^scenario: 1\nname: recorded\n/);
  expect(found.text).toContain(`  - run: { to: ${chain.session.sim.height} }\n`);
});

test("heights and worlds are compared by anyone who may ask, and a scenario is run for one who steers alone", async () => {
  const chain = await runChain({ speed: 0 });
  await reached(chain, 6);
  chain.session.player.pause();
  const { origin } = await served({ chain, token: "a secret" });
  const ask = async (path: string, request: Record<string, string>) => {
    const answer = await fetch(`${origin}/lab/v1/${path}?${new URLSearchParams(request)}`);
    return { status: answer.status, json: await answer.json() };
  };
  const compared = await ask("compare", { "a.height": "2", "b.height": "5" });
  expect(compared).toMatchObject({ status: 200, json: { a: { height: 2 }, b: { height: 5 } } });
  expect(compared.json.blocks.fields.length).toBeGreaterThan(3);
  expect(await ask("difference", {})).toMatchObject({
    status: 200,
    json: { height: 0, over: true },
  });
  expect(await ask("compare", { "b.world": "none" })).toMatchObject({
    status: 404,
    json: { message: expect.stringContaining("b: there is no world none") },
  });
  expect(await ask("compare", { "b.scenario.text": "scenario: 1" })).toMatchObject({
    status: 400,
    json: { message: expect.stringContaining("by one who steers") },
  });
  expect((await ask("compare", { "b.height": "five" })).status).toBe(400);
  expect(await ask("compare", { limit: "1001" })).toMatchObject({
    status: 400,
    json: { message: "limit: expected at most 1000, found 1001" },
  });
});

test("a comparison ends when the one who asked for it has gone, and the next one has its turn", async () => {
  const chain = await runChain({ speed: 0 });
  await reached(chain, 6);
  chain.session.player.pause();
  const { origin } = await served({ chain });
  const text = `scenario: 1\nname: long\nsteps: [${Array(1000).fill("{ run: 100000 }").join()}]\n`;
  const left = new AbortController();
  const long = fetch(`${origin}/lab.v1.Lab/CompareWorlds`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ b: { scenario: { text, file: "long.yaml" } } }),
    signal: left.signal,
  });
  // It has arrived when a later one is answered.
  await fetch(`${origin}/lab/v1/validators`);
  left.abort();
  await expect(long).rejects.toThrow("aborted");
  const next = await fetch(`${origin}/lab/v1/compare?a.height=2&b.height=5`);
  expect(await next.json()).toMatchObject({ a: { height: 2 }, b: { height: 5 } });
});

test("wallets are told the chain, its prices and its addresses by the name that they have asked", async () => {
  const chain = await runChain({ speed: "paused", minGasPrices: "0.5stake" });
  const rpc = await openRpc({ chain, namespace: "both", cors: "*" }, ANY_PORT);
  onTestFinished(() => rpc.close());
  const { port } = await served({ chain });
  const answer = await fetch(`http://localhost:${port}/keplr.json`);
  expect(await answer.json()).toMatchObject({
    chainId: "lab-1",
    rest: `http://localhost:${port}`,
    rpc: `http://localhost:${rpc.port}`,
    bech32Config: { bech32PrefixAccAddr: "chain", bech32PrefixConsPub: "chainvalconspub" },
    feeCurrencies: [{ coinMinimalDenom: "stake", gasPriceStep: { low: 0.5 } }],
  });
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  const path = "/cosmos/base/tendermint/v1beta1/node_info";
  const info = await (await fetch(`http://localhost:${port}${path}`)).json();
  const { node_info } = (await (await fetch(`http://${rpc.address}/status`)).json()).result;
  expect(info.default_node_info.other).toEqual(node_info.other);
  expect(info.default_node_info.other.rpc_address).toBe(`tcp://${rpc.address}`);
  const config = await fetch(`http://localhost:${port}/cosmos/base/node/v1beta1/config`);
  expect(await config.json()).toMatchObject({ minimum_gas_price: "0.5stake", halt_height: "0" });
});
