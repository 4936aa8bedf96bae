import { expect, test } from "vitest";
import { fromUtf8, utf8 } from "../../../base/bytes.ts";
import { decFromString, ONE } from "../../../base/dec.ts";
import { SECOND } from "../../../base/time.ts";
import {
  DEFAULT_PARAMS,
  minSigned,
  type Params,
  paramsFromMessage,
  paramsToMessage,
  validParams,
} from "./types.ts";

test.each([
  [{ signedBlocksWindow: 0 }, "signed blocks window must be positive: 0"],
  [{ minSignedPerWindow: -1n }, "min signed per window cannot be negative: -0.000000000000000001"],
  [{ minSignedPerWindow: 2n * ONE }, "min signed per window too large: 2.000000000000000000"],
  [{ downtimeJailDuration: -SECOND }, "downtime jail duration must be positive: -1s"],
  [
    { slashFractionDoubleSign: -ONE },
    "double sign slash fraction cannot be negative: -1.000000000000000000",
  ],
  [{ slashFractionDowntime: 2n * ONE }, "downtime slash fraction too large: 2.000000000000000000"],
] as [Partial<Params>, string][])("%# is refused: %s", (change, text) => {
  expect(() => validParams(paramsToMessage({ ...DEFAULT_PARAMS, ...change }))).toThrow(text);
});

test("a window that no double holds is refused by its digits", () => {
  const params = { ...paramsToMessage(DEFAULT_PARAMS), signedBlocksWindow: -(2n ** 63n) };
  expect(() => validParams(params)).toThrow(
    "signed blocks window must be positive: -9223372036854775808",
  );
});

test("a decimal of no digits is refused by its text", () => {
  const params = { ...paramsToMessage(DEFAULT_PARAMS), slashFractionDowntime: utf8("-") };
  expect(() => validParams(params)).toThrow("invalid decimal: -");
});

test("the blocks to be signed round half to even", () => {
  const signed = (window: number, ratio: string) =>
    minSigned({
      ...DEFAULT_PARAMS,
      signedBlocksWindow: window,
      minSignedPerWindow: decFromString(ratio),
    });
  expect(signed(100, "0.5")).toBe(50);
  expect(signed(5, "0.5")).toBe(2);
  expect(signed(7, "0.5")).toBe(4);
});

test("decimals are stored as the digits of value × 10^18", () => {
  const message = paramsToMessage(DEFAULT_PARAMS);
  expect(fromUtf8(message.slashFractionDoubleSign)).toBe("50000000000000000");
  expect(paramsFromMessage(message)).toEqual(DEFAULT_PARAMS);
});
