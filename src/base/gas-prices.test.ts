import { expect, test } from "vitest";
import { feesAt, readGasPrices } from "./gas-prices.ts";

test("fees are prices times gas, rounded up, in the order of denoms, without those of zero", () => {
  expect(feesAt("0.025stake, 2atom,0photon", 100_001n)).toEqual([
    { denom: "atom", amount: 200_002n },
    { denom: "stake", amount: 2_501n },
  ]);
  expect(feesAt("", 5n)).toEqual([]);
});

test.each([
  ["cheap", 'expected prices such as 0.025stake, found "cheap"'],
  ["1stake,", 'expected prices such as 0.025stake, found ""'],
  // Denoms of the SDK are never that short.
  ["1ab", 'found "1ab"'],
  ["1.stake", 'found "1.stake"'],
  ["1stake,0.5stake", "expected each denom once, found stake twice"],
])("%j is refused with what was expected", (text, why) => {
  expect(() => readGasPrices(text)).toThrow(why);
});
