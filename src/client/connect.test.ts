import { MessageChannel, type MessagePort as NodePort } from "node:worker_threads";
import { afterEach, describe, expect, test } from "vitest";
import { ClientError } from "./client.ts";
import { connectPort, type Port } from "./connect.ts";
import type { ToPage, ToWorker } from "./wire.ts";

const open: NodePort[] = [];
afterEach(() => {
  for (const port of open.splice(0)) port.close();
});

/** A client, and a worker with scripted answers. */
function connected(answer: (message: ToWorker, post: (message: ToPage) => void) => void) {
  const { port1, port2 } = new MessageChannel();
  open.push(port1, port2);
  port2.on("message", (message: ToWorker) => answer(message, (reply) => port2.postMessage(reply)));
  port2.postMessage({ ready: true } satisfies ToPage);
  return { client: connectPort(port1 as unknown as Port), worker: port2 };
}

/** A port without another side, whose events are triggered manually. */
function fakePort() {
  const listeners = new Map<string, (event: Event) => void>();
  const sent: unknown[] = [];
  const port: Port = {
    postMessage: (message) => void sent.push(message),
    addEventListener: (type, listener) => void listeners.set(type, listener),
  };
  return {
    port,
    sent,
    emit: (type: string, event: object) => listeners.get(type)?.(event as Event),
  };
}

describe("a call", () => {
  test("brings the answer to its own number, in whatever order answers come", async () => {
    const held: (() => void)[] = [];
    const { client } = connected((message, post) => {
      if (!("call" in message)) return;
      held.unshift(() => post({ call: message.call, response: message.request }));
      if (held.length === 2) for (const release of held) release();
    });
    const answers = Promise.all([
      client.lab.getBlock({ height: 1 }),
      client.lab.getBlock({ height: 2 }),
    ]);
    expect(await answers).toEqual([{ height: 1 }, { height: 2 }]);
  });

  test("asks about the client's height, at each moment", async () => {
    const { client } = connected((message, post) => {
      if ("call" in message) post({ call: message.call, response: { height: message.height } });
    });
    const ask = () => client.lab.getNodes({}) as Promise<unknown>;
    expect(await ask()).toEqual({ height: 0 });
    client.height = 21;
    expect(await ask()).toEqual({ height: 21 });
    client.height = 0;
    expect(await ask()).toEqual({ height: 0 });
  });

  test("that is refused rejects with the engine's words, code and place", async () => {
    const { client } = connected((message, post) => {
      if ("call" in message) {
        post({
          call: message.call,
          error: { code: 3, message: "no such node", path: "nodes.which" },
        });
      }
    });
    const refusal = client.lab.runStep({ step: "{}" });
    await expect(refusal).rejects.toBeInstanceOf(ClientError);
    await expect(refusal).rejects.toMatchObject({
      code: 3,
      message: "no such node",
      path: "nodes.which",
    });
  });

  test("names its method, and queries carry name, request and height", async () => {
    const { client } = connected((message, post) => {
      if ("call" in message) post({ call: message.call, response: message });
    });
    expect(await client.lab.control({ action: { case: "play", value: true } })).toMatchObject({
      method: "lab.control",
      request: { action: { case: "play", value: true } },
    });
    expect(await client.query("chain.x/Y", { a: "1" }, 7)).toMatchObject({
      method: "query",
      request: { name: "chain.x/Y", request: { a: "1" }, height: 7 },
    });
    const headers = { "x-cosmos-block-height": "7" };
    const requested = { method: "POST", path: "/chain/x", headers, body: Uint8Array.of(1) };
    expect(await client.http(requested)).toMatchObject({ method: "http", request: requested });
  });

  test("that cannot be sent is refused and the next one works", async () => {
    const { client } = connected((message, post) => {
      if ("call" in message) post({ call: message.call, response: {} });
    });
    await expect(client.query("x", { f: () => 1 })).rejects.toBeInstanceOf(ClientError);
    await expect(client.query("x", {})).resolves.toEqual({});
  });
});

test("nothing is sent before the worker is ready, and then all of it in order", () => {
  const { port, sent, emit } = fakePort();
  const client = connectPort(port);
  void client.lab.getBlock({ height: 1 });
  void client.lab.getBlock({ height: 2 });
  client.leave();
  expect(sent).toEqual([]);
  emit("message", { data: { ready: true } });
  void client.lab.getBlock({ height: 3 });
  expect(sent).toMatchObject([{ call: 1 }, { call: 2 }, { word: "leave" }, { call: 3 }]);
});

describe("when the engine dies", () => {
  test.each([
    ["error", { message: "out of memory" }, "out of memory"],
    ["error", { message: "" }, "the engine could not be started"],
    ["messageerror", {}, "the engine sent what cannot be read"],
    ["message", { data: { fatal: "it is over" } }, "it is over"],
    ["close", {}, "the engine is gone"],
  ])("by %s, all that waits and all that follows is refused", async (type, event, message) => {
    const { port, emit } = fakePort();
    const client = connectPort(port);
    const waiting = [client.lab.getFrame({}), client.query("x")];
    emit(type, event);
    for (const call of [...waiting, client.lab.getFrame({})]) {
      await expect(call).rejects.toMatchObject({ message, code: 14 });
    }
  });

  test("with its port, calls do not hang", async () => {
    const { client, worker } = connected(() => {});
    const call = client.lab.getFrame({});
    worker.close();
    await expect(call).rejects.toThrow("the engine is gone");
  });
});
