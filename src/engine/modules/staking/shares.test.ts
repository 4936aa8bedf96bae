import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decFromInt, decFromString, truncateInt } from "../../../base/dec.ts";
import { thrownBy } from "../../framework/testing.ts";
import {
  addTokensFromDel,
  consensusPower,
  hasInvalidExRate,
  potentialPower,
  removeDelShares,
  sharesFromTokens,
  tokensFromShares,
} from "./shares.ts";
import type { Validator } from "./types.ts";

const validator = (tokens: bigint, shares: string, status: Validator["status"] = "bonded") =>
  ({ tokens, delegatorShares: decFromString(shares), status }) as Validator;

describe("shares and tokens (rules/staking 2.1)", () => {
  test("the first delegation buys one share per token", () => {
    const { validator: after, issued } = addTokensFromDel(validator(0n, "0"), 10n);
    expect(issued).toBe(decFromInt(10));
    expect(after).toMatchObject({ tokens: 10n, delegatorShares: decFromInt(10) });
  });

  test("after a slash a token buys more than a share", () => {
    const { issued } = addTokensFromDel(validator(50n, "100"), 10n);
    expect(issued).toBe(decFromInt(20));
  });

  test("tokens from shares rounds half to even, shares from tokens truncates", () => {
    expect(tokensFromShares(validator(2n, "3"), decFromInt(1))).toBe(
      decFromString("0.666666666666666667"),
    );
    expect(sharesFromTokens(validator(3n, "2"), 1n)).toBe(decFromString("0.666666666666666666"));
  });

  test("shares of a validator without tokens cannot be priced: staking 22", () => {
    const error = thrownBy(() => sharesFromTokens(validator(0n, "5"), 1n));
    expect(error).toMatchObject({
      codespace: "staking",
      code: 22,
      message: "insufficient delegation shares",
    });
  });

  test("removing the last shares takes all tokens, others leave the fraction behind", () => {
    expect(removeDelShares(validator(10n, "3"), decFromInt(1))).toMatchObject({
      issued: 3n,
      validator: { tokens: 7n, delegatorShares: decFromInt(2) },
    });
    expect(removeDelShares(validator(7n, "2"), decFromInt(2)).issued).toBe(7n);
  });

  test("no tokens behind shares is an invalid exchange rate", () => {
    expect(hasInvalidExRate(validator(0n, "1"))).toBe(true);
    expect(hasInvalidExRate(validator(0n, "0"))).toBe(false);
  });

  test("power is whole millions of tokens, and none unless bonded", () => {
    expect(potentialPower(validator(1_999_999n, "1"))).toBe(1);
    expect(consensusPower(validator(1_999_999n, "1", "unbonding"))).toBe(0);
    expect(potentialPower(validator(2n * 10n ** 21n - 1n, "1"))).toBe(1_999_999_999_999_999);
  });

  test("what is put in and taken out again is never more than was put in", () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 15n });
    fc.assert(
      fc.property(amount, amount, amount, (tokens, shares, added) => {
        const before = { ...validator(tokens, "0"), delegatorShares: decFromInt(shares) };
        const { validator: after, issued } = addTokensFromDel(before, added);
        const { issued: back, validator: last } = removeDelShares(after, issued);
        expect(back <= added).toBe(true);
        expect(last.tokens >= tokens).toBe(true);
        expect(truncateInt(tokensFromShares(last, last.delegatorShares))).toBe(last.tokens);
      }),
    );
  });
});
