import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toHex } from "../../base/bytes.ts";
import { fromHex } from "../../base/from-hex.ts";
import { propertyRuns } from "../../base/property.testing.ts";
import { sha256 } from "../../base/sha256.ts";
import { GO_ZERO_TIME } from "../../base/time.ts";
import { merkleRoot } from "../store/merkle.ts";
import { Bitset } from "./bitset.ts";
import {
  ABSENT,
  type Commit,
  compactCommitHash,
  expandCommit,
  FLAG_ABSENT,
  FLAG_COMMIT,
  FLAG_NIL,
  type FullCommit,
  flagOf,
  lastCommitHash,
} from "./commit.ts";
import { commitError, trustingCommitError } from "./commit-verify.ts";
import { EMPTY_HASH } from "./hashes.ts";
import { blockId, CHAIN_ID, replaceSig, T0, validatorsOf } from "./testing.ts";

const { set, keys } = validatorsOf(10, 10, 10, 10);
const id = blockId("block");

function compact(signers: number[], nilSigners: number[] = []): Commit {
  return {
    height: 10,
    round: 1,
    blockId: id,
    signers: Bitset.of(4, signers),
    nilSigners: Bitset.of(4, nilSigners),
    timestamp: T0,
  };
}
const full = (commit: Commit): FullCommit =>
  expandCommit(CHAIN_ID, commit, set.list, (i) => keys[i]?.secret ?? new Uint8Array());
const error = (commit: FullCommit): string | null =>
  commitError(CHAIN_ID, set.list, id, 10, commit);

describe("the last commit hash", () => {
  test("of nothing is SHA-256 of nothing, in both forms", () => {
    expect(lastCommitHash([])).toEqual(EMPTY_HASH);
    expect(compactCommitHash(null)).toEqual(EMPTY_HASH);
  });

  test("full, is the Merkle root of the CommitSig messages", () => {
    const { signatures } = full(compact([0]));
    const sig = signatures[0] ?? ABSENT;
    const signed = `08021214${toHex(sig.validatorAddress)}1a060880f2d6ca062240${toHex(sig.signature)}`;
    const absent = "08011a0b088092b8c398feffffff01";
    const leaves = [signed, absent, absent, absent].map((hex) => fromHex(hex));
    expect(toHex(lastCommitHash(signatures))).toBe(toHex(merkleRoot(leaves)));
  });

  test("compact, is SHA-256 of the documented message", () => {
    const nested = `0a20${toHex(id.hash)}122408011220${toHex(id.partSetHeader.hash)}`;
    const hex = `080a10011a48${nested}22060880f2d6ca0628043201053a0108`;
    const bytes = fromHex(hex);
    expect(toHex(compactCommitHash(compact([0, 2], [3])))).toBe(toHex(sha256(bytes)));
  });

  test("compact, differs with every field", () => {
    const base = compact([0, 1, 2]);
    const variants: Commit[] = [
      base,
      { ...base, height: 11 },
      { ...base, round: 2 },
      { ...base, blockId: blockId("other") },
      { ...base, timestamp: T0 + 1n },
      compact([0, 1]),
      compact([0, 1, 2], [3]),
      { ...base, signers: Bitset.of(5, [0, 1, 2]), nilSigners: new Bitset(5) },
    ];
    expect(new Set(variants.map((c) => toHex(compactCommitHash(c)))).size).toBe(variants.length);
  });
});

describe("a compact commit", () => {
  test("says of each validator whether it committed, voted nil, or was absent", () => {
    const commit = compact([0, 2], [3]);
    expect([0, 1, 2, 3].map((i) => flagOf(commit, i))).toEqual([
      FLAG_COMMIT,
      FLAG_ABSENT,
      FLAG_COMMIT,
      FLAG_NIL,
    ]);
  });

  test("has real signatures when it is expanded", () => {
    const { signatures } = full(compact([0, 1, 2], [3]));
    expect(signatures.map((s) => s.blockIdFlag)).toEqual([2, 2, 2, 3]);
    expect(error(full(compact([0, 1, 2], [3])))).toBeNull();
    expect(full(compact([0])).signatures[1]).toEqual({
      blockIdFlag: 1,
      validatorAddress: new Uint8Array(),
      timestamp: GO_ZERO_TIME,
      signature: new Uint8Array(),
    });
  });
});

describe("a commit is refused", () => {
  const good = full(compact([0, 1, 2]));

  test("with two thirds or less", () => {
    expect(error(full(compact([0, 1], [2, 3])))).toBe(
      "invalid commit -- insufficient voting power: got 20, needed more than 26",
    );
  });
  test("for another height or block, or by a set of another size", () => {
    expect(commitError(CHAIN_ID, set.list, id, 11, good)).toBe(
      "Invalid commit -- wrong height: 11 vs 10",
    );
    expect(commitError(CHAIN_ID, set.list, blockId("other"), 10, good)).toMatch(
      /^invalid commit -- wrong block ID: want /,
    );
    expect(commitError(CHAIN_ID, validatorsOf(1, 1).set.list, id, 10, good)).toBe(
      "Invalid commit -- wrong set size: 2 vs 4",
    );
  });
  test("with any signature that does not verify", () => {
    fc.assert(
      fc.property(fc.nat(2), fc.nat(63), fc.nat(7), (place, byte, bit) => {
        const signature = good.signatures[place]?.signature.slice() ?? new Uint8Array();
        signature[byte] = (signature[byte] ?? 0) ^ (1 << bit);
        expect(error(replaceSig(good, place, { signature }))).toMatch(
          new RegExp(`^wrong signature \\(#${place}\\)`),
        );
      }),
      { numRuns: propertyRuns(12) },
    );
  });
});

describe("a light client's jump", () => {
  test("needs more than a third of the trusted set, found by address", () => {
    const { list } = set;
    expect(trustingCommitError(CHAIN_ID, list, full(compact([0, 3])))).toBeNull();
    expect(trustingCommitError(CHAIN_ID, list, full(compact([3])))).toBe(
      "invalid commit -- insufficient voting power: got 10, needed more than 13",
    );
    expect(
      trustingCommitError(CHAIN_ID, validatorsOf(10).set.list, full(compact([0, 1, 2, 3]))),
    ).toBeNull();
  });

  test("counts no validator twice", () => {
    const { signatures } = full(compact([0, 1]));
    const twice = {
      ...full(compact([0, 1])),
      signatures: [signatures[0] ?? ABSENT, ...signatures],
    };
    expect(trustingCommitError(CHAIN_ID, set.list, twice)).toMatch(
      /^double vote from .* \(0 and 1\)$/,
    );
  });
});
