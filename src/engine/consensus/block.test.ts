import { describe, expect, test } from "vitest";
import { toHexUpper } from "../primitives/bytes.ts";
import { type ExpectedHeader, headerFault } from "./block.ts";
import { blockIdText, NIL_BLOCK_ID } from "./block-id.ts";
import type { Header } from "./header.ts";
import { digest, headerOf, T0, validatorsOf } from "./testing.ts";

const { set } = validatorsOf(1, 2);
const header = headerOf(set);
const expected: ExpectedHeader = { ...header, lastTime: T0 - 1n, validators: set.list };
const fault = (fields: Partial<Header>): string | null =>
  headerFault({ ...header, ...fields }, expected);
const wrong = digest("wrong");

describe("a header is refused in CometBFT's words for", () => {
  test("nothing, when it is as expected", () => expect(fault({})).toBeNull());

  test.each([
    ["appHash", "AppHash"],
    ["consensusHash", "ConsensusHash"],
    ["lastResultsHash", "LastResultsHash"],
    ["validatorsHash", "ValidatorsHash"],
    ["nextValidatorsHash", "NextValidatorsHash"],
  ] as const)("another %s", (field, name) => {
    expect(fault({ [field]: wrong })).toBe(
      `wrong Block.Header.${name}.  Expected ${toHexUpper(header[field])}, got ${toHexUpper(wrong)}`,
    );
  });

  test("another version, chain, height or last block", () => {
    expect(fault({ version: { block: 11, app: 1 } })).toBe(
      "wrong Block.Header.Version. Expected {11 0}, got {11 1}",
    );
    expect(fault({ chainId: "x" })).toBe("wrong Block.Header.ChainID. Expected chainlab-1, got x");
    expect(fault({ height: 11 })).toBe("wrong Block.Header.Height. Expected 10, got 11");
    expect(fault({ lastBlockId: NIL_BLOCK_ID })).toBe(
      `wrong Block.Header.LastBlockID.  Expected ${blockIdText(header.lastBlockId)}, got :0:000000000000`,
    );
  });

  test("another last commit", () =>
    expect(fault({ lastCommitHash: wrong })).toBe(
      `wrong Header.LastCommitHash. Expected ${toHexUpper(header.lastCommitHash)}, got ${toHexUpper(wrong)}`,
    ));

  test("a proposer outside the set", () =>
    expect(fault({ proposerAddress: wrong.subarray(0, 20) })).toBe(
      `block.Header.ProposerAddress ${toHexUpper(wrong.subarray(0, 20))} is not a validator`,
    ));

  test("a time that stands still, or is not the median", () => {
    expect(fault({ time: T0 - 1n })).toBe(
      "block time 2025-12-31 23:59:59.999999999 +0000 UTC not greater than last block time 2025-12-31 23:59:59.999999999 +0000 UTC",
    );
    expect(fault({ time: T0 + 1n })).toBe(
      "invalid block time. Expected 2026-01-01 00:00:00 +0000 UTC, got 2026-01-01 00:00:00.000000001 +0000 UTC",
    );
  });

  test("a first block without the genesis time", () => {
    const first = { ...expected, lastTime: null };
    expect(headerFault(header, first)).toBeNull();
    expect(headerFault({ ...header, time: T0 + 1n }, first)).toBe(
      "block time 2026-01-01 00:00:00.000000001 +0000 UTC is not equal to genesis time 2026-01-01 00:00:00 +0000 UTC",
    );
  });

  test("the app hash before the results hash, when both differ", () =>
    expect(fault({ lastResultsHash: wrong, appHash: wrong })).toMatch(/AppHash/));
});
