import { create, type DescMessage, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Secp256k1HdWallet } from "@cosmjs/amino";
import {
  DirectSecp256k1HdWallet,
  type EncodeObject,
  type GeneratedType,
  type OfflineSigner,
  Registry,
} from "@cosmjs/proto-signing";
import { defaultRegistryTypes, SigningStargateClient } from "@cosmjs/stargate";
import { expect, onTestFinished, test } from "vitest";
import { packInit } from "../../engine/framework/codec.ts";
import { accountOf } from "../../engine/modules/bank/account-records.ts";
import { accAddress, fromAccAddress } from "../../engine/primitives/bech32.ts";
import { propose, softwareUpgrade } from "../../engine/simulation/testing.ts";
import { MsgSendSchema } from "../../gen/chain/bank/v1beta1/tx_pb.ts";
import { EquivocationSchema } from "../../gen/chain/evidence/v1beta1/evidence_pb.ts";
import { MsgSubmitEvidenceSchema } from "../../gen/chain/evidence/v1beta1/tx_pb.ts";
import { VoteOption } from "../../gen/chain/gov/v1/gov_pb.ts";
import { MsgVoteSchema } from "../../gen/chain/gov/v1/tx_pb.ts";
import { TxRawSchema } from "../../gen/chain/tx/v1beta1/tx_pb.ts";
import { reached, runChain } from "./chain.testing.ts";
import { readBind } from "./listen.ts";
import { openRpc } from "./rpc.ts";

const MNEMONIC =
  "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";
const FEE = { amount: [], gas: "200000" };
const coins = (amount: string) => [{ denom: "stake", amount }];

/** A message as CosmJS's registry takes it. */
const typed = (schema: DescMessage): GeneratedType => {
  const type = {
    encode: (message: Record<string, unknown>) => ({
      finish: () => toBinary(schema, create(schema, message)),
    }),
    decode: (bytes: Uint8Array) => fromBinary(schema, bytes),
    fromPartial: (fields: Record<string, unknown>) => create(schema, fields),
  };
  return type as unknown as GeneratedType;
};

const registry = new Registry([
  ...defaultRegistryTypes,
  ["/chain.evidence.v1beta1.MsgSubmitEvidence", typed(MsgSubmitEvidenceSchema)],
  ["/chain.gov.v1.MsgVote", typed(MsgVoteSchema)],
]);

/** A chain that runs, in which the wallet's account has coins, and a client that signs with it. */
async function served(wallet: OfflineSigner) {
  const chain = await runChain({ speed: 20 });
  const door = await openRpc({ chain, namespace: "both", cors: "*" }, readBind("127.0.0.1:0"));
  onTestFinished(() => door.close());
  const { sim } = chain.session;
  const [account] = await wallet.getAccounts();
  const address = account?.address ?? "";
  const [first] = sim.spec.accounts;
  const from = first?.name ?? "val-0";
  sim.apply({
    type: "tx",
    signer: from,
    messages: [
      packInit(MsgSendSchema, {
        fromAddress: accAddress(sim.account(from) ?? new Uint8Array()),
        toAddress: accAddress(fromAccAddress(address)),
        amount: coins("1000000"),
      }),
    ],
  });
  chain.session.player.changed();
  await reached(chain, sim.height + 1);
  const client = await SigningStargateClient.connectWithSigner(`http://${door.address}`, wallet, {
    registry,
    broadcastPollIntervalMs: 20,
  });
  onTestFinished(() => client.disconnect());
  const number = sim.read((ctx) => accountOf(ctx, fromAccAddress(address))?.number);
  /** Signs messages as the account's next transaction, or with another number in its row, and waits for the block. */
  const send = async (messages: readonly EncodeObject[], sequence: number, memo = "") => {
    const signer = { accountNumber: number ?? 0n, sequence, chainId: sim.spec.chainId };
    const raw = await client.sign(address, messages, FEE, memo, signer);
    const bytes = toBinary(TxRawSchema, create(TxRawSchema, raw));
    return client.broadcastTx(bytes, client.broadcastTimeoutMs, client.broadcastPollIntervalMs);
  };
  return { chain, sim, client, address, send };
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

test("CosmJS votes and submits evidence by the chain's own messages", async () => {
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(MNEMONIC, OPTIONS);
  const { chain, sim, address, send } = await served(wallet);
  propose(sim, 1n, softwareUpgrade(sim, "v2", 100_000));
  await reached(chain, sim.height + 2);
  const vote = { proposalId: 1n, voter: address, option: VoteOption.YES };
  const voted = await send([{ typeUrl: "/chain.gov.v1.MsgVote", value: vote }], 0);
  expect([voted.code, voted.rawLog]).toEqual([0, ""]);
  const evidence = packInit(EquivocationSchema, { height: 1n, power: 1n, consensusAddress: "x" });
  const value = { submitter: address, evidence };
  const typeUrl = "/chain.evidence.v1beta1.MsgSubmitEvidence";
  const submitted = await send([{ typeUrl, value }], 1);
  // It is in a block, where the chain's own rules refuse it.
  expect(submitted.height).toBeGreaterThan(voted.height);
  expect(submitted.rawLog).toContain("evidence");
});

test("what the check refuses is answered at once, with its code", async () => {
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(MNEMONIC, OPTIONS);
  const { address, send } = await served(wallet);
  await expect(send([sendMessage(address, address, "1")], 9)).rejects.toThrow(
    "account sequence mismatch, expected 0, got 9: incorrect account sequence",
  );
});
