import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { SERVER } from "../../base/limits.ts";
import { Lab } from "../../gen/lab/v1/lab_pb.ts";
import type { Frame } from "../../gen/lab/v1/lab_plain.ts";
import { ATTACH_PATH } from "./attached.ts";
import { inTime, runChain } from "./chain.testing.ts";
import { openRest } from "./doors.ts";
import { readBind } from "./listen.ts";

interface Answered {
  readonly call: number;
  readonly response?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

async function serve(token?: string) {
  const chain = await runChain();
  const served = { chain, namespace: "both", cors: "*" } as const;
  const server = await openRest(
    { ...served, ...(token && { token, wrongTokenMs: 0 }) },
    readBind("127.0.0.1:0"),
  );
  onTestFinished(() => server.close());
  return { chain, address: `ws://${server.address}${ATTACH_PATH}` };
}

/** Attaches as a page does. Rejects with the status of a refusal. */
async function attach(address: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(address, { headers });
  onTestFinished(() => socket.terminate());
  const waiting = new Map<number, (answer: Answered) => void>();
  const closed = new Promise<string>((resolve) =>
    socket.on("close", (_, reason) => resolve(reason.toString())),
  );
  const ready = new Promise<void>((resolve, reject) => {
    socket.on("error", reject);
    socket.on("message", (data: Buffer) => {
      const message = JSON.parse(data.toString());
      if ("ready" in message) resolve();
      else waiting.get(message.call)?.(message);
    });
  });
  await inTime(ready, "the word that the page is attached");
  let calls = 0;
  const call = (method: string, request: object = {}): Promise<Answered> => {
    calls += 1;
    const number = calls;
    socket.send(JSON.stringify({ call: number, method, request }));
    const answer = new Promise<Answered>((resolve) => waiting.set(number, resolve));
    return inTime(answer, `the answer to call ${number}, ${method}`);
  };
  const frame = async (): Promise<Frame> => (await call("lab.getFrame")).response as Frame;
  const leave = (): void => socket.terminate();
  const send = (text: string): void => socket.send(text);
  const end = (): Promise<string> => inTime(closed, "the end of the connection");
  return { call, frame, end, leave, send };
}

const STOP = { step: '{"nodes":{"which":["val-1"],"stop":true}}' };

test("without a token a program of this machine steers, and what it did is on disk when it is answered", async () => {
  const { chain, address } = await serve();
  const page = await attach(address);
  expect((await page.frame()).player?.attached).toEqual({
    steers: true,
    steering: 1,
    watching: 0,
    token: false,
  });
  expect(await page.call("lab.runStep", STOP)).toMatchObject({ response: { ok: true } });
  expect(chain.session.sim.node("val-1")?.process).toBe("stopped");
  expect((await page.frame()).player?.kept).toMatchObject({ state: "saved", pending: 0 });
});

test("who does not know the token watches: asks, and changes nothing", async () => {
  const { chain, address } = await serve("otter");
  const page = await attach(address);
  const { player } = await page.frame();
  expect(player?.kept?.role).toBe("watching");
  expect(player?.attached).toEqual({ steers: false, steering: 0, watching: 1, token: true });
  for (const [method, request] of [
    ["lab.runStep", STOP],
    ["lab.control", { action: { case: "startOver", value: true } }],
    ["lab.deleteWorld", { world: "x" }],
  ] as const) {
    expect(await page.call(method, request)).toMatchObject({
      error: { code: 9, message: "You watch this chain. Enter its token to steer it." },
    });
  }
  expect(chain.session.sim.node("val-1")?.process).toBe("running");
  expect(await page.call("steer", { token: "others" })).toMatchObject({ error: { code: 16 } });
  expect(await page.call("steer", { token: "otter" })).toMatchObject({ response: {} });
  expect(await page.call("lab.runStep", STOP)).toMatchObject({ response: { ok: true } });
  expect((await page.frame()).player?.attached).toMatchObject({ steers: true, steering: 1 });
  // Others would wait with it, as long as the page is connected.
  expect(
    await page.call("lab.control", { action: { case: "formOpen", value: true } }),
  ).toMatchObject({ error: { code: 9, message: expect.stringContaining("it waits for no form") } });
});

test("who opens another world opens it for all, and all are told", async () => {
  const { chain, address } = await serve();
  const [first, second] = [await attach(address), await attach(address)];
  const told = new Promise<void>((resolve) => chain.onWorld(resolve));
  const text =
    "scenario: 1\nname: other\ntitle: Other\ngenesis: { validators: 4, chain_id: other-1 }\nsteps: []\n";
  expect(await first.call("lab.loadScenario", { text, file: "other.yaml" })).toMatchObject({
    response: { ok: true },
  });
  await inTime(told, "the other world");
  const { player, chain: shown } = await second.frame();
  expect(shown?.chainId).toBe("other-1");
  const [notice] = player?.notices ?? [];
  expect(notice?.text).toMatch(/^This node plays another world now, for all who are connected: /);
  const answer = { notice: notice?.id ?? "", action: "continue" };
  expect(await second.call("lab.answerNotice", answer)).toMatchObject({ response: {} });
  expect((await first.frame()).player?.notices).toEqual([]);
});

test("a token in the headers steers at once", async () => {
  const { address } = await serve("otter");
  const page = await attach(address, { Authorization: "Bearer otter" });
  expect((await page.frame()).player?.attached?.steers).toBe(true);
});

test.each([
  ["a page of another origin", { Origin: "https://attacker.example" }],
  ["a page of this machine at another port", { Origin: "http://127.0.0.1:1" }],
  ["a page that has no origin to name", { Origin: "null" }],
  ["a name that is not this machine's", { Host: "attacker.example" }],
])("%s is not attached", async (_, headers) => {
  const { address } = await serve();
  await expect(attach(address, headers)).rejects.toThrow("403");
});

test.each([
  ["lab.getBlock", { height: "x" }, /height/],
  ["lab.nothing", {}, /there is no method lab.nothing/],
  ["lab.constructor", {}, /there is no method/],
  ["query", { name: 7, request: 5, height: {} }, /there is no query/],
])("%s with %j is refused with its reason", async (method, request, message) => {
  const page = await attach((await serve()).address);
  const { error } = await page.call(method, request);
  expect(error?.message).toMatch(message);
  expect(error?.message).not.toMatch(/bug/);
});

const ANYTHING = [
  7,
  -1,
  1e99,
  "\u{10000}x",
  "[".repeat(50_000),
  [],
  [1, null],
  {},
  true,
  { "@bytes": "AAAA" },
];

/** Spies on the log, which receives bugs. */
function bugs() {
  const told: string[] = [];
  const { write } = process.stderr;
  process.stderr.write = (text) => {
    told.push(String(text));
    return true;
  };
  onTestFinished(() => {
    process.stderr.write = write;
  });
  return told;
}

test("whatever a call holds is answered in words, and is no bug", async () => {
  const { chain, address } = await serve();
  const page = await attach(address);
  const told = bugs();
  const calls = Lab.methods.flatMap(({ localName, input }) =>
    input.members.flatMap((member) =>
      [...ANYTHING, { case: "x" }, { case: "beat", value: 7 }, { case: "speed", value: {} }].map(
        (value) => [`lab.${localName}`, { [member.localName]: value }] as const,
      ),
    ),
  );
  for (const [method, request] of calls) {
    // Queries get an answer; a running chain would only take time.
    if (method === "lab.control") chain.session.player.pause();
    const text = JSON.stringify(await page.call(method, request));
    expect(text, `${method} ${JSON.stringify(request).slice(0, 100)}`).not.toMatch(/bug/);
  }
  expect(told).toEqual([]);
});

test.each([
  ["lab.runStep", { step: {} }, /^lab.runStep: step: expected string, got object/],
  ["lab.control", { action: { case: "x" } }, /^lab.control: action: expected one of play, pause, /],
  ["lab.getBlock", { height: 1.5 }, /^lab.getBlock: height: expected number/],
  [
    "lab.checkExpressions",
    { expressions: 7 },
    /^lab.checkExpressions: expressions: expected a list/,
  ],
  ["lab.checkExpressions", { expressions: [7] }, /^lab.checkExpressions: expressions: /],
  ["lab.editBeginning", { values: 7 }, /^lab.editBeginning: values: expected a list/],
  ["lab.editBeginning", { values: [7] }, /^lab.editBeginning: values\[0\]: expected an object/],
  ["lab.editBeginning", { values: [{ name: 7 }] }, /^lab.editBeginning: /],
])("%s with %j is an invalid argument", async (method, request, message) => {
  const page = await attach((await serve()).address);
  expect(await page.call(method, request)).toMatchObject({
    error: { code: 3, message: expect.stringMatching(message) },
  });
});

test("a page asks over HTTP as every client does, and sends transactions so", async () => {
  const { chain, address } = await serve();
  const page = await attach(address);
  const ask = (method: string, path: string, body = "") =>
    page.call("http", { method, path, headers: {}, body: { "@bytes": btoa(body) } });
  expect(await ask("GET", "/cosmos/bank/v1beta1/supply")).toMatchObject({
    response: {
      status: 200,
      headers: { "x-cosmos-block-height": String(chain.session.sim.height) },
    },
  });
  // It is received and found invalid: no service refuses to broadcast.
  const tx = JSON.stringify({ tx_bytes: btoa("no transaction"), mode: "BROADCAST_MODE_SYNC" });
  expect(await ask("POST", "/chain/tx/v1beta1/txs", tx)).toMatchObject({
    response: { status: 200, body: expect.stringContaining('"codespace":"sdk"') },
  });
  for (const [method, request, error] of [
    ["http", { path: {} }, { code: 3, message: "expected a request over HTTP" }],
    ["rest", { path: {} }, { code: 12, message: "there is no method lab.rest" }],
  ] as const) {
    expect(await page.call(method, request)).toMatchObject({ error });
  }
});

test.each(["no JSON", '{"call":"x"}', "[]", '{"@bytes":"%"}'])(
  "one who says %s is let go, and others stay",
  async (text) => {
    const { address } = await serve();
    const [first, second] = [await attach(address), await attach(address)];
    first.send(text);
    expect(await first.end()).toBe("expected a call");
    expect((await second.frame()).player?.attached).toMatchObject({ steering: 1 });
  },
);

test("a comparison ends when the page that asked for it has gone, and the next one has its turn", async () => {
  const { address } = await serve();
  const [page, other] = [await attach(address), await attach(address)];
  const text = `scenario: 1\nname: long\nsteps: [${Array(1000).fill("{ run: 100000 }").join()}]\n`;
  const long = { b: { scenario: { text, file: "long.yaml" } } };
  // Nobody waits for its answer.
  page.call("lab.compareWorlds", long).catch(() => {});
  // It has arrived when a later one is answered.
  await page.frame();
  page.leave();
  expect(await other.call("lab.compareWorlds")).toMatchObject({ response: { genesis: [] } });
});

test("only so many connections may be silent", async () => {
  const { address } = await serve("otter");
  const silent = await Promise.all(Array.from({ length: SERVER.newPages }, () => attach(address)));
  await expect(attach(address)).rejects.toThrow("429");
  await silent[0]?.frame();
  await (await attach(address)).frame();
});

test.each([
  ["a long first message of one who shows no token", "otter", ["x".repeat(5_000)], /at most 4096/],
  [
    "a longer one than a body later",
    "otter",
    ['{"call":1,"method":"lab.getFrame"}', "x".repeat(1_000_001)],
    /at most 1000000/,
  ],
  [
    "a message of more values than are read, from whomever",
    undefined,
    [`{"call":1,"x":["\\\\",${"{},".repeat(20_000)}0]}`],
    /at most 20000 values/,
  ],
])("%s ends the connection", async (_, token, messages, why) => {
  const { address } = await serve(token);
  const page = await attach(address);
  for (const message of messages) page.send(message);
  expect(await page.end()).toMatch(why);
});

test("a file is one value, whatever stands in it", async () => {
  const { address } = await serve();
  const page = await attach(address);
  const text = `# ${'",\\{['.repeat(30_000)}\n`;
  expect(await page.call("lab.readScenario", { text, file: "a.yaml" })).toHaveProperty("response");
});

test("one who asks more than can wait is let go", async () => {
  const { chain, address } = await serve();
  chain.session.restored = new Promise(() => {});
  const page = await attach(address);
  for (let i = 0; i < 65; i++)
    page.call("lab.control", { action: { case: "play", value: true } }).catch(() => {});
  expect(await page.end()).toBe("too many calls at once");
});
