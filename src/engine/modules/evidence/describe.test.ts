import { expect, test } from "vitest";
import { consAddress } from "../../../base/bech32.ts";
import { GENESIS_TIME, testAddress } from "../../framework/testing.ts";
import { anyCodec } from "./codec.ts";
import { describe } from "./describe.ts";
import { Equivocation } from "./equivocation.ts";
import { evidenceKey } from "./keys.ts";

const address = consAddress(testAddress("val"));
const evidence = Equivocation.of(4, GENESIS_TIME, 10, address);
const key = evidenceKey(evidence.hash());

test("stored evidence reads as the fields of its type", () => {
  const { kind, of, value } = describe(key, anyCodec.encode(evidence.pack()));
  expect([kind, of]).toEqual(["evidence", []]);
  expect(JSON.parse(value)).toEqual({
    type: "/chain.evidence.v1beta1.Equivocation",
    height: "4",
    time: "2026-01-01T00:00:00Z",
    power: "10",
    consensusAddress: address,
  });
});

test("evidence of a type that is not known reads as its type and its bytes", () => {
  const foreign = { ...evidence.pack(), typeUrl: "/other" };
  expect(JSON.parse(describe(key, anyCodec.encode(foreign)).value)).toEqual({
    type: "/other",
    value: expect.stringMatching(/^[0-9A-F]+$/),
  });
});
