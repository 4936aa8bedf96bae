import { expect, test } from "vitest";
import { encodeBech32, fromAccAddress } from "../../base/bech32.ts";
import { toHex, toHexUpper } from "../../base/bytes.ts";
import { sha256 } from "../../base/sha256.ts";
import { fromBase64 } from "../base64.ts";
import { keyOf, newMnemonic, operatorOf } from "./keys.ts";
import { draftTx, encodeTx, signTx } from "./sign-tx.ts";

const WORDS = `${"abandon ".repeat(11)}about`;
const PATH = "m/44'/118'/0'/0/0";
const OTHERS = "cosmos19rl4cm2hmr8afy4kldpxz3fka4jguq0auqdal4";

test("words lead to the key and the account that wallets of the field show", () => {
  const { address, publicKey } = keyOf(`  ${WORDS.toUpperCase()} `, PATH);
  expect(toHex(fromBase64(publicKey))).toBe(
    "024f4e2ad99c34d60b9ba6283c9431a8418af8673212961f97a77b6377fcd05b62",
  );
  expect(encodeBech32("cosmos", fromAccAddress(address))).toBe(OTHERS);
  expect(operatorOf(address)).toMatch(/^chainvaloper1/);
  expect(keyOf(WORDS, "m/44'/118'/0'/0/1").address).not.toBe(address);
});

test("new words are 24, and others each time", () => {
  const [one, other] = [newMnemonic(), newMnemonic()];
  expect(one.split(" ")).toHaveLength(24);
  expect(keyOf(one, PATH).address).not.toBe(keyOf(other, PATH).address);
});

test.each([
  ["abandon about", PATH, "expected 12 to 24 words"],
  [`${"abandon ".repeat(12)}`, PATH, "the last of which fits the others"],
  [WORDS, "44/118", "expected a path such as m/44'/118'/0'/0/0"],
])("%j at %j is refused", (words, path, reason) => {
  expect(() => keyOf(words, path)).toThrow(reason);
});

/** As in upstream's vectors: sent to itself, under upstream's names. */
const vector = (memo: string) => ({
  body: {
    messages: [
      {
        "@type": "/cosmos.bank.v1beta1.MsgSend",
        from_address: OTHERS,
        to_address: OTHERS,
        amount: [{ denom: "stake", amount: "1" }],
      },
    ],
    memo,
  },
  auth_info: { fee: { amount: [{ denom: "stake", amount: "100" }], gas_limit: "200000" } },
});
const { secret } = keyOf(WORDS, PATH);
const place = { secret, chainId: "lab-1", accountNumber: "7", sequence: "5" } as const;

test("the amino document is signed as the field's vector has it", () => {
  const { json } = signTx(vector("a<b&c"), { ...place, mode: "amino-json" });
  const [signature = ""] = (json as { signatures: string[] }).signatures;
  expect(toHex(fromBase64(signature))).toBe(
    "fc78841b3617e910df12033fd11ce1d110a67feaa1097996e8d245390b05e0a77029645373cbab653ccd022e853a39b71f4980a724d0155c4bb09d7b1ba90a39",
  );
});

test("a transaction that was signed is the same bytes when it is read from its JSON", () => {
  const { bytes, json } = signTx(vector("hi"), { ...place, mode: "direct" });
  expect(encodeTx(json)).toBe(bytes);
  expect(toHexUpper(sha256(fromBase64(bytes)))).toHaveLength(64);
  expect(json).toMatchObject({
    body: { memo: "hi", messages: [{ "@type": "/cosmos.bank.v1beta1.MsgSend" }] },
    auth_info: {
      signer_infos: [{ sequence: "5", public_key: { "@type": "/cosmos.crypto.secp256k1.PubKey" } }],
    },
  });
});

test("a draft says what does not fit, and where", () => {
  expect(() =>
    draftTx({ body: { messages: [{ "@type": "/chain.bank.v1beta1.MsgSnd" }] } }),
  ).toThrow("unknown type");
  expect(() => draftTx({ body: { memo: 5 } })).toThrow("body.memo: expected text");
});
