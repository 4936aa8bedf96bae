import { create, toBinary } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { accAddress, consAddress, valAddress } from "../../base/bech32.ts";
import { concat, u64be, utf8 } from "../../base/bytes.ts";
import {
  accountPart,
  consensusPart,
  describer,
  numberPart,
  numberText,
  textRest,
  timePart,
  validatorPart,
} from "./describe.ts";
import { addressKey, timeKey } from "./keys.ts";
import { messageText } from "./message-text.ts";
import { GENESIS_TIME, testAddress } from "./testing.ts";

const [ANN, BOB, CY] = [testAddress("ann"), testAddress("bob"), testAddress("cy")];
const NONE = new Uint8Array();

const PREFIX = { stake: 7, queue: 8, last: 9 } as const;
const describe = describer(PREFIX, {
  stake: {
    kind: "stake",
    of: [accountPart, validatorPart, consensusPart],
    value: messageText(AnySchema),
  },
  queue: { kind: "queue", of: [timePart, numberPart, textRest], value: numberText },
  last: { kind: "last" },
});

test("addresses in a key are read one after the other, each in its own form", () => {
  const { kind, of } = describe(addressKey(PREFIX.stake, ANN, BOB, CY), NONE);
  expect(kind).toBe("stake");
  expect(of).toEqual([accAddress(ANN), valAddress(BOB), consAddress(CY)]);
});

test("a message's fields are JSON, with bytes in hex and without protobuf's own marks", () => {
  const any = create(AnySchema, { typeUrl: "/x", value: Uint8Array.of(0xab, 1) });
  const { value } = describe(addressKey(PREFIX.stake, ANN, BOB, CY), toBinary(AnySchema, any));
  expect(value).toBe('{"type":"/x","value":"AB01"}');
});

test("times, numbers and what is left of a key follow each other", () => {
  const key = concat(Uint8Array.of(PREFIX.queue), timeKey(GENESIS_TIME), u64be(5), utf8("end"));
  expect(describe(key, u64be(12))).toEqual({
    kind: "queue",
    of: ["2026-01-01T00:00:00.000000000", "5", "end"],
    value: "12",
  });
});

test("a kind without parts and without a reading of its value has neither", () => {
  const key = Uint8Array.of(PREFIX.last, 1, 2);
  expect(describe(key, utf8("x"))).toEqual({ kind: "last", of: [], value: "" });
});

test("bytes that no module writes break nothing: the other half is still read", () => {
  const short = addressKey(PREFIX.stake, ANN).subarray(0, -1);
  expect(describe(short, NONE)).toEqual({
    kind: "stake",
    of: [],
    value: '{"type":"","value":""}',
  });
  const whole = addressKey(PREFIX.stake, ANN, BOB, CY);
  expect(describe(whole, Uint8Array.of(0xff)).value).toBe("");
  expect(describe(whole, Uint8Array.of(0xff)).of).toHaveLength(3);
});

test("a key of no kind keeps what can be read in it and in its value", () => {
  expect(describe(utf8("built on"), utf8("val-0 ~"))).toEqual({
    kind: "",
    of: ["built on"],
    value: "val-0 ~",
  });
  expect(describe(Uint8Array.of(0x20, 0x1f), Uint8Array.of(0x7f))).toEqual({
    kind: "",
    of: [""],
    value: "",
  });
  expect(describe(NONE, NONE)).toEqual({ kind: "", of: [""], value: "" });
});

test("a key is written from what it reads as, by addresses and by names that stand for them", () => {
  const key = addressKey(PREFIX.stake, ANN, BOB, CY);
  const name = ["stake", accAddress(ANN), valAddress(BOB), consAddress(CY)].join(" ");
  expect(describe.keyNamed(name, (word) => [word])).toEqual(key);
  const forms = [[accAddress(ANN), valAddress(ANN)], [valAddress(BOB)], [consAddress(CY)]];
  const formsOf = (word: string) => [word, ...(forms[["ann", "bob", "cy"].indexOf(word)] ?? [])];
  expect(describe.keyNamed("Stake ann bob cy", formsOf)).toEqual(key);
  const queue = concat(Uint8Array.of(PREFIX.queue), timeKey(GENESIS_TIME), u64be(5), utf8("end"));
  expect(describe.keyNamed("queue 2026-01-01T00:00:00.000000000 5 end", (word) => [word])).toEqual(
    queue,
  );
  expect(describe.keyNamed("last", (word) => [word])).toEqual(Uint8Array.of(PREFIX.last));
});

test.each([
  "",
  "stakes",
  "stake ann bob cy",
  "stake",
  "last one",
  "queue today 5 end",
  "queue 2026-01-01T00:00:00.000000000 five end",
])("no key reads as %j", (name) => {
  expect(describe.keyNamed(name, (word) => [word])).toBeUndefined();
});
