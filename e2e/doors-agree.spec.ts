/** The doors of a page: each answers a table of requests as REST of a node does that plays the same scenario. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import {
  type Asked,
  type AskOver,
  accountOf,
  OVER_HTTP,
  ofAnyWorld,
  REFUSED,
  type Send,
  tableFor,
} from "../src/server/agreed.testing.ts";
import { startNode } from "../tools/started-node.ts";
import { expect, LabPage, scenarioOf } from "./helpers.ts";
import { isKept, test } from "./site.ts";

const STEPS = [
  "run: 5",
  "upgrade: { name: v2, at: 90, until: proposed }",
  "double_sign: { node: val-2 }",
  "run: { to: 20 }",
];
/** Both chains are asked about the height that the steps lead to: the node's may go on. */
const HEIGHT = { "x-cosmos-block-height": "20" };

let folder: string;
let node: Awaited<ReturnType<typeof startNode>>;
test.beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "doors-"));
  const file = join(folder, "own.yaml");
  writeFileSync(file, scenarioOf(...STEPS));
  node = await startNode("--ephemeral", "--scenario", file, "--speed", "20", "--cors", "*");
});
test.afterEach(async () => {
  expect(await node.end()).toBe(0);
  rmSync(folder, { recursive: true });
});

test("the tab answers as a node does: REST, gRPC-web and Connect through the service worker", async ({
  site,
  page,
}) => {
  const address = await site.start();
  const lab = new LabPage(page);
  await page.goto(address);
  await isKept(page);
  await lab.tellScenario(...STEPS);
  await agree(fetchOf(page, address));
});

test("a page of another origin asks a node by REST, gRPC-web and Connect, and does not steer it", async ({
  page,
}) => {
  const other = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html").end("<title>Another</title>");
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  try {
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    const send = fetchOf(page, node.rest);
    // The service of the lab, which steers too, is called by the node's own page alone.
    await agree(send, ({ name }) => !name.startsWith("lab."));
    const steered = await send("/lab.v1.Lab/RunStep", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: new TextEncoder().encode("{}"),
    }).catch(String);
    expect(steered).toContain("Failed to fetch");
  } finally {
    other.close();
  }
});

/** Asks the table over each interface, and the node over REST. */
async function agree(send: Send, isAsked = (_: Asked): boolean => true): Promise<void> {
  await expect
    .poll(async () => (await sendToNode("/chain/bank/v1beta1/supply", GET)).status)
    .toBe(200);
  const [, rest] = OVER_HTTP[0] as readonly [string, AskOver];
  const expected = (requested: Asked) => rest(sendToNode, requested);
  const { validators } = Object(
    await expected({ name: "chain.staking.v1beta1.Query/Validators", line: [] }),
  );
  const table = tableFor(accountOf(validators[0].operator_address)).filter(isAsked);
  const refused = await expected(REFUSED).catch(({ message }: Error) => message);
  expect(refused).toContain("not found");
  for (const [server, ask] of OVER_HTTP) {
    for (const requested of table) {
      const [answer, wanted] = [await ask(send, requested), await expected(requested)];
      expect([server, requested.name, ofAnyWorld(answer)]).toEqual([
        server,
        requested.name,
        ofAnyWorld(wanted),
      ]);
    }
    await expect(ask(send, REFUSED)).rejects.toThrow(String(refused));
  }
}

const GET = { method: "GET", headers: {}, body: new Uint8Array() } as const;

const below = (address: string, path: string): string => address.replace(/\/$/, "") + path;

const sendToNode: Send = async (path, { method, headers }) => {
  const answer = await fetch(below(node.rest, path), {
    method,
    headers: { ...headers, ...HEIGHT },
  });
  const body = new Uint8Array(await answer.arrayBuffer());
  return { status: answer.status, body, grpcMessage: "" };
};

/** Sends by the `fetch` of a page. */
const fetchOf =
  (page: Page, address: string): Send =>
  async (path, { method, headers, body }) => {
    const { bytes, ...answer } = await page.evaluate(
      async ({ to, method, headers, body }) => {
        const content = method === "POST" ? { body: new Uint8Array(body) } : {};
        const got = await fetch(to, { method, headers, ...content });
        return {
          status: got.status,
          bytes: [...new Uint8Array(await got.arrayBuffer())],
          grpcMessage: got.headers.get("grpc-message") ?? "",
        };
      },
      { to: below(address, path), method, headers: { ...headers, ...HEIGHT }, body: [...body] },
    );
    return { ...answer, body: Uint8Array.from(bytes) };
  };
