import { describe, expect, test } from "vitest";
import { toHex, toHexUpper, utf8 } from "../../base/bytes.ts";
import { addressOf } from "../../base/ed25519.ts";
import { GO_ZERO_TIME, parseRfc3339 } from "../../base/time.ts";
import { NIL_BLOCK_ID } from "./block-id.ts";
import { blockId, CHAIN_ID, digest, signedVote, T0, validatorsOf } from "./testing.ts";
import {
  type CanonicalVote,
  PRECOMMIT,
  PREVOTE,
  type Vote,
  verifyVote,
  voteSignBytes,
  writeVote,
} from "./vote.ts";
import { ProtoWriter } from "./wire.ts";

const goVote = (fields: Partial<CanonicalVote>): CanonicalVote => ({
  type: PRECOMMIT,
  height: 1,
  round: 1,
  blockId: NIL_BLOCK_ID,
  timestamp: GO_ZERO_TIME,
  ...fields,
});
const signHex = (chainId: string, fields: Partial<CanonicalVote>): string =>
  toHex(voteSignBytes(chainId, goVote(fields)));

const HEIGHT_ROUND = "110100000000000000190100000000000000";
const ZERO_TIME = "2a0b088092b8c398feffffff01";

describe("vote sign bytes agree with CometBFT's vectors", () => {
  test("a precommit for nil", () =>
    expect(signHex("", {})).toBe(`210802${HEIGHT_ROUND}${ZERO_TIME}`));
  test("a prevote for nil", () =>
    expect(signHex("", { type: PREVOTE })).toBe(`210801${HEIGHT_ROUND}${ZERO_TIME}`));
  test("with a chain id", () =>
    expect(signHex("test_chain_id", {})).toBe(
      `300802${HEIGHT_ROUND}${ZERO_TIME}320d746573745f636861696e5f6964`,
    ));
  test("round and height zero are left out", () =>
    expect(signHex("", { height: 0, round: 0 })).toBe(`0f0802${ZERO_TIME}`));
  test("a block id is embedded, a nil one absent", () => {
    const id = { hash: digest("a"), partSetHeader: { total: 7, hash: digest("b") } };
    const embedded = `22480a20${toHex(digest("a"))}122408071220${toHex(digest("b"))}`;
    expect(signHex("", { blockId: id })).toBe(`6b0802${HEIGHT_ROUND}${embedded}${ZERO_TIME}`);
  });
});

test("a vote's protobuf agrees with CometBFT's evidence vector", () => {
  const vote: Vote = {
    type: PRECOMMIT,
    height: 3,
    round: 2,
    timestamp: parseRfc3339("2017-12-25T03:00:01.234Z"),
    blockId: {
      hash: digest("blockID_hash"),
      partSetHeader: { total: 1_000_000, hash: digest("blockID_part_set_header_hash") },
    },
    validatorAddress: addressOf(utf8("validator_address")),
    validatorIndex: 56789,
    signature: new Uint8Array(),
  };
  expect(toHex(writeVote(new ProtoWriter(), vote).finish())).toBe(
    "080210031802224a0a208b01023386c371778ecb6368573e539afc3cc860ec3a2f614e54fe5652f4fc80122608c0843d122072db3d959635dff1bb567bedaa70573392c5159666a3f8caf11e413aac52207a2a0b08b1d381d20510809dca6f32146af1f4111082efb388211bc72c55bcd61e9ac3d538d5bb03",
  );
  expect(toHexUpper(vote.validatorAddress.subarray(0, 6))).toBe("6AF1F4111082");
});

describe("a signature", () => {
  const { set, keys } = validatorsOf(10, 10);
  const key = keys[0] as (typeof keys)[number];
  const vote = signedVote(key, set, 0, { blockId: blockId("x") });
  const pubKey = key.publicKey;

  test("is verified with the signer's key and chain only", () => {
    expect(verifyVote(pubKey, CHAIN_ID, vote)).toBe(true);
    expect(verifyVote(keys[1]?.publicKey ?? pubKey, CHAIN_ID, vote)).toBe(false);
    expect(verifyVote(pubKey, "other-chain", vote)).toBe(false);
  });

  test.each<Partial<Vote>>([
    { type: PREVOTE },
    { height: 11 },
    { round: 1 },
    { blockId: blockId("y") },
    { blockId: NIL_BLOCK_ID },
    { timestamp: T0 + 1n },
  ])("does not cover a vote with another %o", (change) => {
    expect(verifyVote(pubKey, CHAIN_ID, { ...vote, ...change })).toBe(false);
  });
});
