/** Transactions as clients send them at REST and gRPC, from the simulation to the block. */
import {
  create,
  type DescMessage,
  fromBinary,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { Client, credentials, type ServiceError } from "@grpc/grpc-js";
import { expect, onTestFinished, test } from "vitest";
import { TestSigner } from "../../api/tx/signer.testing.ts";
import { accountOf } from "../../engine/modules/bank/account-records.ts";
import { toHexUpper } from "../../engine/primitives/bytes.ts";
import { sha256 } from "../../engine/primitives/sha256.ts";
import {
  ABCIQueryRequestSchema,
  ABCIQueryResponseSchema,
} from "../../gen/chain/base/tendermint/v1beta1/query_pb.ts";
import {
  BroadcastMode,
  BroadcastTxRequestSchema,
  BroadcastTxResponseSchema,
  GetTxRequestSchema,
  GetTxResponseSchema,
  SimulateRequestSchema,
  SimulateResponseSchema,
} from "../../gen/chain/tx/v1beta1/service_pb.ts";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { fund, makeBlocks, runChain } from "./chain.testing.ts";
import { openRest } from "./doors.ts";
import { openGrpc } from "./grpc/server.ts";
import { type Listening, readBind } from "./listen.ts";
import { openRpc } from "./rpc.ts";
import type { Served } from "./served.ts";

const ANY_PORT = readBind("127.0.0.1:0");

/** A chain that stands still behind its doors, and one with coins there. */
async function serve() {
  const chain = await runChain();
  const signer = new TestSigner("a key of this test");
  const accountNumber = await fund(chain, signer.account);
  const { chainId } = chain.session.sim.spec;
  const served: Served = { chain, namespace: "both", cors: "*" };
  const open = async (door: Promise<Listening>): Promise<string> => {
    const listening = await door;
    onTestFinished(() => listening.close());
    return listening.address;
  };
  const rest = `http://${await open(openRest(served, ANY_PORT))}`;
  const rpc = `http://${await open(openRpc(served, ANY_PORT))}`;
  const client = new Client(await open(openGrpc(served, ANY_PORT)), credentials.createInsecure());
  onTestFinished(() => client.close());
  const call = <I extends DescMessage, O extends DescMessage>(
    path: string,
    [input, request]: readonly [I, MessageShape<I>],
    output: O,
  ) =>
    new Promise<MessageShape<O>>((resolve, reject) =>
      client.makeUnaryRequest(
        path,
        (message: MessageShape<I>) => Buffer.from(toBinary(input, message)),
        (bytes: Buffer) => fromBinary(output, bytes),
        request,
        (error, answer) => (error || !answer ? reject(error) : resolve(answer)),
      ),
    );
  const post = (path: string, body: object) =>
    fetch(rest + path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  const get = async (address: string) => (await fetch(address)).json();
  const signing = { chainId, accountNumber, sequence: 0n };
  return { chain, signer, signing, rest, rpc, call, post, get };
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

test.each(["chain", "cosmos"])(
  "REST under %s: simulated, sent, and found by its hash, with the gas that the RPC tells",
  async (root) => {
    const { chain, signer, signing, rest, rpc, post, get } = await serve();
    const unsigned = signer.send("3", { ...signing, unsigned: true });
    const simulated = await post(`/${root}/tx/v1beta1/simulate`, { tx_bytes: base64(unsigned) });
    expect(simulated.status).toBe(200);
    const { gas_info: gasInfo } = await simulated.json();
    expect(Number(gasInfo.gas_used)).toBeGreaterThan(0);

    const bytes = signer.send("3", signing);
    const hash = toHexUpper(sha256(bytes));
    const sent = { tx_bytes: base64(bytes), mode: "BROADCAST_MODE_SYNC" };
    const answer = await post(`/${root}/tx/v1beta1/txs`, sent);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      tx_response: { txhash: hash, code: 0, raw_log: "", codespace: "" },
    });
    await makeBlocks(chain, 1);
    const { height } = chain.session.sim;
    const found = await get(`${rest}/${root}/tx/v1beta1/txs/${hash}`);
    expect(found.tx_response).toMatchObject({
      txhash: hash,
      height: String(height),
      code: 0,
      gas_wanted: "200000",
    });
    expect(Number(found.tx_response.gas_used)).toBeGreaterThan(0);
    expect(found.tx.body.messages[0]["@type"]).toMatch(/^\/(chain|cosmos).bank.v1beta1.MsgSend$/);
    expect(found.tx.auth_info.signer_infos[0].mode_info).toEqual({
      single: { mode: "SIGN_MODE_DIRECT" },
    });
    const gas = {
      gas_wanted: found.tx_response.gas_wanted,
      gas_used: found.tx_response.gas_used,
    };
    expect((await get(`${rpc}/tx?hash=0x${hash}`)).result.tx_result).toMatchObject(gas);
    expect((await get(`${rpc}/block_results?height=${height}`)).result.txs_results).toMatchObject([
      gas,
    ]);
  },
);

test("REST: what the check refuses has its code, and what is no transaction too", async () => {
  const { signer, signing, post } = await serve();
  const bytes = signer.send("3", { ...signing, sequence: 4n });
  const mode = "BROADCAST_MODE_SYNC";
  const refused = await post("/cosmos/tx/v1beta1/txs", { tx_bytes: base64(bytes), mode });
  expect(await refused.json()).toMatchObject({
    tx_response: {
      code: 32,
      codespace: "sdk",
      raw_log: "account sequence mismatch, expected 0, got 4: incorrect account sequence",
    },
  });
  const broken = await post("/cosmos/tx/v1beta1/txs", { tx_bytes: "AAAA", mode });
  expect(await broken.json()).toMatchObject({ tx_response: { code: 2, codespace: "sdk" } });
  for (const body of [
    { tx_bytes: "%", mode },
    { tx_bytes: base64(bytes), mode: "NO_MODE" },
  ]) {
    expect((await post("/cosmos/tx/v1beta1/txs", body)).status).toBe(400);
  }
  const simulated = await post("/cosmos/tx/v1beta1/simulate", { tx_bytes: "" });
  expect([simulated.status, (await simulated.json()).message]).toEqual([
    500,
    "tx bytes are empty: tx parse error",
  ]);
});

test.each(["chain", "cosmos"])("gRPC under %s: Simulate, BroadcastTx, GetTx", async (root) => {
  const { chain, signer, signing, call } = await serve();
  const service = `/${root}.tx.v1beta1.Service`;
  const unsigned = create(SimulateRequestSchema, {
    txBytes: signer.send("3", { ...signing, unsigned: true }),
  });
  const simulated = await call(
    `${service}/Simulate`,
    [SimulateRequestSchema, unsigned],
    SimulateResponseSchema,
  );
  expect(simulated.gasInfo?.gasUsed).toBeGreaterThan(0n);
  const txBytes = signer.send("3", signing);
  const sent = create(BroadcastTxRequestSchema, { txBytes, mode: BroadcastMode.SYNC });
  const { txResponse } = await call(
    `${service}/BroadcastTx`,
    [BroadcastTxRequestSchema, sent],
    BroadcastTxResponseSchema,
  );
  const hash = toHexUpper(sha256(txBytes));
  expect(txResponse).toMatchObject({ code: 0, txhash: hash });
  const asked = create(GetTxRequestSchema, { hash });
  const find = () => call(`${service}/GetTx`, [GetTxRequestSchema, asked], GetTxResponseSchema);
  await expect(find()).rejects.toMatchObject({ code: 5, details: `tx not found: ${hash}` });
  await makeBlocks(chain, 1);
  const found = await find();
  expect(found.txResponse).toMatchObject({ txhash: hash, code: 0, gasWanted: 200_000n });
  expect(found.txResponse?.tx?.typeUrl).toBe(`/${root}.tx.v1beta1.Tx`);
  const { sim } = chain.session;
  expect(sim.read((ctx) => accountOf(ctx, signer.account))?.sequence).toBe(1n);
});

test("ABCIQuery answers what abci_query of the RPC does, refusals too", async () => {
  const { rest, rpc, call, get } = await serve();
  const asked = async (path: string) => {
    const request = create(ABCIQueryRequestSchema, { path });
    const { code, log, codespace, height, value } = await call(
      "/cosmos.base.tendermint.v1beta1.Service/ABCIQuery",
      [ABCIQueryRequestSchema, request],
      ABCIQueryResponseSchema,
    );
    const same = { code, log, codespace, height: String(height) };
    const { response } = (await get(`${rpc}/abci_query?path="${path}"`)).result;
    expect(response).toMatchObject(same);
    expect(response.value).toBe(value.length === 0 ? null : base64(value));
    const query = `${rest}/cosmos/base/tendermint/v1beta1/abci_query?path=${path}`;
    expect(await get(query)).toMatchObject({ ...same, value: response.value });
    return { code, log, size: value.length };
  };
  const supply = await asked("/cosmos.bank.v1beta1.Query/TotalSupply");
  expect(supply).toMatchObject({ code: 0, log: "" });
  expect(supply.size).toBeGreaterThan(0);
  expect(await asked("/no.Query/Nothing")).toEqual({
    code: 6,
    log: "unknown query path: /no.Query/Nothing: unknown request",
    size: 0,
  });
});

/** google.rpc.Status, as the field has it in `grpc-status-details-bin`: its details are field 3. */
function detailsOf({ metadata }: ServiceError) {
  const [bytes] = metadata.get("grpc-status-details-bin");
  if (bytes === undefined) throw new Error("there are no details");
  const all = Buffer.from(bytes as Buffer);
  // An Any begins with its type: field 1, a text of this length.
  const url = Buffer.from("type.googleapis.com/google.rpc.ErrorInfo");
  const at = all.indexOf(url) - 2;
  return fromBinary(AnySchema, all.subarray(at));
}

test("a registered error is told as data, too: google.rpc.ErrorInfo with its codespace and code", async () => {
  const { call } = await serve();
  const { QueryModuleVersionsRequestSchema, QueryModuleVersionsResponseSchema } = await import(
    "../../gen/chain/upgrade/v1beta1/query_pb.ts"
  );
  const request = create(QueryModuleVersionsRequestSchema, { moduleName: "nothing" });
  const error = await call(
    "/cosmos.upgrade.v1beta1.Query/ModuleVersions",
    [QueryModuleVersionsRequestSchema, request],
    QueryModuleVersionsResponseSchema,
  ).catch((thrown: ServiceError) => thrown);
  expect(error).toMatchObject({ code: 2 });
  const { value } = detailsOf(error as ServiceError);
  expect(fromBinary(ErrorInfoSchema, value)).toMatchObject({ domain: "upgrade", reason: "2" });
});
