import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { ENDPOINTS } from "../../../gen/endpoints.ts";
import {
  commandText,
  curlText,
  DEFAULT_ENDPOINTS,
  fetchText,
  grpcurlText,
  type RestCall,
  restCall,
  shellLine,
} from "./calls.ts";

const filled = (name: string, values: Record<string, string>, height = "") => {
  const endpoint = ENDPOINTS.find((one) => one.name === name);
  if (endpoint === undefined) throw new Error(`there is no ${name}`);
  return { endpoint, values, height };
};
const BALANCE = "chain.bank.v1beta1.Query/Balance";

test("what stands in the path is not in the query string, and what is empty is nowhere", () => {
  const call = restCall(filled(BALANCE, { address: "a/b c", denom: "stake" }, "5"));
  expect(call).toEqual({
    verb: "GET",
    path: "/chain/bank/v1beta1/balances/a%2Fb%20c/by_denom?denom=stake",
    headers: { "x-cosmos-block-height": "5" },
  });
});

test("a path that takes the rest of an address keeps its slashes", () => {
  const file = { node: "val-0", path: "data/upgrade-info.json" };
  expect(restCall(filled("lab.v1.Lab/GetNodeFile", file))).toMatchObject({
    path: "/lab/v1/nodes/val-0/files/data/upgrade-info.json",
  });
});

test("the path is the first for which all is given, and without one it is said what is missing", () => {
  const block = "lab.v1.Lab/GetBlock";
  expect(restCall(filled(block, { hash: "AB" }))).toMatchObject({
    path: "/lab/v1/blocks/by_hash/AB",
  });
  expect(restCall(filled(block, {}))).toEqual(["height"]);
});

describe("one request is the same in every form", () => {
  const requested = filled(
    "chain.bank.v1beta1.Query/AllBalances",
    {
      address: "chain1x",
      "pagination.limit": "2",
      "pagination.count_total": "true",
    },
    "7",
  );
  const call = restCall(requested) as RestCall;

  test("curl", () => {
    expect(curlText(call, DEFAULT_ENDPOINTS)).toBe(
      "curl -H 'x-cosmos-block-height: 7' 'http://127.0.0.1:1317/chain/bank/v1beta1/balances/chain1x?pagination.limit=2&pagination.count_total=true'",
    );
  });
  test("grpcurl", () => {
    expect(grpcurlText(requested, DEFAULT_ENDPOINTS)).toBe(
      `grpcurl -plaintext -H 'x-cosmos-block-height: 7' -d '{"address":"chain1x","pagination":{"limit":"2","count_total":true}}' 127.0.0.1:9090 chain.bank.v1beta1.Query/AllBalances`,
    );
  });
  test("the command line", () => {
    expect(commandText(requested, DEFAULT_ENDPOINTS)).toBe(
      "chainlab query bank balances chain1x --limit 2 --count-total --height 7 --node 127.0.0.1:26657",
    );
  });
  test("fetch", () => {
    expect(fetchText(call)).toBe(
      'await fetch("chain/bank/v1beta1/balances/chain1x?pagination.limit=2&pagination.count_total=true", {"headers":{"x-cosmos-block-height":"7"}}).then((answer) => answer.json())',
    );
  });
});

test("what takes a body is posted with it", () => {
  const call = restCall(filled("chain.tx.v1beta1.Service/TxDecode", { tx_bytes: "AA==" }));
  expect(call).toEqual({
    verb: "POST",
    path: "/chain/tx/v1beta1/decode",
    headers: {},
    body: '{"tx_bytes":"AA=="}',
  });
  expect(curlText(call as RestCall, DEFAULT_ENDPOINTS)).toContain(`-d '{"tx_bytes":"AA=="}'`);
  expect(fetchText(call as RestCall)).toContain('{"method":"POST","body":"{\\"tx_bytes\\"');
});

test("a shell reads every word back as it was", () => {
  const words = ["a b", "it's", "$HOME", "`x`", "*", "~", '"', "\\", "", "a'b'c", "!x", "#"];
  const read = execFileSync("sh", ["-c", `printf '%s\\n' ${shellLine(words)}`], {
    encoding: "utf8",
  });
  expect(read.split("\n").slice(0, -1)).toEqual(words);
});
