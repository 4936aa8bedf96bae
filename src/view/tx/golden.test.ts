/**
 * A transaction as signed by CosmJS and the SDK's command line, byte by byte (rules/clients 6.4).
 */
import { create, toBinary } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { Secp256k1HdWallet } from "@cosmjs/amino";
import { DirectSecp256k1HdWallet } from "@cosmjs/proto-signing";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { expect, test } from "vitest";
import { toHex, toHexUpper } from "../../base/bytes.ts";
import { fromHex } from "../../base/from-hex.ts";
import { sha256 } from "../../base/sha256.ts";
import { MsgSendSchema } from "../../gen/chain/bank/v1beta1/tx_pb.ts";
import { PubKeySchema } from "../../gen/chain/crypto/secp256k1/keys_pb.ts";
import { SignMode } from "../../gen/chain/tx/signing/v1beta1/signing_pb.ts";
import {
  AuthInfoSchema,
  SignDocSchema,
  TxBodySchema,
  TxRawSchema,
} from "../../gen/chain/tx/v1beta1/tx_pb.ts";
import { aminoSignBytes } from "./amino.ts";
import { addressOfKey } from "./check-tx.ts";

const MNEMONIC =
  "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";
const ADDRESS = "cosmos19rl4cm2hmr8afy4kldpxz3fka4jguq0auqdal4";
const KEY = fromHex("024f4e2ad99c34d60b9ba6283c9431a8418af8673212961f97a77b6377fcd05b62");
const DIGEST = "7ee2ddbce8ecee0966621f53ddebe40e321bd2d4da65820e4024213f56116496";
const DIRECT =
  "aa874d1304c4cb2b8977462f99d15c6f39a80efadb51577f06880c0febc8a9a302edda93fbd02e254c34964bfb8429f8abcf127af500be3d88806bbb8a26c3ba";
const HASH = "9E5180BF39594BFE136E39410E647A34E3640D74F9792A031E1C435F52AD0D4F";
const AMINO =
  "fc78841b3617e910df12033fd11ce1d110a67feaa1097996e8d245390b05e0a77029645373cbab653ccd022e853a39b71f4980a724d0155c4bb09d7b1ba90a39";

const SEND = create(AnySchema, {
  typeUrl: "/cosmos.bank.v1beta1.MsgSend",
  value: toBinary(
    MsgSendSchema,
    create(MsgSendSchema, {
      fromAddress: ADDRESS,
      toAddress: ADDRESS,
      amount: [{ denom: "stake", amount: "1" }],
    }),
  ),
});
const FEE = { amount: [{ denom: "stake", amount: "100" }], gasLimit: 200_000n };

const bodyWith = (memo: string) => create(TxBodySchema, { messages: [SEND], memo });

/** Sequence 5 of account 7 on lab-1, in SIGN_MODE_DIRECT. */
function direct() {
  const auth = create(AuthInfoSchema, {
    signerInfos: [
      {
        sequence: 5n,
        modeInfo: { sum: { case: "single", value: { mode: SignMode.DIRECT } } },
        publicKey: {
          typeUrl: "/cosmos.crypto.secp256k1.PubKey",
          value: toBinary(PubKeySchema, create(PubKeySchema, { key: KEY })),
        },
      },
    ],
    fee: FEE,
  });
  const bodyBytes = toBinary(TxBodySchema, bodyWith("hi"));
  const authInfoBytes = toBinary(AuthInfoSchema, auth);
  return { bodyBytes, authInfoBytes, chainId: "lab-1", accountNumber: 7n };
}

test("the key and the address are those of the mnemonic", async () => {
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(MNEMONIC);
  const [account] = await wallet.getAccounts();
  expect(account).toMatchObject({ address: ADDRESS, pubkey: KEY });
  const own = await DirectSecp256k1HdWallet.fromMnemonic(MNEMONIC, { prefix: "chain" });
  const [inChain] = await own.getAccounts();
  expect(toHex(addressOfKey(KEY))).toBe("28ff5c6d57d8cfd492b6fb42614536ed648e01fd");
  expect(inChain?.pubkey).toEqual(KEY);
});

test("SIGN_MODE_DIRECT: the digest, the signature and the transaction's hash are the recorded ones", async () => {
  const doc = direct();
  const bytes = toBinary(SignDocSchema, create(SignDocSchema, doc));
  expect(toHex(sha256(bytes))).toBe(DIGEST);
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(MNEMONIC);
  const { signature } = await wallet.signDirect(ADDRESS, doc);
  expect(toHex(Buffer.from(signature.signature, "base64"))).toBe(DIRECT);
  const raw = create(TxRawSchema, { ...doc, signatures: [fromHex(DIRECT)] });
  expect(toHexUpper(sha256(toBinary(TxRawSchema, raw)))).toBe(HASH);
});

test("SIGN_MODE_LEGACY_AMINO_JSON: the recorded signature is one of the document that is made here", async () => {
  const bytes = aminoSignBytes({
    body: bodyWith("a<b&c"),
    fee: create(AuthInfoSchema, { fee: FEE }).fee,
    chainId: "lab-1",
    accountNumber: 7n,
    sequence: 5n,
  });
  const options = { prehash: false, lowS: true };
  const digest = sha256(bytes ?? new Uint8Array());
  expect(secp256k1.verify(fromHex(AMINO), digest, KEY, options)).toBe(true);
  const wallet = await Secp256k1HdWallet.fromMnemonic(MNEMONIC);
  const { signature } = await wallet.signAmino(
    ADDRESS,
    JSON.parse(new TextDecoder().decode(bytes)),
  );
  expect(toHex(Buffer.from(signature.signature, "base64"))).toBe(AMINO);
});
