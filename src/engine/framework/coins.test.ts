import { describe, expect, test } from "vitest";
import {
  addCoins,
  coinFromMessage,
  coinsFromMessages,
  coinsProblem,
  formatCoins,
  isAllGte,
  parseCoins,
  subCoins,
} from "./coins.ts";

const coins = (text: string) => parseCoins(text);

describe("coins as text", () => {
  test("are read in any order and written sorted by denom", () => {
    expect(formatCoins(coins("10000000stake,5atom"))).toBe("5atom,10000000stake");
    expect(coins("")).toEqual([]);
  });

  test.each([
    ["stake", "invalid decimal coin expression: stake"],
    ["-5stake", "invalid decimal coin expression: -5stake"],
    ["5s", "invalid decimal coin expression: 5s"],
    ["1.5stake", "invalid decimal coin expression: 1.5stake"],
    ["5stake,5stake", "duplicate denomination stake"],
    ["0stake", "coin 0stake amount is not positive"],
    [`${2n ** 256n}stake`, `invalid decimal coin expression: ${2n ** 256n}stake`],
  ])("%s is refused", (text, message) => {
    expect(() => coins(text)).toThrow(message);
  });
});

test("coins are valid only if sorted, named once and positive", () => {
  expect(
    coinsProblem([
      { denom: "stake", amount: 1n },
      { denom: "atom", amount: 1n },
    ]),
  ).toBe("denomination atom is not sorted");
  expect(coinsProblem([{ denom: "1x", amount: 1n }])).toBe("invalid denom: 1x");
  expect(coinsProblem(coins("1atom,1stake"))).toBeUndefined();
});

test("sums and differences drop denoms that come to zero", () => {
  expect(addCoins(coins("1atom,2stake"), coins("3stake"))).toEqual(coins("1atom,5stake"));
  expect(subCoins(coins("1atom,2stake"), coins("2stake"))).toEqual(coins("1atom"));
  expect(isAllGte(coins("1atom,2stake"), coins("2stake"))).toBe(true);
  expect(isAllGte(coins("1atom"), coins("2stake"))).toBe(false);
});

test("an amount of a message that is no integer is no coin", () => {
  expect(coinFromMessage({ denom: "stake", amount: "12" })).toEqual({
    denom: "stake",
    amount: 12n,
  });
  expect(coinFromMessage({ denom: "stake", amount: "1.2" })).toBeUndefined();
  expect(coinFromMessage(undefined)).toBeUndefined();
  expect(() => coinsFromMessages([{ denom: "stake", amount: "x" }])).toThrow(
    "xstake: invalid coins",
  );
});
