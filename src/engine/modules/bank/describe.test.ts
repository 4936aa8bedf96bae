import { expect, test } from "vitest";
import { accAddress } from "../../../base/bech32.ts";
import { utf8 } from "../../../base/bytes.ts";
import { testAddress } from "../../framework/testing.ts";
import { describe } from "./describe.ts";
import { amountCodec, balanceKey, denomOwnerKey, supplyKey } from "./keys.ts";

const ANN = testAddress("ann");

test("supply and balances are amounts of a denom, an owner is an account", () => {
  const amount = amountCodec.encode(120n);
  expect(describe(supplyKey("stake"), amount)).toEqual({
    kind: "supply",
    of: ["stake"],
    value: "120",
  });
  expect(describe(balanceKey(ANN, "stake"), amount)).toEqual({
    kind: "balance",
    of: [accAddress(ANN), "stake"],
    value: "120",
  });
  expect(describe(denomOwnerKey("stake", ANN), utf8("\0"))).toEqual({
    kind: "denom owner",
    of: ["stake", accAddress(ANN)],
    value: "",
  });
});
