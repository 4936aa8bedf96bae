import { describe, expect, test } from "vitest";
import { toHexUpper } from "../../base/bytes.ts";
import { type ExpectedHeader, headerError } from "./block.ts";
import { blockIdText, NIL_BLOCK_ID } from "./block-id.ts";
import type { Header } from "./header.ts";
import { digest, headerOf, T0, validatorsOf } from "./testing.ts";

const { set } = validatorsOf(1, 2);
const header = headerOf(set);
const expected: ExpectedHeader = { ...header, lastTime: T0 - 1n, validators: set.list };
const error = (fields: Partial<Header>): string | null =>
  headerError({ ...header, ...fields }, expected);
const wrong = digest("wrong");

describe("a header is refused in CometBFT's words for", () => {
  test("nothing, when it is as expected", () => expect(error({})).toBeNull());

  test.each([
    ["appHash", "AppHash"],
    ["consensusHash", "ConsensusHash"],
    ["lastResultsHash", "LastResultsHash"],
    ["validatorsHash", "ValidatorsHash"],
    ["nextValidatorsHash", "NextValidatorsHash"],
  ] as const)("another %s", (field, name) => {
    expect(error({ [field]: wrong })).toBe(
      `wrong Block.Header.${name}.  Expected ${toHexUpper(header[field])}, got ${toHexUpper(wrong)}`,
    );
  });

  test("another version, chain, height or last block", () => {
    expect(error({ version: { block: 11, app: 1 } })).toBe(
      "wrong Block.Header.Version. Expected {11 0}, got {11 1}",
    );
    expect(error({ chainId: "x" })).toBe("wrong Block.Header.ChainID. Expected chainlab-1, got x");
    expect(error({ height: 11 })).toBe("wrong Block.Header.Height. Expected 10, got 11");
    expect(error({ lastBlockId: NIL_BLOCK_ID })).toBe(
      `wrong Block.Header.LastBlockID.  Expected ${blockIdText(header.lastBlockId)}, got :0:000000000000`,
    );
  });

  test("another last commit", () =>
    expect(error({ lastCommitHash: wrong })).toBe(
      `wrong Header.LastCommitHash. Expected ${toHexUpper(header.lastCommitHash)}, got ${toHexUpper(wrong)}`,
    ));

  test("a proposer outside the set", () =>
    expect(error({ proposerAddress: wrong.subarray(0, 20) })).toBe(
      `block.Header.ProposerAddress ${toHexUpper(wrong.subarray(0, 20))} is not a validator`,
    ));

  test("a time that stands still, or is not the median", () => {
    expect(error({ time: T0 - 1n })).toBe(
      "block time 2025-12-31 23:59:59.999999999 +0000 UTC not greater than last block time 2025-12-31 23:59:59.999999999 +0000 UTC",
    );
    expect(error({ time: T0 + 1n })).toBe(
      "invalid block time. Expected 2026-01-01 00:00:00 +0000 UTC, got 2026-01-01 00:00:00.000000001 +0000 UTC",
    );
  });

  test("a first block without the genesis time", () => {
    const first = { ...expected, lastTime: null };
    expect(headerError(header, first)).toBeNull();
    expect(headerError({ ...header, time: T0 + 1n }, first)).toBe(
      "block time 2026-01-01 00:00:00.000000001 +0000 UTC is not equal to genesis time 2026-01-01 00:00:00 +0000 UTC",
    );
  });

  test("the app hash before the results hash, when both differ", () =>
    expect(error({ lastResultsHash: wrong, appHash: wrong })).toMatch(/AppHash/));
});
