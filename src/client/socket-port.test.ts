import { expect, test } from "vitest";
import { ClientError } from "./client.ts";
import { connectPort } from "./connect.ts";
import { socketPort } from "./socket-port.ts";
import { fromText, toText } from "./wire-text.ts";

/** A WebSocket whose other end is the test. */
class FakeSocket {
  onopen: () => void = () => {};
  onmessage: (event: { data: string }) => void = () => {};
  onclose: () => void = () => {};
  readonly sent: Record<string, unknown>[] = [];

  send(text: string): void {
    this.sent.push(fromText(text) as Record<string, unknown>);
  }
  opens(): void {
    this.onopen();
    this.says({ ready: true });
  }
  says(message: object): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

function connected() {
  const sockets: FakeSocket[] = [];
  const awaited: ((socket: FakeSocket) => void)[] = [];
  const kept = { token: "" };
  const token = {
    get: () => kept.token,
    set(given: string) {
      kept.token = given;
    },
  };
  const open = (): WebSocket => {
    const socket = new FakeSocket();
    sockets.push(socket);
    awaited.shift()?.(socket);
    return socket as unknown as WebSocket;
  };
  const client = connectPort(socketPort("ws://node", token, open));
  const next = (): Promise<FakeSocket> => new Promise((resolve) => awaited.push(resolve));
  const [first] = sockets;
  if (first === undefined) throw new Error("no socket was opened");
  return { client, first, next, kept };
}

test("bytes go as text and come back as bytes", () => {
  const message = { call: 1, response: { content: Uint8Array.of(0, 255, 128), name: "a" } };
  expect(fromText(toText(message))).toEqual(message);
});

test("calls wait for the node to be ready, and are answered by number", async () => {
  const { client, first } = connected();
  const answer = client.query("chain.bank.v1beta1.Query/TotalSupply");
  expect(first.sent).toEqual([]);
  first.opens();
  expect(first.sent).toMatchObject([{ call: 1, method: "query" }]);
  first.says({ call: 1, response: { supply: [] } });
  expect(await answer).toEqual({ supply: [] });
});

test("what was not answered when the connection is lost is refused, and the next call is answered again", async () => {
  const { client, first, next } = connected();
  first.opens();
  const lost = client.lab.control({ action: { case: "pause", value: true } });
  const second = next();
  first.onclose();
  await expect(lost).rejects.toThrow(ClientError);
  await expect(lost).rejects.toThrow(/look whether it was done/);
  await expect(client.query("x")).rejects.toThrow("The node cannot be reached");
  const socket = await second;
  socket.opens();
  const answer = client.query("x");
  socket.says({ call: socket.sent.at(-1)?.call, response: { plan: null } });
  expect(await answer).toEqual({ plan: null });
});

test("a token that was taken is shown again by itself, and forgotten once it is refused", async () => {
  const { client, first, next, kept } = connected();
  first.opens();
  const steers = client.requestControl("otter");
  first.says({ call: first.sent[0]?.call, response: {} });
  await steers;
  const second = next();
  first.onclose();
  const socket = await second;
  socket.opens();
  expect(socket.sent).toEqual([{ call: 0, method: "steer", request: { token: "otter" } }]);
  expect(kept.token).toBe("otter");
  socket.says({ call: 0, error: { code: 16, message: "another", path: "" } });
  expect(kept.token).toBe("");
});
