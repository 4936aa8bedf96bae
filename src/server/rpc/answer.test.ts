import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerGet, answerPost } from "./answer.ts";
import { RPC_METHODS } from "./methods.ts";
import { rpcWorld } from "./testing.ts";

const post = async (body: unknown) => {
  const { node } = rpcWorld();
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const { status, body: answer } = await answerPost(node, text, "localhost");
  return { status, answer: answer === "" ? "" : JSON.parse(answer) };
};

const get = async (target: string) => {
  const { node } = rpcWorld();
  return answerGet(node, target, "localhost:26657");
};

const call = (method: string, params?: unknown, id: unknown = 7) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

describe("POST", () => {
  test("the id comes back as it was", async () => {
    for (const id of [7, 123456789012, "seven", -1, ""]) {
      expect((await post(call("health", {}, id))).answer).toEqual({
        jsonrpc: "2.0",
        id,
        result: {},
      });
    }
  });

  test("parameters by name, in their order, or none", async () => {
    const named = await post(call("block", { height: "3" }));
    expect(named.answer.result.block.header.height).toBe("3");
    expect(await post(call("block", ["3"]))).toEqual(named);
    const newest = await post(call("block"));
    expect(newest.answer.result.block.header.height).toBe("5");
    expect(await post(call("block", null))).toEqual(newest);
    expect(await post(call("block", {}))).toEqual(newest);
    expect(await post(call("block", { height: null }))).toEqual(newest);
  });

  test("a batch is answered in order, without what has no id; one answer stands alone", async () => {
    const { answer } = await post([
      call("health", undefined, 1),
      { method: "health" },
      call("nothing", undefined, "b"),
    ]);
    expect(answer).toEqual([
      { jsonrpc: "2.0", id: 1, result: {} },
      { jsonrpc: "2.0", id: "b", error: { code: -32601, message: "Method not found" } },
    ]);
    expect((await post([call("health")])).answer).toMatchObject({ id: 7, result: {} });
    expect(await post([{ method: "health" }])).toEqual({ status: 200, answer: "" });
  });

  test("errors have the status 200, but for what is no JSON", async () => {
    expect(await post(call("block", { height: "99" }))).toEqual({
      status: 200,
      answer: {
        jsonrpc: "2.0",
        id: 7,
        error: {
          code: -32603,
          message: "Internal error",
          data: "height 99 must be less than or equal to the current blockchain height 5",
        },
      },
    });
    const broken = await post("{");
    expect(broken.status).toBe(500);
    expect(broken.answer).toMatchObject({
      error: {
        code: -32700,
        message: "Parse error. Invalid JSON",
        data: "error unmarshaling request: not JSON at character 2: expected a key in quotes, found the end",
      },
    });
    expect(broken.answer).not.toHaveProperty("id");
  });

  test.each([
    [{ height: 1 }, 'invalid 64-bit integer encoding "1", expected string'],
    [{ height: "x" }, "invalid character 'x' looking for beginning of value"],
    [
      { height: "9223372036854775808" },
      "json: cannot unmarshal number 9223372036854775808 into Go value of type int64",
    ],
    [["1", "2"], "expected 1 parameters ([height]), got 2 ([[34 49 34] [34 50 34]])"],
    [
      "5",
      "unknown type for JSON params: json: cannot unmarshal string into Go value of type []json.RawMessage. Expected map or array",
    ],
  ])("bad parameters %j: %s", async (params, text) => {
    expect((await post(call("block", params))).answer.error).toEqual({
      code: -32602,
      message: "Invalid params",
      data: `error converting json params to arguments: ${text}`,
    });
  });

  test("a batch too large is refused whole", async () => {
    const { status, answer } = await post(Array.from({ length: 101 }, () => call("genesis")));
    expect(status).toBe(400);
    expect(answer.error.data).toBe("expected a batch of at most 100 requests, found 101");
  });

  test("whatever is sent, it is answered, and no bug shows", async () => {
    const { node } = rpcWorld(2);
    const params = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(
        fc.constantFrom("height", "hash", "page", "per_page", "path", "data", "minHeight", "chunk"),
        fc.oneof(fc.jsonValue(), fc.bigInt().map(String), fc.base64String()),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...RPC_METHODS.keys()), params, async (method, given) => {
        const { body } = await answerPost(node, JSON.stringify(call(method, given)), "localhost");
        expect(body).not.toMatch("this is a bug");
      }),
    );
  });
});

describe("GET", () => {
  test("numbers bare or quoted, hex with 0x, text in quotes; the id is -1", async () => {
    const { body, status } = await get("/block?height=3");
    const answer = JSON.parse(body);
    expect([status, answer.id, answer.result.block.header.height]).toEqual([200, -1, "3"]);
    expect((await get('/block?height="3"')).body).toBe(body);
    expect((await get("/block?height=%223%22")).body).toBe(body);
    const { hash } = answer.result.block_id;
    expect((await get(`/block_by_hash?hash=0x${hash}`)).body).toBe(body);
    expect(JSON.parse((await get(`/header_by_hash?hash=0x${hash}`)).body).result.header).toEqual(
      answer.result.block.header,
    );
  });

  test("abci_query by path in quotes", async () => {
    const { body } = await get(
      '/abci_query?path="/chain.upgrade.v1beta1.Query/CurrentPlan"&data=0x&prove=false',
    );
    expect(JSON.parse(body).result.response).toMatchObject({ code: 0, height: "5" });
  });

  test("errors have a status of their own", async () => {
    const missing = await get("/nothing");
    expect(missing).toEqual({ status: 404, type: "text/plain", body: "404 page not found\n" });
    const late = await get("/block?height=99");
    expect(late.status).toBe(500);
    expect(JSON.parse(late.body)).toMatchObject({ id: -1, error: { code: -32603 } });
    const bad = await get("/block?height=0x12");
    expect([bad.status, JSON.parse(bad.body).error]).toEqual([
      500,
      {
        code: -32602,
        message: "Invalid params",
        data: "error converting http params to arguments: got a hex string arg, but expected 'int64'",
      },
    ]);
    expect((await get("/abci_query?path=text")).status).toBe(500);
  });

  test("the root lists every method with its parameters, for the host that was asked", async () => {
    const { type, body } = await get("/");
    expect(type).toBe("text/html");
    expect(body).toContain('<a href="//localhost:26657/status">status</a>');
    expect(body).toContain("//localhost:26657/tx?hash=_&prove=_");
    const { node } = rpcWorld(1);
    expect((await answerGet(node, "/", '"><script>')).body).not.toContain("<script>");
    expect((await answerPost(node, "", "localhost")).type).toBe("text/html");
  });
});
