import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toHex, toHexUpper, utf8 } from "../../base/bytes.ts";
import { addressOf } from "../../base/ed25519.ts";
import { propertyRuns } from "../../base/property.testing.ts";
import { sha256 } from "../../base/sha256.ts";
import { parseRfc3339 } from "../../base/time.ts";
import { leafHash } from "../store/merkle.ts";
import { blockIdText, NIL_BLOCK_ID } from "./block-id.ts";
import { duplicateVoteError, duplicateVoteEvidence } from "./duplicate-vote.ts";
import {
  evidenceBytes,
  evidenceHash,
  evidenceHeight,
  evidenceListEntrySize,
  evidenceListHash,
  evidenceShapeError,
  misbehaviorOf,
} from "./evidence.ts";
import { blockId, CHAIN_ID, digest, signedVote, T0, validatorsOf, withVoteB } from "./testing.ts";
import { PRECOMMIT, PREVOTE, type Vote } from "./vote.ts";

const { set, keys } = validatorsOf(10, 20, 30);
const key = keys[0] as (typeof keys)[number];
const vote = (name: string | null, fields: Partial<Vote> = {}): Vote =>
  signedVote(key, set, 0, { blockId: name === null ? NIL_BLOCK_ID : blockId(name), ...fields });
const good = duplicateVoteEvidence(vote("x"), vote("y"), T0, set.list);
const address = toHexUpper(set.list.at(0).address);
const other = set.list.at(1).address;

describe("two conflicting votes", () => {
  test("really signed, are accepted, prevotes and precommits alike, one of them nil or not", () => {
    for (const type of [PREVOTE, PRECOMMIT] as const) {
      for (const name of ["y", null]) {
        const ev = duplicateVoteEvidence(vote("x", { type }), vote(name, { type }), T0, set.list);
        expect(evidenceShapeError(ev)).toBeNull();
        expect(duplicateVoteError(ev, CHAIN_ID, set.list)).toBeNull();
      }
    }
  });

  test("are ordered by block id, however they come", () => {
    expect(duplicateVoteEvidence(vote("y"), vote("x"), T0, set.list)).toEqual(good);
    expect(evidenceShapeError({ ...good, voteA: good.voteB, voteB: good.voteA })).toBe(
      "duplicate votes in invalid order",
    );
  });

  test("need their voter in the set", () => {
    const stranger = validatorsOf(1, 1, 1, 1).set.list;
    expect(() =>
      duplicateVoteEvidence(
        { ...vote("x"), validatorAddress: digest("unknown").subarray(0, 20) },
        vote("y"),
        T0,
        stranger,
      ),
    ).toThrow(/^validator [0-9A-F]{40} not in validator set$/);
  });
});

describe("refused, with CometBFT's words:", () => {
  const error = (ev: typeof good): string | null => duplicateVoteError(ev, CHAIN_ID, set.list);

  test("a voter outside the set", () => {
    const { list } = set.withUpdates([{ pubKey: key.publicKey, power: 0 }]);
    expect(duplicateVoteError(good, CHAIN_ID, list)).toBe(
      `address ${address} was not a validator at height 10`,
    );
  });

  test.each<[string, Partial<Vote>, string]>([
    ["height", { height: 11 }, "11/0/SIGNED_MSG_TYPE_PRECOMMIT"],
    ["round", { round: 1 }, "10/1/SIGNED_MSG_TYPE_PRECOMMIT"],
    ["type", { type: PREVOTE }, "10/0/SIGNED_MSG_TYPE_PREVOTE"],
  ])("another %s", (_, fields, theirs) => {
    expect(error(withVoteB(good, fields))).toBe(
      `h/r/s does not match: 10/0/SIGNED_MSG_TYPE_PRECOMMIT vs ${theirs}`,
    );
  });

  test("two validators", () =>
    expect(error(withVoteB(good, { validatorAddress: other }))).toBe(
      `validator addresses do not match: ${address} vs ${toHexUpper(other)}`,
    ));

  test("the same block twice", () => {
    const { voteA } = good;
    expect(error({ ...good, voteB: { ...voteA, timestamp: T0 + 5n } })).toBe(
      `block IDs are the same (${blockIdText(voteA.blockId)}) - not a real duplicate vote`,
    );
  });

  test("another power or total", () => {
    expect(error({ ...good, validatorPower: 31 })).toBe(
      "validator power from evidence and our validator set does not match (31 != 30)",
    );
    expect(error({ ...good, totalVotingPower: 61 })).toBe(
      "total voting power from the evidence and our validator set does not match (61 != 60)",
    );
  });

  test("a bad signature, or one for another chain", () => {
    const { voteA, voteB } = good;
    expect(error({ ...good, voteA: { ...voteA, signature: voteB.signature } })).toBe(
      "verifying VoteA: invalid signature",
    );
    expect(error(withVoteB(good, { signature: voteA.signature }))).toBe(
      "verifying VoteB: invalid signature",
    );
    expect(duplicateVoteError(good, "other", set.list)).toBe("verifying VoteA: invalid signature");
  });

  test("anything else that is tampered with", () => {
    const tamper = fc.record<Partial<Vote>>(
      {
        height: fc.nat(),
        round: fc.nat(9),
        type: fc.constantFrom(PREVOTE, PRECOMMIT),
        blockId: fc.string().map((s) => blockId(`tampered ${s}`)),
        timestamp: fc.bigInt({ min: 0n, max: 2n ** 62n }),
        validatorAddress: fc.uint8Array({ minLength: 20, maxLength: 20 }),
        signature: fc.uint8Array({ minLength: 64, maxLength: 64 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(tamper, (fields) => {
        const ev = withVoteB(good, fields);
        const same = toHex(evidenceBytes(ev)) === toHex(evidenceBytes(good));
        expect(error(ev) === null).toBe(same);
      }),
      { numRuns: propertyRuns(40) },
    );
  });
});

describe("encoded", () => {
  test("evidence equals CometBFT's vector", () => {
    const example = (type: typeof PREVOTE | typeof PRECOMMIT): Vote => ({
      type,
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
    });
    const ev = {
      kind: "duplicate-vote" as const,
      voteA: example(PRECOMMIT),
      voteB: example(PREVOTE),
      totalVotingPower: 10,
      validatorPower: 10,
      timestamp: parseRfc3339("2019-01-01T00:00:00Z"),
    };
    const tail =
      "10031802224a0a208b01023386c371778ecb6368573e539afc3cc860ec3a2f614e54fe5652f4fc80122608c0843d122072db3d959635dff1bb567bedaa70573392c5159666a3f8caf11e413aac52207a2a0b08b1d381d20510809dca6f32146af1f4111082efb388211bc72c55bcd61e9ac3d538d5bb03";
    expect(toHex(evidenceBytes(ev))).toBe(`0a790802${tail}12790801${tail}180a200a2a060880dbaae105`);
    // The published list contains only this item: 0a8502 0a8202 and then the bytes above.
    expect(evidenceListEntrySize(ev)).toBe(3 + 3 + evidenceBytes(ev).length);
  });

  test("it is known by the SHA-256 of its bytes, and a block by the Merkle root over them", () => {
    expect(evidenceHash(good)).toEqual(sha256(evidenceBytes(good)));
    expect(evidenceListHash([good])).toEqual(leafHash(evidenceBytes(good)));
  });
});

test("the misbehavior names validator, power, time and total power", () => {
  expect(evidenceHeight(good)).toBe(10);
  expect(misbehaviorOf(good)).toEqual([
    {
      type: 1,
      address: set.list.at(0).address,
      power: 30,
      height: 10,
      time: T0,
      totalVotingPower: 60,
    },
  ]);
});
