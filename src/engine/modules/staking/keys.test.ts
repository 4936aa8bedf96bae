import { expect, test } from "vitest";
import { compare, toHex } from "../../../base/bytes.ts";
import { parseRfc3339 } from "../../../base/time.ts";
import { testAddress } from "../../framework/testing.ts";
import {
  addressKey,
  delegationByValKey,
  parseAddressKey,
  parseDelegationByValKey,
  powerIndexKey,
  validatorQueueKey,
} from "./keys.ts";
import type { Validator } from "./types.ts";

const key = (name: string, tokens: bigint) =>
  powerIndexKey({ operator: testAddress(name), tokens } as Validator);

test("the power index, read backwards, gives the greatest power first and of equals the lowest address", () => {
  const keys = [
    key("b", 5_000_000n),
    key("a", 5_000_000n),
    key("c", 4_000_000n),
    key("d", 300_000_000n),
  ];
  const [b, a, c, d] = keys as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  expect([...keys].sort((x, y) => compare(y, x))).toEqual([d, a, b, c]);
});

test("the power index key is 0x23, power, length and the inverted address", () => {
  const operator = new Uint8Array(20).fill(0x0f);
  const hex = toHex(powerIndexKey({ operator, tokens: 258_999_999n } as Validator));
  expect(hex).toBe(`230000000000000102${"14"}${"f0".repeat(20)}`);
});

test("tokens below a million do not move the rank", () => {
  expect(key("a", 5_000_000n)).toEqual(key("a", 5_999_999n));
});

test("the validators' queue has the length of its time before it and the height behind it", () => {
  expect(toHex(validatorQueueKey(parseRfc3339("2026-01-01T00:00:00Z"), 7))).toMatch(
    /^43000000000000001d.{58}0000000000000007$/,
  );
});

test("addresses come out of a key as they went in", () => {
  const [a, b] = [testAddress("a"), testAddress("b")];
  expect(parseAddressKey(addressKey(0x34, a, b))).toEqual([a, b]);
});

test("the index of a validator's delegations has a length before the validator alone", () => {
  const [operator, delegator] = [testAddress("a"), testAddress("b")];
  const key = delegationByValKey(operator, delegator);
  expect(toHex(key)).toBe(`7114${toHex(operator)}${toHex(delegator)}`);
  expect(parseDelegationByValKey(key)).toEqual({ operator, delegator });
});
