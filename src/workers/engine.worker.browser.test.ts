import { clear, createStore, get, set } from "idb-keyval";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Client } from "../client/client.ts";
import { connectPort } from "../client/connect.ts";
import type { Frame } from "../gen/lab/v1/lab_plain.ts";
import {
  accountOf,
  OVER_HTTP,
  REFUSED,
  requestOf,
  type Send,
  tableFor,
} from "../server/agreed.testing.ts";

const saved = () => createStore("chainlab", "session");
const workers: Worker[] = [];

function start(): Client {
  const worker = new Worker(new URL("./engine.worker.ts", import.meta.url), { type: "module" });
  workers.push(worker);
  return connectPort(worker);
}

/** As when the tab is closed: no more messages are sent. */
const closeTabs = (): void => {
  for (const worker of workers.splice(0)) worker.terminate();
};

beforeEach(() => clear(saved()));
afterEach(closeTabs);

/** Requests frames, as the page does, until one satisfies a condition. */
async function until(client: Client, wanted: (frame: Frame) => boolean): Promise<Frame> {
  return vi.waitUntil(
    async () => {
      const frame = await client.lab.getFrame({});
      return wanted(frame) ? frame : undefined;
    },
    { timeout: 30_000, interval: 20 },
  ) as Promise<Frame>;
}

test("a chain is there and makes blocks, and a reload brings it back where it was", async () => {
  const first = start();
  await first.lab.control({ action: { case: "speed", value: 100 } });
  await until(first, ({ chain }) => (chain?.height ?? 0) >= 30);
  const step = await first.lab.runStep({ step: '{"double_sign":{"node":"val-2"}}' });
  expect(step).toMatchObject({ ok: true });
  await until(first, ({ evidence }) => evidence.length === 1);
  await first.lab.control({ action: { case: "pause", value: true } });
  const before = await first.lab.getFrame({});
  closeTabs();

  const second = start();
  const after = await until(
    second,
    ({ chain, player }) =>
      chain?.height === before.chain?.height && player?.kept?.state === "saved",
  );
  expect(after.chain?.appHash).toBe(before.chain?.appHash);
  expect(after.player).toMatchObject({ playing: false, speed: 100, note: "" });
  expect(after.nodes).toEqual(before.nodes);
  expect(after.evidence).toEqual(before.evidence);
});

test("calls are answered while the chain runs as fast as it can", async () => {
  const client = start();
  await client.lab.getFrame({});
  await client.lab.control({ action: { case: "speed", value: 0 } });
  await until(client, ({ chain }) => (chain?.height ?? 0) >= 100);
  const heights: number[] = [];
  for (let i = 0; i < 50; i++) {
    const { chain } = await client.lab.getFrame({});
    heights.push(chain?.height ?? 0);
  }
  expect(heights).toEqual(heights.toSorted((a, b) => a - b));
  expect(heights.at(-1)).toBeGreaterThan(100);
});

test("a second tab watches the world of the first", async () => {
  const first = start();
  const { world } = await until(first, ({ player }) => player?.kept?.state === "saved");
  const second = start();
  const frame = await until(second, ({ chain }) => (chain?.height ?? 0) >= 2);
  expect(frame).toMatchObject({ world, player: { kept: { role: "watching" } } });
});

test("what an earlier version saved and cannot be read stays, and a new world says so", async () => {
  const old = { format: 1, entries: 3 };
  await set("head", old, saved());
  const client = start();
  const { player } = await until(client, ({ chain }) => (chain?.height ?? 0) >= 1);
  expect(player?.notices).toMatchObject([{ kind: "moved" }]);
  expect(await get("head", saved())).toEqual(old);
});

test("the page's client gives the answers that every door gives, and refuses in the same words", async () => {
  const client = start();
  await client.lab.control({ action: { case: "speed", value: 100 } });
  await until(client, ({ chain }) => (chain?.height ?? 0) >= 5);
  await client.lab.control({ action: { case: "pause", value: true } });
  const step =
    '[{"upgrade":{"name":"v2","at":900,"until":"proposed"}},{"double_sign":{"node":"val-2"}},{"run":4}]';
  expect(await client.lab.runStep({ step })).toMatchObject({ ok: true });
  const send: Send = async (path, request) => {
    const { status, headers, body } = await client.http({ ...request, path });
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    return { status, body: bytes, grpcMessage: headers["grpc-message"] ?? "" };
  };
  const { validators } = await client.query<{ validators: { operator_address: string }[] }>(
    "chain.staking.v1beta1.Query/Validators",
  );
  const refused = await client.query(REFUSED.name, REFUSED.request).then(
    () => "it was answered",
    ({ message }: Error) => message,
  );
  expect(refused).toContain("not found");
  for (const requested of tableFor(accountOf(validators[0]?.operator_address ?? ""))) {
    const answer = await client.query(requested.name, requestOf(requested));
    for (const [server, ask] of OVER_HTTP) {
      expect([server, requested.name, await ask(send, requested)]).toEqual([
        server,
        requested.name,
        answer,
      ]);
    }
  }
  for (const [, ask] of OVER_HTTP) {
    await expect(ask(send, REFUSED)).rejects.toThrow(refused);
  }
});

test("queries, REST and scenarios load what they need when they are asked for", async () => {
  const client = start();
  await until(client, ({ chain }) => (chain?.height ?? 0) >= 1);
  expect(await client.query("chain.upgrade.v1beta1.Query/CurrentPlan")).toEqual({ plan: null });
  const { status, body } = await client.http({
    method: "GET",
    path: "/chain/evidence/v1beta1/evidence",
    headers: {},
    body: new Uint8Array(),
  });
  expect(status).toBe(200);
  expect(JSON.parse(String(body))).toMatchObject({ evidence: [] });
  const wrong = client.query("chain.upgrade.v1beta1.Query/AppliedPlan", { nam: "x" });
  await expect(wrong).rejects.toMatchObject({ code: 3 });
  await expect(client.lab.getBlock({ height: 9999 })).rejects.toMatchObject({ code: 5 });
  const { problems } = await client.lab.loadScenario({ text: "scenario: 2", file: "x.yaml" });
  expect(problems.length).toBeGreaterThan(0);
});
