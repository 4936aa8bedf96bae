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
import { accAddress, fromAccAddress, valAddress } from "../../engine/primitives/bech32.ts";
import { MsgSendSchema } from "../../gen/chain/bank/v1beta1/tx_pb.ts";
import { EquivocationSchema } from "../../gen/chain/evidence/v1beta1/evidence_pb.ts";
import { MsgSubmitEvidenceSchema } from "../../gen/chain/evidence/v1beta1/tx_pb.ts";
import { MsgVoteWeightedSchema, TextProposalSchema } from "../../gen/chain/gov/v1beta1/tx_pb.ts";
import { MsgUnjailSchema } from "../../gen/chain/slashing/v1beta1/tx_pb.ts";
import { TxRawSchema } from "../../gen/chain/tx/v1beta1/tx_pb.ts";
import { parseScenario } from "../../scenario/parse.ts";
import { reached, runChain } from "./chain.testing.ts";
import { openRest } from "./doors.ts";
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
  ["/cosmos.evidence.v1beta1.MsgSubmitEvidence", typed(MsgSubmitEvidenceSchema)],
  ["/cosmos.slashing.v1beta1.MsgUnjail", typed(MsgUnjailSchema)],
  ["/cosmos.gov.v1beta1.MsgVoteWeighted", typed(MsgVoteWeightedSchema)],
]);

/** A chain that runs, in which the wallet's account has coins, and a client that signs with it. */
async function served(wallet: OfflineSigner, prefix = "chain") {
  const text = `{ scenario: 1, name: served, genesis: { validators: 4, prefix: ${prefix} }, steps: [] }`;
  const read = parseScenario(text, "served.yaml");
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  const origin = { scenario: read.scenario, file: "served.yaml", text };
  const chain = await runChain({ speed: 20, origin });
  const how = { chain, namespace: "both", cors: "*" } as const;
  const door = await openRpc(how, readBind("127.0.0.1:0"));
  onTestFinished(() => door.close());
  const restDoor = await openRest(how, readBind("127.0.0.1:0"));
  onTestFinished(() => restDoor.close());
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
        amount: coins("100000000"),
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
  return { chain, sim, client, address, send, rest: `http://${restDoor.address}` };
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
    const { sim, chain, client, address, send, rest } = await served(wallet, prefix);
    const operator = valAddress(sim.account("val-1") ?? new Uint8Array());
    const content = toBinary(
      TextProposalSchema,
      create(TextProposalSchema, { title: "t", description: "d" }),
    );
    const evidence = packInit(EquivocationSchema, { height: 1n, power: 1n, consensusAddress: "x" });
    const amount = { denom: "stake", amount: "1000" };
    const jobs: readonly [action: string, value: object, code: number][] = [
      ["bank.v1beta1.MsgSend", { fromAddress: address, toAddress: address, amount: [amount] }, 0],
      [
        "staking.v1beta1.MsgDelegate",
        { delegatorAddress: address, validatorAddress: operator, amount },
        0,
      ],
      [
        "gov.v1beta1.MsgSubmitProposal",
        {
          proposer: address,
          content: { typeUrl: "/cosmos.gov.v1beta1.TextProposal", value: content },
          initialDeposit: coins("10000000"),
        },
        0,
      ],
      [
        "gov.v1beta1.MsgVoteWeighted",
        {
          proposalId: 1n,
          voter: address,
          options: [
            { option: 1, weight: "600000000000000000" },
            { option: 3, weight: "400000000000000000" },
          ],
        },
        0,
      ],
      ["slashing.v1beta1.MsgUnjail", { validatorAddr: valAddress(fromAccAddress(address)) }, 3],
      [
        "evidence.v1beta1.MsgSubmitEvidence",
        {
          submitter: address,
          evidence: { ...evidence, typeUrl: "/cosmos.evidence.v1beta1.Equivocation" },
        },
        3,
      ],
    ];
    for (const [sequence, [name, value, code]] of jobs.entries()) {
      const typeUrl = `/cosmos.${name}`;
      const sent = await send([{ typeUrl, value }], sequence);
      expect([name, sent.code, code === 0 ? sent.rawLog : ""]).toEqual([name, code, ""]);
      const { transactionHash: hash, height } = sent;
      expect(await client.getTx(hash)).toMatchObject({ height, code });
      const found = (await client.searchTx(`tx.height=${height}`)).map((one) => one.hash);
      expect(found).toContain(hash);
      const { tx } = await (await fetch(`${rest}/cosmos/tx/v1beta1/txs/${hash}`)).json();
      expect(tx.body.messages[0]).toMatchObject({ "@type": typeUrl });
      expect(tx.body.messages[0]).not.toHaveProperty("value");
      if (code !== 0) continue;
      const query = `message.action='${typeUrl}'`;
      expect((await client.searchTx(query)).map((one) => one.hash)).toEqual([hash]);
      const searched = await fetch(`${rest}/cosmos/tx/v1beta1/txs?query=${query}`);
      expect(await searched.json()).toMatchObject({ tx_responses: [{ txhash: hash }], total: "1" });
    }
    const tally = await fetch(`${rest}/cosmos/gov/v1beta1/proposals/1/votes`);
    expect((await tally.json()).votes).toMatchObject([{ voter: address, options: [{}, {}] }]);
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
