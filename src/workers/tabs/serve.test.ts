import { expect, test } from "vitest";
import type { ToPage } from "../../client/wire.ts";
import { serve } from "../../session/serve.ts";
import { FakeBrowser } from "./tab.testing.ts";
import type { Tab } from "./tab.ts";

const get = (path: string, headers = {}) => ({
  method: "GET",
  path,
  headers,
  body: new Uint8Array(),
});

const newTab = async (): Promise<Tab> => (await new FakeBrowser().open()).tab;

async function call(tab: Tab, method: string, request: unknown = {}): Promise<ToPage> {
  const posted: ToPage[] = [];
  await serve(tab, { call: 1, method, request }, (message) => posted.push(message));
  expect(posted).toHaveLength(1);
  return posted[0] as ToPage;
}

test("a call is answered with its number and plain data that can be cloned", async () => {
  const tab = await newTab();
  const answer = await call(tab, "lab.getFrame");
  expect(answer).toMatchObject({ call: 1, response: { chain: { chainId: "lab-1" } } });
  expect(structuredClone(answer)).toEqual(answer);
});

test.each([
  ["lab.getBlock", { height: 3 }, 5, "there is no block 3"],
  ["lab.getNodeLog", { node: "x" }, 5, "there is no node x"],
  ["lab.getNodeFiles", { node: "x" }, 5, "there is no node x"],
  ["lab.control", {}, 3, "nothing to do was asked for"],
  ["lab.control", { action: { case: "speed", value: "fast" } }, 3, /expected a speed/],
  ["lab.nothing", {}, 12, "there is no method lab.nothing"],
  ["lab.constructor", {}, 12, "there is no method lab.constructor"],
  ["query", { name: "chain.x.Query/Y", request: {}, height: 0 }, 12, /there is no query/],
  [
    "query",
    { name: "chain.gov.v1.Query/Proposal", request: { proposal_id: "x" }, height: 0 },
    3,
    /proposal_id/,
  ],
  ["query", { name: "chain.gov.v1.Query/Proposal", request: {}, height: -4 }, 3, /height/],
  ["query", undefined, 12, /there is no query/],
])("%s with %j is refused with code %d", async (method, request, code, message) => {
  const answer = await call(await newTab(), method, request);
  expect(answer).toMatchObject({ call: 1, error: { code, path: "" } });
  expect("error" in answer && answer.error.message).toMatch(message);
});

test("the files of a node and an upgrade that was never applied", async () => {
  const tab = await newTab();
  expect(await call(tab, "lab.getNodeFiles", { node: "val-0" })).toMatchObject({
    response: {
      files: [
        {
          path: "data/priv_validator_state.json",
          content: expect.stringMatching(/"height": "\d+"/),
        },
      ],
    },
  });
  expect(await call(tab, "lab.getAppliedUpgrade", { name: "v9" })).toEqual({
    call: 1,
    response: { height: 0 },
  });
});

test("queries and REST answer in their JSON", async () => {
  const tab = await newTab();
  const query = { name: "chain.upgrade.v1beta1.Query/CurrentPlan", request: {}, height: 0 };
  expect(await call(tab, "query", query)).toEqual({ call: 1, response: { plan: null } });
  expect(await call(tab, "http", get("/chain/upgrade/v1beta1/current_plan"))).toMatchObject({
    response: { status: 200, body: '{"plan":null}', headers: { "x-cosmos-block-height": "0" } },
  });
});

test("a REST request is answered at the height that its header names, and refused as a node refuses it", async () => {
  const tab = await newTab();
  const path = "/chain/bank/v1beta1/supply";
  const headers = { "x-cosmos-block-height": "5" };
  const refused = await call(tab, "http", get(path, headers));
  expect(refused).toMatchObject({
    response: {
      status: 400,
      body: expect.stringMatching(/^\{"code":3, "message":"cannot query with height in the future/),
    },
  });
});

test("an answer that cannot be posted becomes an error, so that no request stays pending", async () => {
  const posted: ToPage[] = [];
  await serve(await newTab(), { call: 1, method: "lab.getFrame", request: {} }, (message) => {
    if ("response" in message) throw new Error("cannot be cloned");
    posted.push(message);
  });
  expect(posted).toMatchObject([{ call: 1, error: { message: "cannot be cloned" } }]);
});
