import { create, toBinary } from "@bufbuild/protobuf";
import { type Any, AnySchema } from "@bufbuild/protobuf/wkt";
import { beforeAll, describe, expect, test } from "vitest";
import { moduleAddress } from "../../base/address.ts";
import { accAddress, valAddress } from "../../base/bech32.ts";
import { EMPTY, toHex } from "../../base/bytes.ts";
import { sha256 } from "../../base/sha256.ts";
import { MsgSendSchema } from "../../gen/chain/bank/v1beta1/tx_pb.ts";
import { PubKeySchema as ConsensusKeySchema } from "../../gen/chain/crypto/ed25519/keys_pb.ts";
import { EquivocationSchema } from "../../gen/chain/evidence/v1beta1/evidence_pb.ts";
import { MsgSubmitEvidenceSchema } from "../../gen/chain/evidence/v1beta1/tx_pb.ts";
import { MsgSubmitProposalSchema } from "../../gen/chain/gov/v1/tx_pb.ts";
import { MsgCreateValidatorSchema } from "../../gen/chain/staking/v1beta1/tx_pb.ts";
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from "../../gen/chain/tx/v1beta1/tx_pb.ts";
import { MsgCancelUpgradeSchema } from "../../gen/chain/upgrade/v1beta1/tx_pb.ts";
import { acceptSignedTxs } from "../app/signed-tx.ts";
import { packInit } from "../framework/codec.ts";
import { accountOf } from "../modules/bank/account-records.ts";
import { decidedBlock } from "./decided-blocks.ts";
import { accountOf as addressOf } from "./genesis/world-spec.ts";
import { Simulation } from "./simulation.ts";
import { runTo, worldSpec } from "./testing.ts";
import type { TxView } from "./views.ts";

const ALICE = addressOf("alice");
const GOV = moduleAddress("gov");
const NEW = new Uint8Array(20).fill(7);

const send = (amount = "5", to = NEW): Any =>
  packInit(MsgSendSchema, {
    fromAddress: accAddress(ALICE),
    toAddress: accAddress(to),
    amount: [{ denom: "stake", amount }],
  });

/** Bytes as sent by a client; the signature is not checked again. */
const signed = (
  sequence: bigint,
  messages: Any[],
  body: { timeoutHeight?: bigint } = {},
): Uint8Array =>
  toBinary(
    TxRawSchema,
    create(TxRawSchema, {
      bodyBytes: toBinary(TxBodySchema, create(TxBodySchema, { messages, ...body })),
      authInfoBytes: toBinary(
        AuthInfoSchema,
        create(AuthInfoSchema, { signerInfos: [{ sequence }], fee: { gasLimit: 1n } }),
      ),
      signatures: [new Uint8Array(64)],
    }),
  );

type Root = (any: Any) => Any;

const asCosmos: Root = ({ typeUrl, value }) =>
  create(AnySchema, { typeUrl: typeUrl.replace("/chain.", "/cosmos."), value });

const account = (sim: Simulation, address: Uint8Array, height?: number) =>
  sim.read((ctx) => accountOf(ctx, address), height);

beforeAll(acceptSignedTxs);

describe("a signed transaction", () => {
  test("is found by the hash of its very bytes, and raises its signer's sequence", () => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 2);
    const bytes = signed(0n, [send()]);
    const { txHash } = sim.apply({ type: "signed_tx", bytes });
    expect(txHash).toEqual(sha256(bytes));
    runTo(sim, 3);
    expect(sim.tx(sha256(bytes))).toMatchObject({ code: 0, height: 3, signer: ALICE });
    expect(decidedBlock(sim, 3)?.txs[0]).toEqual(bytes);
    expect([account(sim, ALICE, 2), account(sim, ALICE)].map((one) => one?.sequence)).toEqual([
      0n,
      1n,
    ]);
  });

  test("that fails raises the sequence all the same; the next one may follow at once", () => {
    const sim = Simulation.create(worldSpec());
    const txs = [signed(0n, [send("9".repeat(40))]), signed(1n, [send()])];
    for (const bytes of txs) sim.apply({ type: "signed_tx", bytes });
    runTo(sim, 1);
    expect(txs.map((bytes) => sim.tx(sha256(bytes))?.code)).toEqual([5, 0]);
    expect(account(sim, ALICE)?.sequence).toBe(2n);
  });

  test.each([
    ["another sequence", signed(4n, [send()]), 32, "expected 0, got 4"],
    ["a height that is past", signed(0n, [send()], { timeoutHeight: 1n }), 30, "timeout height: 1"],
  ])("with %s is refused and leaves the sequence", (_, bytes, code, log) => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 2);
    sim.apply({ type: "signed_tx", bytes });
    runTo(sim, 3);
    const tx = sim.tx(sha256(bytes));
    expect(tx).toMatchObject({ code, codespace: "sdk", log: expect.stringContaining(log) });
    expect(account(sim, ALICE)?.sequence).toBe(0n);
  });

  test.each<[string, number, (root: Root) => Any]>([
    ["coins", 0, () => send()],
    [
      "a proposal",
      0,
      (root) =>
        packInit(MsgSubmitProposalSchema, {
          proposer: accAddress(ALICE),
          title: "t",
          summary: "s",
          messages: [root(packInit(MsgCancelUpgradeSchema, { authority: accAddress(GOV) }))],
          initialDeposit: [{ denom: "stake", amount: "10000000" }],
        }),
    ],
    [
      "evidence",
      3,
      (root) =>
        packInit(MsgSubmitEvidenceSchema, {
          submitter: accAddress(ALICE),
          evidence: root(packInit(EquivocationSchema, { height: 1n, power: 1n })),
        }),
    ],
    [
      "a key",
      0,
      (root) =>
        packInit(MsgCreateValidatorSchema, {
          validatorAddress: valAddress(ALICE),
          pubkey: root(packInit(ConsensusKeySchema, { key: new Uint8Array(32).fill(5) })),
          description: { moniker: "m" },
          commission: { rate: "0", maxRate: "0", maxChangeRate: "0" },
          minSelfDelegation: "1",
          value: { denom: "stake", amount: "1000000" },
        }),
    ],
  ])(
    "with %s does the same under either root, and is told of under its own",
    (_, code, message) => {
      const [own, theirs] = [(any: Any) => any, asCosmos].map((root) => {
        const sim = Simulation.create(worldSpec());
        const bytes = signed(0n, [root(message(root))]);
        sim.apply({ type: "signed_tx", bytes });
        runTo(sim, 2);
        return { tx: sim.tx(sha256(bytes)), state: toHex(sim.block(2)?.appHash ?? EMPTY) };
      });
      expect(theirs?.state).toBe(own?.state);
      expect([own?.tx?.code, theirs?.tx?.code]).toEqual([code, code]);
      const names = (tx: TxView | undefined): string =>
        JSON.stringify([tx?.events, tx?.responses.map(({ typeUrl }) => typeUrl), tx?.log]);
      expect(names(theirs?.tx)).not.toContain("/chain.");
      expect(names(theirs?.tx)).toBe(names(own?.tx).replaceAll("/chain.", "/cosmos."));
      expect(names(own?.tx).includes("/chain.")).toBe(code === 0);
    },
  );

  test("is there again, with all accounts, by replay", () => {
    const spec = worldSpec();
    const sim = Simulation.create(spec);
    sim.apply({ type: "signed_tx", bytes: signed(0n, [send()]) });
    runTo(sim, 3);
    const again = Simulation.create(spec);
    for (const { command } of sim.journal) again.apply(command);
    runTo(again, 3);
    expect(toHex(again.appHash)).toBe(toHex(sim.appHash));
    expect(account(again, ALICE)).toEqual(account(sim, ALICE));
    expect(account(again, ALICE)?.sequence).toBe(1n);
  });
});

test("accounts are numbered as they first receive coins, and keep their number", () => {
  const sim = Simulation.create(worldSpec());
  expect(account(sim, NEW)).toBeUndefined();
  const numbered = [...new Set(sim.spec.accounts.keys())].length;
  expect(numbered).toBeGreaterThan(0);
  sim.apply({ type: "tx", signer: "alice", messages: [send()] });
  runTo(sim, 1);
  const first = account(sim, NEW);
  expect(first?.sequence).toBe(0n);
  sim.apply({ type: "tx", signer: "alice", messages: [send()] });
  runTo(sim, 2);
  expect(account(sim, NEW)).toEqual(first);
});
