import { create, toBinary } from "@bufbuild/protobuf";
import { Secp256k1HdWallet } from "@cosmjs/amino";
import {
  DirectSecp256k1HdWallet,
  type EncodeObject,
  type OfflineSigner,
  Registry,
} from "@cosmjs/proto-signing";
import { defaultRegistryTypes, SigningStargateClient } from "@cosmjs/stargate";
import { Client, credentials } from "@grpc/grpc-js";
import { PubKey } from "cosmjs-types/cosmos/crypto/ed25519/keys";
import { Equivocation } from "cosmjs-types/cosmos/evidence/v1beta1/evidence";
import { MsgSubmitEvidence } from "cosmjs-types/cosmos/evidence/v1beta1/tx";
import { TextProposal } from "cosmjs-types/cosmos/gov/v1beta1/gov";
import { QueryClientImpl as SlashingQueries } from "cosmjs-types/cosmos/slashing/v1beta1/query";
import { MsgUnjail } from "cosmjs-types/cosmos/slashing/v1beta1/tx";
import { GetTxsEventRequest, ServiceClientImpl } from "cosmjs-types/cosmos/tx/v1beta1/service";
import { expect, onTestFinished, test } from "vitest";
import { accAddress, fromAccAddress } from "../../base/bech32.ts";
import { toHexUpper } from "../../base/bytes.ts";
import { sha256 } from "../../base/sha256.ts";
import { accountOf } from "../../engine/modules/bank/account-records.ts";
import { TxRawSchema } from "../../gen/chain/tx/v1beta1/tx_pb.ts";
import { openRest } from "./doors.ts";
import { openGrpc } from "./grpc/server.ts";
import { readBind } from "./listen.ts";
import { MNEMONIC, operatorJobs, outsideChain } from "./outside.testing.ts";
import { openRpc } from "./rpc.ts";

const FEE = { amount: [], gas: "200000" };
const coins = (amount: string) => [{ denom: "stake", amount }];

const registry = new Registry([
  ...defaultRegistryTypes,
  [MsgSubmitEvidence.typeUrl, MsgSubmitEvidence],
  [MsgUnjail.typeUrl, MsgUnjail],
  [Equivocation.typeUrl, Equivocation],
  [TextProposal.typeUrl, TextProposal],
  [PubKey.typeUrl, PubKey],
]);

/** Encodes a message given in JSON. */
function encoded(typeUrl: string, json: object): Uint8Array {
  const type = registry.lookupType(typeUrl) as typeof MsgUnjail;
  return type.encode(type.fromJSON(json)).finish();
}

/** Services of upstream's own descriptors over gRPC. */
function grpcClient(address: string) {
  const client = new Client(address, credentials.createInsecure());
  onTestFinished(() => client.close());
  const rpc = {
    request: (service: string, method: string, data: Uint8Array) =>
      new Promise<Uint8Array>((resolve, reject) =>
        client.makeUnaryRequest(
          `/${service}/${method}`,
          (bytes: Uint8Array) => Buffer.from(bytes),
          (bytes: Buffer) => bytes,
          data,
          (error, answer) => (error || !answer ? reject(error) : resolve(answer)),
        ),
      ),
  };
  return { tx: new ServiceClientImpl(rpc), slashing: new SlashingQueries(rpc) };
}

/** A chain with coins for the wallet's account, its servers, and clients of them. */
async function served(wallet: OfflineSigner, prefix = "chain") {
  const [account] = await wallet.getAccounts();
  const address = account?.address ?? "";
  const chain = await outsideChain(prefix, address);
  const how = { chain, namespace: "both", cors: "*" } as const;
  const server = await openRpc(how, readBind("127.0.0.1:0"));
  onTestFinished(() => server.close());
  const restDoor = await openRest(how, readBind("127.0.0.1:0"));
  onTestFinished(() => restDoor.close());
  const grpcDoor = await openGrpc(how, readBind("127.0.0.1:0"));
  onTestFinished(() => grpcDoor.close());
  const { sim } = chain.session;
  const client = await SigningStargateClient.connectWithSigner(`http://${server.address}`, wallet, {
    registry,
    broadcastPollIntervalMs: 20,
  });
  onTestFinished(() => client.disconnect());
  const number = sim.read((ctx) => accountOf(ctx, fromAccAddress(address))?.number);
  /**
   * Signs messages as the account's next transaction, or with another sequence, and waits for the
   * block.
   */
  const send = async (messages: readonly EncodeObject[], sequence: number, memo = "") => {
    const signer = { accountNumber: number ?? 0n, sequence, chainId: sim.spec.chainId };
    const raw = await client.sign(address, messages, FEE, memo, signer);
    const bytes = toBinary(TxRawSchema, create(TxRawSchema, raw));
    return client.broadcastTx(bytes, client.broadcastTimeoutMs, client.broadcastPollIntervalMs);
  };
  const grpc = grpcClient(grpcDoor.address);
  return { chain, sim, client, grpc, address, send, rest: `http://${restDoor.address}` };
}

const sendMessage = (fromAddress: string, toAddress: string, amount: string) => ({
  typeUrl: "/cosmos.bank.v1beta1.MsgSend",
  value: { fromAddress, toAddress, amount: coins(amount) },
});

const OPTIONS = { prefix: "chain" };

test.each([
  ["direct", () => DirectSecp256k1HdWallet.fromMnemonic(MNEMONIC, OPTIONS)],
  ["amino", () => Secp256k1HdWallet.fromMnemonic(MNEMONIC, OPTIONS)],
])("CosmJS sends coins, signed %s, one transaction after the other", async (_, open) => {
  const { client, sim, address, send } = await served(await open());
  const to = accAddress(sim.account("val-1") ?? new Uint8Array());
  const before = BigInt((await client.getBalance(to, "stake")).amount);
  const first = await send([sendMessage(address, to, "5")], 0, "a<b&c");
  expect(first).toMatchObject({ code: 0, rawLog: "" });
  const second = await send([sendMessage(address, to, "7")], 1);
  expect(second.code).toBe(0);
  expect((await client.getBalance(to, "stake")).amount).toBe(String(before + 12n));
  const found = await client.getTx(first.transactionHash);
  expect(found).toMatchObject({ height: first.height, code: 0 });
  expect(await client.searchTx([{ key: "message.sender", value: address }])).toHaveLength(2);
});

test.each(["cosmos", "osmo"])(
  "CosmJS does an operator's whole job where addresses begin with %s, and finds each by hash, height and action",
  async (prefix) => {
    const wallet = await DirectSecp256k1HdWallet.fromMnemonic(MNEMONIC, { prefix });
    const { sim, chain, client, grpc, address, send, rest } = await served(wallet, prefix);
    const jobs = operatorJobs(chain, address, (typeUrl, value) => ({
      typeUrl,
      value: Buffer.from(encoded(typeUrl, value)).toString("base64"),
    }));
    for (const [sequence, { typeUrl, value: json, action, ready }] of jobs.entries()) {
      await ready?.();
      const value = registry.decode({ typeUrl, value: encoded(typeUrl, json) });
      const sent = await send([{ typeUrl, value }], sequence);
      expect([typeUrl, sent.code, sent.rawLog]).toEqual([typeUrl, 0, ""]);
      expect(JSON.stringify(sent.events), typeUrl).not.toContain("/chain.");
      const { transactionHash: hash, height } = sent;
      const byHeight = `tx.height=${height}`;
      const byAction = `message.action='${action}'`;
      expect(await client.getTx(hash)).toMatchObject({ height, code: 0 });
      const { tx } = await (await fetch(`${rest}/cosmos/tx/v1beta1/txs/${hash}`)).json();
      expect(tx.body.messages[0]).toMatchObject({ "@type": typeUrl });
      expect(typeof tx.body.messages[0].value).not.toBe("string");
      const posted = { method: "POST", body: JSON.stringify({ tx }) };
      const encoding = await fetch(`${rest}/cosmos/tx/v1beta1/encode`, posted);
      const bytes = Buffer.from((await encoding.json()).tx_bytes, "base64");
      expect([typeUrl, toHexUpper(sha256(bytes))]).toEqual([typeUrl, hash]);
      const got = await grpc.tx.GetTx({ hash });
      expect(got.txResponse).toMatchObject({ txhash: hash, height: BigInt(height), code: 0 });
      expect(got.tx?.body?.messages).toMatchObject([{ typeUrl }]);
      expect(registry.decode(got.tx?.body?.messages[0] as never)).toEqual(
        registry.decode(registry.encodeAsAny({ typeUrl, value })),
      );
      for (const query of [byHeight, byAction]) {
        expect((await client.searchTx(query)).map((one) => one.hash)).toEqual([hash]);
        const searched = await fetch(`${rest}/cosmos/tx/v1beta1/txs?query=${query}`);
        expect(await searched.json()).toMatchObject({
          tx_responses: [{ txhash: hash }],
          total: "1",
        });
        const { txResponses } = await grpc.tx.GetTxsEvent(
          GetTxsEventRequest.fromPartial({ query }),
        );
        expect(txResponses.map(({ txhash }) => txhash)).toEqual([hash]);
      }
    }
    const tally = await fetch(`${rest}/cosmos/gov/v1beta1/proposals/1/votes`);
    expect((await tally.json()).votes).toMatchObject([{ voter: address, options: [{}, {}] }]);
    const { info } = await grpc.slashing.SigningInfos({});
    expect(info.filter(({ tombstoned }) => tombstoned)).toHaveLength(1);
    expect(chain.session.sim).toBe(sim);
  },
);

test("what the check refuses is answered at once, with its code", async () => {
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(MNEMONIC, OPTIONS);
  const { address, send } = await served(wallet);
  await expect(send([sendMessage(address, address, "1")], 9)).rejects.toThrow(
    "account sequence mismatch, expected 0, got 9: incorrect account sequence",
  );
});
