import { create, type DescMessage, toBinary } from "@bufbuild/protobuf";
import { type Any, AnySchema } from "@bufbuild/protobuf/wkt";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { accAddress, valAddress } from "../../base/bech32.ts";
import { concat, EMPTY } from "../../base/bytes.ts";
import { sha256 } from "../../base/sha256.ts";
import { MsgSendSchema } from "../../gen/chain/bank/v1beta1/tx_pb.ts";
import { PubKeySchema as ConsensusKeySchema } from "../../gen/chain/crypto/ed25519/keys_pb.ts";
import { PubKeySchema } from "../../gen/chain/crypto/secp256k1/keys_pb.ts";
import { EquivocationSchema } from "../../gen/chain/evidence/v1beta1/evidence_pb.ts";
import { MsgSubmitEvidenceSchema } from "../../gen/chain/evidence/v1beta1/tx_pb.ts";
import { MsgSubmitProposalSchema, MsgVoteSchema } from "../../gen/chain/gov/v1/tx_pb.ts";
import { MsgUnjailSchema } from "../../gen/chain/slashing/v1beta1/tx_pb.ts";
import { MsgCreateValidatorSchema } from "../../gen/chain/staking/v1beta1/tx_pb.ts";
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from "../../gen/chain/tx/v1beta1/tx_pb.ts";
import { MsgCancelUpgradeSchema } from "../../gen/chain/upgrade/v1beta1/tx_pb.ts";
import { deliverTx, readTx } from "../app/deliver-tx.ts";
import { acceptSignedTxs, admit, readSigned, signersOf, unpackKey } from "../app/signed-tx.ts";
import { packInit } from "../framework/codec.ts";
import { accountOf } from "../modules/bank/account-records.ts";
import { Simulation } from "./simulation.ts";
import { runTo, worldSpec } from "./testing.ts";

beforeAll(acceptSignedTxs);

const asCosmos = ({ typeUrl, value }: Any): Any =>
  create(AnySchema, { typeUrl: typeUrl.replace("/chain.", "/cosmos."), value });

const addressOf = (sim: Simulation, name: string): Uint8Array => sim.account(name) ?? EMPTY;

const keyOf = (first: number): Uint8Array => new Uint8Array(33).fill(first);
const packedKey = (key: Uint8Array): Any => asCosmos(packInit(PubKeySchema, { key }));

/** Message in which an account sends coins to itself. */
const send = (sim: Simulation, name: string, amount = "1"): Any => {
  const address = accAddress(addressOf(sim, name));
  const coins = [{ denom: "stake", amount }];
  return packInit(MsgSendSchema, { fromAddress: address, toAddress: address, amount: coins });
};

interface Signing {
  readonly sequence?: bigint;
  readonly key?: Uint8Array;
}

interface Written {
  readonly messages: readonly Any[];
  /** One per signer; default: one signer with sequence 0. */
  readonly infos?: readonly Signing[];
  readonly signatures?: number;
  readonly timeoutHeight?: bigint;
}

/**
 * Signed transaction; a block requires one signature per signer, but does not check their contents.
 */
function signed({
  messages,
  infos = [{}],
  signatures = infos.length,
  timeoutHeight = 0n,
}: Written) {
  const signerInfos = infos.map(({ sequence = 0n, key }) => ({
    sequence,
    ...(key && { publicKey: packedKey(key) }),
  }));
  return toBinary(
    TxRawSchema,
    create(TxRawSchema, {
      bodyBytes: toBinary(
        TxBodySchema,
        create(TxBodySchema, { messages: [...messages], timeoutHeight }),
      ),
      authInfoBytes: toBinary(AuthInfoSchema, create(AuthInfoSchema, { signerInfos })),
      signatures: Array.from({ length: signatures }, () => new Uint8Array(64)),
    }),
  );
}

/**
 * A world at height 2, and a function that returns the result of a transaction in its next block.
 */
function chain() {
  const sim = Simulation.create(worldSpec());
  runTo(sim, 2);
  const inBlock = (source: Written) => {
    const bytes = signed(source);
    sim.apply({ type: "signed_tx", bytes });
    runTo(sim, sim.height + 1);
    const { code, codespace, log } = sim.tx(sha256(bytes)) ?? {};
    return { code, codespace, log };
  };
  const account = (name: string) => sim.read((ctx) => accountOf(ctx, addressOf(sim, name)));
  return { sim, inBlock, account };
}

const PASSED = { code: 0, codespace: "", log: "" };

describe("a block refuses a signed transaction", () => {
  test("only once it is above its timeout height", () => {
    const { sim, inBlock } = chain();
    const messages = [send(sim, "alice")];
    expect(inBlock({ messages, timeoutHeight: 3n })).toEqual(PASSED);
    const again = { messages, infos: [{ sequence: 1n }], timeoutHeight: 3n };
    expect(inBlock(again)).toEqual({
      code: 30,
      codespace: "sdk",
      log: "block height: 4, timeout height: 3: tx timeout height",
    });
    expect(inBlock({ messages, infos: [{ sequence: 1n }] })).toEqual(PASSED);
  });

  test("that nobody signed, before it counts who had to", () => {
    const { sim, inBlock } = chain();
    expect(inBlock({ messages: [send(sim, "alice")], signatures: 0 })).toEqual({
      code: 15,
      codespace: "sdk",
      log: "no signatures supplied",
    });
  });

  test.each([
    ["too few signatures", { infos: [{}, {}], signatures: 1 }, 1],
    ["too many signatures", { infos: [{}, {}], signatures: 3 }, 3],
    ["too few infos of signers", { infos: [{}], signatures: 2 }, 2],
    ["too many infos of signers", { infos: [{}, {}, {}], signatures: 2 }, 2],
  ])("with %s", (_, signing, got) => {
    const { sim, inBlock, account } = chain();
    const messages = [send(sim, "alice"), send(sim, "val-0")];
    expect(inBlock({ messages, ...signing })).toEqual({
      code: 4,
      codespace: "sdk",
      log: `wrong number of signers; expected 2, got ${got}: unauthorized`,
    });
    expect(account("alice")?.sequence).toBe(0n);
  });

  test("of an account that never received coins", () => {
    const { inBlock } = chain();
    const address = accAddress(new Uint8Array(20).fill(9));
    const amount = [{ denom: "stake", amount: "1" }];
    const fields = { fromAddress: address, toAddress: address, amount };
    expect(inBlock({ messages: [packInit(MsgSendSchema, fields)] })).toEqual({
      code: 9,
      codespace: "sdk",
      log: `account ${address} does not exist: unknown address`,
    });
  });

  test("with another sequence than its account's next, and changes nothing", () => {
    const { sim, inBlock, account } = chain();
    const messages = [send(sim, "alice")];
    expect(inBlock({ messages, infos: [{ sequence: 1n, key: keyOf(2) }] })).toEqual({
      code: 32,
      codespace: "sdk",
      log: "account sequence mismatch, expected 0, got 1: incorrect account sequence",
    });
    expect(account("alice")).toMatchObject({ sequence: 0n, pubKey: EMPTY });
    expect(inBlock({ messages })).toEqual(PASSED);
    expect(inBlock({ messages, infos: [{ sequence: 0n, key: keyOf(2) }] }).code).toBe(32);
    expect(account("alice")?.sequence).toBe(1n);
  });

  test("where the sequence of the second signer alone is wrong", () => {
    const { sim, inBlock, account } = chain();
    const messages = [send(sim, "alice"), send(sim, "val-0")];
    expect(inBlock({ messages, infos: [{}, { sequence: 7n }] }).log).toBe(
      "account sequence mismatch, expected 0, got 7: incorrect account sequence",
    );
    expect(account("alice")?.sequence).toBe(0n);
  });

  test("that it cannot read, with the reason", () => {
    const { sim } = chain();
    // A body shorter than its declared length.
    const bytes = Uint8Array.of(0x0a, 0x02, 0x0a, 0x09);
    const result = sim.read((ctx, app) => deliverTx(ctx, app.router, bytes));
    expect(result).toMatchObject({
      code: 2,
      codespace: "sdk",
      log: "unexpected EOF: tx parse error",
    });
  });
});

describe("an account", () => {
  test("keeps the key of its first transaction, whatever a later one gives", () => {
    const { sim, inBlock, account } = chain();
    const messages = [send(sim, "alice")];
    expect(account("alice")?.pubKey).toEqual(EMPTY);
    expect(inBlock({ messages, infos: [{ key: keyOf(2) }] })).toEqual(PASSED);
    expect(account("alice")?.pubKey).toEqual(keyOf(2));
    expect(inBlock({ messages, infos: [{ sequence: 1n, key: keyOf(3) }] })).toEqual(PASSED);
    expect(account("alice")).toMatchObject({ sequence: 2n, pubKey: keyOf(2) });
    expect(inBlock({ messages, infos: [{ sequence: 2n }] })).toEqual(PASSED);
    expect(account("alice")).toMatchObject({ sequence: 3n, pubKey: keyOf(2) });
  });

  test("has no key before a transaction gives one", () => {
    const { sim, inBlock, account } = chain();
    const number = account("alice")?.number;
    expect(inBlock({ messages: [send(sim, "alice")] })).toEqual(PASSED);
    expect(account("alice")).toEqual({ number, sequence: 1n, pubKey: EMPTY });
    const later = { messages: [send(sim, "alice")], infos: [{ sequence: 1n, key: keyOf(3) }] };
    expect(inBlock(later)).toEqual(PASSED);
    expect(account("alice")).toEqual({ number, sequence: 2n, pubKey: keyOf(3) });
  });

  test("has used its sequence even where its messages fail", () => {
    const { sim, inBlock, account } = chain();
    const messages = [send(sim, "alice", "9".repeat(30))];
    const { code, log } = inBlock({ messages, infos: [{ key: keyOf(2) }] });
    expect([code, log]).toEqual([5, expect.stringContaining("message index: 0")]);
    expect(account("alice")).toMatchObject({ sequence: 1n, pubKey: keyOf(2) });
  });

  test("that signs beside another has a sequence and a key of its own", () => {
    const { sim, inBlock, account } = chain();
    const both = [send(sim, "alice"), send(sim, "val-0"), send(sim, "alice")];
    expect(inBlock({ messages: both, infos: [{ key: keyOf(2) }, { key: keyOf(3) }] })).toEqual(
      PASSED,
    );
    expect(account("alice")).toMatchObject({ sequence: 1n, pubKey: keyOf(2) });
    expect(account("val-0")).toMatchObject({ sequence: 1n, pubKey: keyOf(3) });
    expect(account("val-1")).toMatchObject({ sequence: 0n, pubKey: EMPTY });
  });
});

describe("who is admitted", () => {
  test("is every signer with the account, by the state's sequence unless another is asked for", () => {
    const { sim } = chain();
    const messages = [send(sim, "val-0"), send(sim, "alice")];
    const addresses = [addressOf(sim, "val-0"), addressOf(sim, "alice")];
    const tx = readSigned(signed({ messages, infos: [{}, {}] }));
    sim.read((ctx) => {
      const admitted = admit(ctx, tx);
      expect(admitted.map(({ address }) => address)).toEqual(addresses);
      expect(admitted.map(({ account }) => account)).toEqual(
        addresses.map((address) => accountOf(ctx, address)),
      );
      expect(() => admit(ctx, tx, () => 5n)).toThrow("mismatch, expected 5, got 0");
    });
    const waiting = readSigned(signed({ messages, infos: [{ sequence: 5n }, { sequence: 5n }] }));
    sim.read((ctx) => {
      expect(admit(ctx, waiting, ({ account }) => account.sequence + 5n)).toHaveLength(2);
    });
  });

  test("is not decided by a fault of the simulator: it is thrown on", () => {
    const { sim } = chain();
    const bytes = signed({ messages: [send(sim, "alice")] });
    sim.read((ctx, app) => {
      vi.spyOn(ctx, "memory").mockImplementation(() => {
        throw new TypeError("a bug");
      });
      expect(() => deliverTx(ctx, app.router, bytes)).toThrow(new TypeError("a bug"));
      vi.restoreAllMocks();
    });
  });
});

describe("the signers of messages", () => {
  test("are in order of appearance, each once, under either prefix of an address", () => {
    const [one, two] = [new Uint8Array(20).fill(1), new Uint8Array(20).fill(2)];
    const messages = [
      packInit(MsgUnjailSchema, { validatorAddr: valAddress(two) }),
      packInit(MsgSendSchema, { fromAddress: accAddress(one), toAddress: accAddress(two) }),
      packInit(MsgVoteSchema, { voter: accAddress(two) }),
      packInit(MsgSubmitEvidenceSchema, { submitter: accAddress(one) }),
      packInit(MsgCancelUpgradeSchema, { authority: accAddress(one) }),
      packInit(MsgCreateValidatorSchema, { validatorAddress: valAddress(two) }),
    ];
    expect(signersOf(messages)).toEqual([two, one]);
    expect(signersOf(messages.map(asCosmos))).toEqual([two, one]);
    expect(signersOf([])).toEqual([]);
  });

  test.each([
    [
      "an unknown type",
      { typeUrl: "/chain.nft.MsgSend", value: EMPTY },
      /^unable to resolve type URL \/chain\.nft\.MsgSend: tx parse error$/,
    ],
    [
      "no address",
      packInit(MsgVoteSchema, { voter: "nobody" }),
      /^decoding bech32 failed: invalid bech32 string length 6: tx parse error$/,
    ],
    [
      "nothing where the address is",
      packInit(MsgVoteSchema, {}),
      /^empty address string is not allowed: tx parse error$/,
    ],
    [
      "an operator where an account is named",
      packInit(MsgVoteSchema, { voter: valAddress(new Uint8Array(20)) }),
      /^hrp does not match bech32 prefix: expected 'chain' got 'chainvaloper': internal logic error: tx parse error$/,
    ],
    [
      "bytes that are none of its type",
      { typeUrl: "/chain.gov.v1.MsgVote", value: Uint8Array.of(0x12, 9) },
      /^(?!.*address).+: tx parse error$/,
    ],
  ])("cannot be told of %s", (_, message, reason) => {
    expect(() => signersOf([create(AnySchema, message)])).toThrow(reason);
  });
});

const readBack = (...messages: readonly Any[]): readonly Any[] =>
  readSigned(signed({ messages })).messages;

describe("read from a signed transaction", () => {
  test.each([
    ["a proposal", MsgSubmitProposalSchema, 4, { messages: [packInit(MsgVoteSchema, {})] }],
    ["a proposal of nothing", MsgSubmitProposalSchema, 4, {}],
    ["evidence", MsgSubmitEvidenceSchema, 1, { evidence: packInit(EquivocationSchema, {}) }],
    ["no evidence", MsgSubmitEvidenceSchema, 1, {}],
    ["a key", MsgCreateValidatorSchema, 5, { pubkey: packInit(ConsensusKeySchema, {}) }],
    ["no key", MsgCreateValidatorSchema, 5, {}],
  ] as const)("%s stays as it was written, byte for byte", (_, schema, text, fields) => {
    const { typeUrl, value } = packInit<DescMessage>(schema, fields);
    // A text field that occurs twice, the second time empty: re-encoding would omit it.
    const tag = text * 8 + 2;
    const odd = concat(value, Uint8Array.of(tag, 1, 0x61, tag, 0));
    expect(readBack(create(AnySchema, { typeUrl, value: odd }))).toMatchObject([
      { typeUrl, value: odd },
    ]);
  });

  test("its first signer is told where it is read for what is in it", () => {
    const { sim } = chain();
    const messages = [asCosmos(send(sim, "val-0")), send(sim, "alice")];
    const read = readTx(signed({ messages, infos: [{}, {}] }));
    expect(read.signer).toEqual(addressOf(sim, "val-0"));
    expect(read.messages.map(({ typeUrl }) => typeUrl)).toEqual([
      "/cosmos.bank.v1beta1.MsgSend",
      "/chain.bank.v1beta1.MsgSend",
    ]);
    expect(readTx(signed({ messages: [] }))).toEqual({ messages: [], signer: EMPTY });
  });
});

describe("the key of a signer", () => {
  const key = keyOf(2);

  test("is read under either root", () => {
    expect(unpackKey(packedKey(key))).toEqual(key);
    expect(unpackKey(packInit(PubKeySchema, { key }))).toEqual(key);
  });

  test.each([
    ["is absent", undefined],
    [
      "is of another kind",
      asCosmos(packInit(ConsensusKeySchema, { key: new Uint8Array(33).fill(2) })),
    ],
    ["has a longer name", { ...packedKey(key), typeUrl: "/cosmos.crypto.secp256k1.PubKeys" }],
    ["is too short", packedKey(key.slice(1))],
    ["is too long", packedKey(concat(key, Uint8Array.of(1)))],
    ["has another tag", { ...packedKey(key), value: concat(Uint8Array.of(0x12, 33), key) }],
    ["says another length", { ...packedKey(key), value: concat(Uint8Array.of(0x0a, 32), key) }],
    [
      "has something behind it",
      { ...packedKey(key), value: concat(packedKey(key).value, EMPTY, Uint8Array.of(0)) },
    ],
  ])("is none where it %s", (_, any) => {
    expect(unpackKey(any as Any | undefined)).toBeUndefined();
  });
});
