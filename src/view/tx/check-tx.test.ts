import { create, toBinary } from "@bufbuild/protobuf";
import { type Any, AnySchema } from "@bufbuild/protobuf/wkt";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { beforeAll, describe, expect, test } from "vitest";
import { accAddress } from "../../base/bech32.ts";
import { concat, toHex, utf8 } from "../../base/bytes.ts";
import { fromHex } from "../../base/from-hex.ts";
import { sha256 } from "../../base/sha256.ts";
import { acceptSignedTxs } from "../../engine/app/signed-tx.ts";
import { packInit } from "../../engine/framework/codec.ts";
import { accountOf } from "../../engine/modules/bank/account-records.ts";
import { Simulation } from "../../engine/simulation/simulation.ts";
import { runTo, worldSpec } from "../../engine/simulation/testing.ts";
import { MsgSendSchema } from "../../gen/chain/bank/v1beta1/tx_pb.ts";
import { PubKeySchema } from "../../gen/chain/crypto/secp256k1/keys_pb.ts";
import { SignMode } from "../../gen/chain/tx/signing/v1beta1/signing_pb.ts";
import {
  AuthInfoSchema,
  SignDocSchema,
  type TxBody,
  TxBodySchema,
  TxRawSchema,
} from "../../gen/chain/tx/v1beta1/tx_pb.ts";
import { aminoSignBytes } from "./amino.ts";
import { addressOfKey, type CheckedTx, checkTx } from "./check-tx.ts";

const SECRET = sha256(utf8("a key of this test"));
const KEY = secp256k1.getPublicKey(SECRET);
const ADDRESS = addressOfKey(KEY);

const asCosmos = ({ typeUrl, value }: Any): Any =>
  create(AnySchema, { typeUrl: typeUrl.replace("/chain.", "/cosmos."), value });

const send = (from = accAddress(ADDRESS), to = from): Any =>
  asCosmos(
    packInit(MsgSendSchema, {
      fromAddress: from,
      toAddress: to,
      amount: [{ denom: "stake", amount: "1" }],
    }),
  );

interface Signing {
  sequence?: bigint;
  mode?: SignMode;
  chainId?: string;
  memo?: string;
  messages?: Any[];
  fee?: string;
  key?: boolean;
  timeoutHeight?: bigint;
  change?(signature: Uint8Array): Uint8Array;
}

/** A world with a new account for the test, and its signer. */
function chain() {
  const sim = Simulation.create(worldSpec());
  const message = packInit(MsgSendSchema, {
    fromAddress: accAddress(sim.account("alice") ?? new Uint8Array()),
    toAddress: accAddress(ADDRESS),
    amount: [{ denom: "stake", amount: "1000" }],
  });
  sim.apply({ type: "tx", signer: "alice", messages: [message] });
  runTo(sim, 2);
  const number = sim.read((ctx) => accountOf(ctx, ADDRESS))?.number ?? -1n;
  const signed = ({
    sequence = 0n,
    mode = SignMode.DIRECT,
    chainId = sim.spec.chainId,
    memo = "a<b&c",
    messages = [send()],
    fee = "",
    key = true,
    timeoutHeight = 0n,
    change = (signature) => signature,
  }: Signing = {}): Uint8Array => {
    const body: TxBody = create(TxBodySchema, { messages, memo, timeoutHeight });
    const coins = fee === "" ? [] : [{ denom: "stake", amount: fee }];
    const auth = create(AuthInfoSchema, {
      signerInfos: [
        {
          sequence,
          modeInfo: { sum: { case: "single", value: { mode } } },
          ...(key && { publicKey: asCosmos(packInit(PubKeySchema, { key: KEY })) }),
        },
      ],
      fee: { amount: coins, gasLimit: 100_000n },
    });
    const bodyBytes = toBinary(TxBodySchema, body);
    const authInfoBytes = toBinary(AuthInfoSchema, auth);
    const doc = create(SignDocSchema, { bodyBytes, authInfoBytes, chainId, accountNumber: number });
    const bytes =
      mode === SignMode.LEGACY_AMINO_JSON
        ? aminoSignBytes({ body, fee: auth.fee, chainId, accountNumber: number, sequence })
        : toBinary(SignDocSchema, doc);
    const signature = secp256k1.sign(sha256(bytes ?? new Uint8Array()), SECRET, { prehash: false });
    const raw = { bodyBytes, authInfoBytes, signatures: [change(signature)] };
    return toBinary(TxRawSchema, create(TxRawSchema, raw));
  };
  const receive = (bytes: Uint8Array, minGasPrices = ""): CheckedTx => {
    const checked = checkTx(sim, bytes, { minGasPrices });
    if (checked.code === 0) sim.apply({ type: "signed_tx", bytes });
    return checked;
  };
  return { sim, number, signed, receive };
}

beforeAll(acceptSignedTxs);

test.each([SignMode.DIRECT, SignMode.LEGACY_AMINO_JSON])(
  "a transaction signed in mode %s waits, and is in the next block",
  (mode) => {
    const { sim, signed, receive } = chain();
    const bytes = signed({ mode });
    const { code, log, gasWanted } = receive(bytes);
    expect({ code, log, gasWanted }).toEqual({ code: 0, log: "", gasWanted: 100_000n });
    runTo(sim, 3);
    expect(sim.tx(sha256(bytes))).toMatchObject({ code: 0, height: 3 });
  },
);

test("several of one account may wait at once, and the key need be given only once", () => {
  const { sim, signed, receive } = chain();
  const codes = [0n, 1n, 2n].map((sequence) => receive(signed({ sequence })).code);
  expect(codes).toEqual([0, 0, 0]);
  runTo(sim, 3);
  expect(sim.block(3)?.txs.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(receive(signed({ sequence: 3n, key: false })).code).toBe(0);
});

const HIGH_S = (signature: Uint8Array): Uint8Array => {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const s = order - BigInt(`0x${toHex(signature.slice(32))}`);
  return concat(signature.slice(0, 32), fromHex(s.toString(16).padStart(64, "0")));
};

describe("refused with upstream's code and log is a transaction", () => {
  const unauthorized =
    /^signature verification failed; please verify account number \(\d+\), sequence \(0\) and chain-id \(.+\): unauthorized$/;
  test.each<readonly [string, Signing, number, RegExp | string]>([
    ["of another chain", { chainId: "other" }, 4, unauthorized],
    [
      "with a changed signature",
      { change: (s) => s.map((byte, i) => (i === 9 ? byte ^ 1 : byte)) },
      4,
      unauthorized,
    ],
    ["with a high s", { change: HIGH_S }, 4, unauthorized],
    ["with a short signature", { change: (s) => s.slice(1) }, 4, unauthorized],
    ["in an unsupported mode", { mode: SignMode.TEXTUAL }, 4, unauthorized],
    [
      "with another sequence",
      { sequence: 4n },
      32,
      "account sequence mismatch, expected 0, got 4: incorrect account sequence",
    ],
    ["without a key", { key: false }, 8, "pubkey on account is not set: invalid pubkey"],
    [
      "without messages",
      { messages: [] },
      18,
      "must contain at least one message: invalid request",
    ],
    [
      "of an unknown type",
      { messages: [create(AnySchema, { typeUrl: "/cosmos.nft.MsgSend" })] },
      2,
      "unable to resolve type URL /cosmos.nft.MsgSend: tx parse error",
    ],
    [
      "with a long memo",
      { memo: "m".repeat(257) },
      12,
      "maximum number of characters is 256 but received 257 characters: memo too large",
    ],
    [
      "whose height is past",
      { timeoutHeight: 1n },
      30,
      "block height: 2, timeout height: 1: tx timeout height",
    ],
  ])("%s", (_, signing, code, log) => {
    const { sim, signed, receive } = chain();
    const checked = receive(signed(signing));
    expect(checked).toMatchObject({
      code,
      codespace: "sdk",
      hash: expect.stringMatching(/^[0-9A-F]{64}$/),
    });
    expect(checked.log).toMatch(log);
    expect(sim.network.mempool.txs).toEqual([]);
  });

  test("that waits already, until its block", () => {
    const { sim, signed, receive } = chain();
    const bytes = signed();
    receive(bytes);
    expect(receive(bytes)).toMatchObject({ code: 19, log: "tx already in mempool" });
    runTo(sim, 3);
    expect(receive(bytes)).toMatchObject({ code: 32 });
  });

  test("whose fee is below the least price of its gas", () => {
    const { signed, receive } = chain();
    expect(receive(signed({ fee: "10" }), "0.025stake")).toMatchObject({
      code: 13,
      log: "insufficient fees; got: 10stake required: 2500stake: insufficient fee",
    });
    expect(receive(signed({ fee: "2500" }), "0.025stake").code).toBe(0);
  });

  test.each([
    ["nothing", new Uint8Array()],
    ["text", utf8("hello")],
    ["a transaction with an unknown field", concat(Uint8Array.of(0x28, 1), Uint8Array.of(0x1a, 0))],
    ["half a message", Uint8Array.of(0x0a, 0xff)],
  ])("that is %s", (_, bytes) => {
    const { receive } = chain();
    expect(receive(bytes)).toMatchObject({
      code: 2,
      log: expect.stringMatching(/: tx parse error$/),
    });
  });
});

test("the documents that are signed are those of upstream's own programs, bit by bit", () => {
  const address = "cosmos19rl4cm2hmr8afy4kldpxz3fka4jguq0auqdal4";
  const key = fromHex("024f4e2ad99c34d60b9ba6283c9431a8418af8673212961f97a77b6377fcd05b62");
  const body = create(TxBodySchema, { messages: [send(address)], memo: "a<b&c" });
  const fee = { amount: [{ denom: "stake", amount: "100" }], gasLimit: 200_000n };
  const { fee: full } = create(AuthInfoSchema, { fee });
  const place = { chainId: "lab-1", accountNumber: 7n, sequence: 5n };
  const document = aminoSignBytes({ body, fee: full, ...place }) ?? new Uint8Array();
  const signature = fromHex(
    "fc78841b3617e910df12033fd11ce1d110a67feaa1097996e8d245390b05e0a77029645373cbab653ccd022e853a39b71f4980a724d0155c4bb09d7b1ba90a39",
  );
  expect(secp256k1.verify(signature, sha256(document), key, { prehash: false })).toBe(true);
  const [bodyBytes, authInfoBytes] = [
    toBinary(TxBodySchema, create(TxBodySchema, { messages: [send(address)], memo: "hi" })),
    toBinary(
      AuthInfoSchema,
      create(AuthInfoSchema, {
        signerInfos: [
          {
            publicKey: asCosmos(packInit(PubKeySchema, { key })),
            modeInfo: { sum: { case: "single", value: { mode: SignMode.DIRECT } } },
            sequence: 5n,
          },
        ],
        fee,
      }),
    ),
  ];
  const doc = { bodyBytes, authInfoBytes, chainId: "lab-1", accountNumber: 7n };
  expect(toHex(sha256(toBinary(SignDocSchema, create(SignDocSchema, doc))))).toBe(
    "7ee2ddbce8ecee0966621f53ddebe40e321bd2d4da65820e4024213f56116496",
  );
});
