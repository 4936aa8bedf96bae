import { expect, test } from "vitest";
import { GENESIS_TIME, testAddress } from "../../framework/testing.ts";
import { consAddress } from "../../primitives/bech32.ts";
import { anyCodec, EvidenceCodec } from "./codec.ts";
import { describerOf } from "./describe.ts";
import { Equivocation } from "./equivocation.ts";
import { evidenceKey } from "./keys.ts";

const describe = describerOf(new EvidenceCodec());
const evidence = Equivocation.of(4, GENESIS_TIME, 10, consAddress(testAddress("val")));
const key = evidenceKey(evidence.hash());

test("stored evidence reads as its type prints it", () => {
  expect(describe(key, anyCodec.encode(evidence.pack()))).toEqual({
    kind: "evidence",
    of: [],
    value: evidence.string(),
  });
});

test("evidence of a type that the binary does not know has no reading", () => {
  const foreign = { ...evidence.pack(), typeUrl: "/other" };
  expect(describe(key, anyCodec.encode(foreign)).value).toBe("");
});
