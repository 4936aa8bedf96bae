/**
 * Pages of other origins in a real browser: those that a node names query it and send it signed transactions, and never
 * steer its chain; others get no answer.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startNode } from "../tools/started-node.ts";
import { expect, test } from "./helpers.ts";

const JSON_TYPE = { "content-type": "application/json" };
const STEP = JSON.stringify({ step: '{"run": 5}' });

test("a page of an origin that a node names queries it and sends transactions, and steers it by no request; others get nothing", async ({
  page,
}) => {
  // The page of Chainlab itself may ask its own host alone.
  const foreign = createServer((_, response) => response.end("a page")).listen(0, "127.0.0.1");
  await new Promise((resolve) => foreign.once("listening", resolve));
  const origin = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
  // Without a token, so that the node's own page would steer.
  const flags = ["--ephemeral", "--speed", "paused", "--quiet"];
  const [node, closed] = [await startNode(...flags, "--cors", origin), await startNode(...flags)];
  try {
    await page.goto(origin);
    const ask = (url: string, init: RequestInit = {}): Promise<string> =>
      page.evaluate(
        async ({ url, init }) => {
          try {
            const answer = await fetch(url, init);
            return `${answer.status} ${answer.headers.get("x-cosmos-block-height")} ${await answer.text()}`;
          } catch {
            return "blocked";
          }
        },
        { url, init },
      );
    const connected = (url: string): Promise<boolean> =>
      page.evaluate(
        (at) =>
          new Promise((resolve) => {
            const socket = new WebSocket(at);
            socket.onopen = () => resolve(true);
            socket.onerror = () => resolve(false);
          }),
        url,
      );
    const post = (body: string, headers: Record<string, string> = JSON_TYPE): RequestInit => ({
      method: "POST",
      headers,
      body,
    });
    const { rest, rpc } = node;
    const sockets = (address: string): string => address.replace("http", "ws");

    const other = [
      await ask(`${closed.rest}/cosmos/bank/v1beta1/supply`),
      await ask(`${closed.rest}/health`),
      await ask(`${closed.rest}/cosmos.bank.v1beta1.Query/TotalSupply`, post("{}")),
      await ask(`${closed.rpc}/status`),
      await ask(closed.rpc, post('{"id":1,"method":"status"}', { "content-type": "text/plain" })),
    ];
    expect(new Set(other)).toEqual(new Set(["blocked"]));
    expect(await connected(`${sockets(closed.rpc)}/websocket`)).toBe(false);

    const supply = await ask(`${rest}/cosmos/bank/v1beta1/supply`);
    expect(supply).toMatch(/^200 \d+ \{"supply":/);
    expect(await ask(`${rest}/cosmos.bank.v1beta1.Query/TotalSupply`, post("{}"))).toMatch(/^200 /);
    const tx = JSON.stringify({ tx_bytes: "AAAA", mode: "BROADCAST_MODE_SYNC" });
    expect(await ask(`${rest}/cosmos/tx/v1beta1/txs`, post(tx))).toContain('"codespace":"sdk"');
    expect(await ask(`${rpc}/status`)).toMatch(/^200 /);
    expect(await connected(`${sockets(rpc)}/websocket`)).toBe(true);

    const steer = `${rest}/lab.v1.Lab/RunStep`;
    expect(await ask(steer, post(STEP))).toBe("blocked");
    expect(await ask(steer, post(STEP, { ...JSON_TYPE, authorization: "Bearer x" }))).toBe(
      "blocked",
    );
    // The node refuses requests that a browser sends without a preflight.
    expect(await ask(steer, post(STEP, { "content-type": "text/plain" }))).toBe("blocked");
    expect(await ask(`${steer}?encoding=json&message=${encodeURIComponent(STEP)}`)).toBe("blocked");
    await ask(steer, { ...post(STEP, { "content-type": "text/plain" }), mode: "no-cors" });
    const attached = await (await fetch(`${rest}/`)).text();
    const path = /data-node="([^"]+)"/.exec(attached)?.[1] ?? "";
    expect(path).not.toBe("");
    expect(await connected(sockets(new URL(path, rest).href))).toBe(false);
    expect(await ask(`${rest}/cosmos/bank/v1beta1/supply`)).toBe(supply);
  } finally {
    foreign.close();
    await node.end();
    await closed.end();
  }
});
