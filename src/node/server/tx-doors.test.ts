/** Transactions as sent by clients to REST and gRPC, from the simulation to the block. */
import {
  create,
  type DescMessage,
  fromBinary,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { decodeTxRaw } from "@cosmjs/proto-signing";
import { Client, credentials, type ServiceError } from "@grpc/grpc-js";
import { expect, onTestFinished, test } from "vitest";
import { toHexUpper } from "../../base/bytes.ts";
import { sha256 } from "../../base/sha256.ts";
import { accountOf } from "../../engine/modules/bank/account-records.ts";
import {
  ABCIQueryRequestSchema,
  ABCIQueryResponseSchema,
} from "../../gen/chain/base/tendermint/v1beta1/query_pb.ts";
import { MsgSubmitProposalSchema } from "../../gen/chain/gov/v1/tx_pb.ts";
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
import { TestSigner } from "../../view/tx/signer.testing.ts";
import { fund, makeBlocks, runChain } from "./chain.testing.ts";
import { openRest } from "./doors.ts";
import { openGrpc } from "./grpc/server.ts";
import { type Listening, readBind } from "./listen.ts";
import { openRpc } from "./rpc.ts";
import type { Served } from "./served.ts";

const ANY_PORT = readBind("127.0.0.1:0");

/** A paused chain with its servers, and an account with coins. */
async function serve() {
  const chain = await runChain();
  const signer = new TestSigner("a key of this test");
  const accountNumber = await fund(chain, signer.account);
  const { chainId } = chain.session.sim.spec;
  const served: Served = { chain, namespace: "both", cors: "*" };
  const open = async (server: Promise<Listening>): Promise<string> => {
    const listening = await server;
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

/** Coins of val-0, under a root. */
const send = (root: string) => ({
  "@type": `/${root}.bank.v1beta1.MsgSend`,
  from_address: `\${val-0}`,
  to_address: `\${val-1}`,
  amount: [{ denom: "stake", amount: "5" }],
});

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
    // As signed by an external client, for either path.
    const action = "/cosmos.bank.v1beta1.MsgSend";
    const amount = [{ denom: "stake", amount: "3" }];
    const read = {
      body: { messages: [{ "@type": action, from_address: signer.address, amount }] },
      auth_info: {
        signer_infos: [
          {
            public_key: { "@type": "/cosmos.crypto.secp256k1.PubKey", key: expect.any(String) },
            mode_info: { single: { mode: "SIGN_MODE_DIRECT" } },
          },
        ],
      },
    };
    expect(found.tx).toMatchObject(read);
    const at = `${rest}/${root}/tx/v1beta1`;
    const byAction = await get(`${at}/txs?query=message.action='${action}'`);
    expect(byAction).toMatchObject({ txs: [read], total: "1" });
    expect((await get(`${at}/txs/block/${height}`)).txs).toMatchObject([read]);
    const decoded = await post(`/${root}/tx/v1beta1/decode`, { tx_bytes: base64(bytes) });
    const { tx } = await decoded.json();
    expect(tx).toEqual(found.tx);
    const encoded = await post(`/${root}/tx/v1beta1/encode`, { tx });
    expect(await encoded.json()).toEqual({ tx_bytes: base64(bytes) });
    const next = structuredClone(tx);
    next.auth_info.signer_infos[0].sequence = "1";
    const again = await post(`/${root}/tx/v1beta1/simulate`, { tx: next });
    expect(await again.json()).toMatchObject({
      result: { msg_responses: [{ "@type": `${action}Response` }] },
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

test("a lab's own transaction is a TxRaw without a signature, in the namespace that is served", async () => {
  const { chain, rest, rpc, get } = await serve();
  for (const [namespace, root] of [
    ["chain", "chain"],
    ["cosmos", "cosmos"],
    ["both", "cosmos"],
  ] as const) {
    chain.session.player.namespace = namespace;
    const steps = [
      { tx: { from: "val-0", msgs: [send(root === "chain" ? "cosmos" : "chain")], wait: false } },
      {
        propose: {
          from: "val-0",
          title: "t",
          messages: [{ "@type": "/chain.upgrade.v1beta1.MsgCancelUpgrade", authority: `\${gov}` }],
        },
      },
    ];
    for (const step of steps) {
      expect(await chain.session.runStep(JSON.stringify(step))).toMatchObject({ ok: true });
    }
    const { height } = chain.session.sim;
    const { txs } = (await get(`${rpc}/block?height=${height}`)).result.block.data;
    const [coins, proposal] = txs.map((tx: string) => decodeTxRaw(Buffer.from(tx, "base64")));
    expect(coins.signatures.map((one: Uint8Array) => one.length)).toEqual([0]);
    const wanted = root === "chain" ? "cosmos" : root;
    expect(coins.body.messages[0].typeUrl).toBe(`/${wanted}.bank.v1beta1.MsgSend`);
    expect(proposal.body.messages[0].typeUrl).toBe(`/${root}.gov.v1.MsgSubmitProposal`);
    const { value } = proposal.body.messages[0];
    const inner = fromBinary(MsgSubmitProposalSchema, value).messages.map(({ typeUrl }) => typeUrl);
    expect(inner).toEqual([`/${root}.upgrade.v1beta1.MsgCancelUpgrade`]);
    const hash = toHexUpper(sha256(Buffer.from(txs[1], "base64")));
    const found = await get(`${rest}/cosmos/tx/v1beta1/txs/${hash}`);
    expect(found.tx).toMatchObject({
      body: { messages: [{ "@type": "/cosmos.gov.v1.MsgSubmitProposal", title: "t" }] },
      signatures: [""],
    });
    const query = `message.action='/${root}.gov.v1.MsgSubmitProposal' AND tx.height=${height}`;
    const search = `${rpc}/tx_search?query="${encodeURIComponent(query)}"`;
    expect((await get(search)).result.txs).toMatchObject([{ hash }]);
  }
});

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
  const requested = create(GetTxRequestSchema, { hash });
  const find = () => call(`${service}/GetTx`, [GetTxRequestSchema, requested], GetTxResponseSchema);
  await expect(find()).rejects.toMatchObject({ code: 5, details: `tx not found: ${hash}` });
  const bad = { hash: "ZZ" };
  const refused = call(
    `${service}/GetTx`,
    [GetTxRequestSchema, create(GetTxRequestSchema, bad)],
    GetTxResponseSchema,
  );
  const details = "encoding/hex: invalid byte: U+005A 'Z'";
  await expect(refused).rejects.toMatchObject({ code: 2, details });
  await makeBlocks(chain, 1);
  const found = await find();
  expect(found.txResponse).toMatchObject({ txhash: hash, code: 0, gasWanted: 200_000n });
  expect(found.txResponse?.tx?.typeUrl).toBe(`/${root}.tx.v1beta1.Tx`);
  const { sim } = chain.session;
  expect(sim.read((ctx) => accountOf(ctx, signer.account))?.sequence).toBe(1n);
});

test("ABCIQuery answers what abci_query of the RPC does, refusals too", async () => {
  const { rest, rpc, call, get } = await serve();
  const requested = async (path: string) => {
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
  const supply = await requested("/cosmos.bank.v1beta1.Query/TotalSupply");
  expect(supply).toMatchObject({ code: 0, log: "" });
  expect(supply.size).toBeGreaterThan(0);
  expect(await requested("/no.Query/Nothing")).toEqual({
    code: 6,
    log: "unknown query path: /no.Query/Nothing: unknown request",
    size: 0,
  });
});

/** google.rpc.Status, from `grpc-status-details-bin`: its details are field 3. */
function detailsOf({ metadata }: ServiceError) {
  const [bytes] = metadata.get("grpc-status-details-bin");
  if (bytes === undefined) throw new Error("there are no details");
  const all = Buffer.from(bytes as Buffer);
  // An Any starts with its type: field 1, a text of this length.
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
