import { describe, expect, test } from "vitest";
import { toHex, toHexUpper } from "../../base/bytes.ts";
import { sha256 } from "../../base/sha256.ts";
import { Bitset } from "./bitset.ts";
import { evidenceBytes, evidenceHash, evidenceShapeError, misbehaviorOf } from "./evidence.ts";
import { type Header, headerHash } from "./header.ts";
import {
  attackKind,
  type LightBlock,
  type LightClientAttackEvidence,
  lightClientAttackError,
  lightClientAttackEvidence,
  type TrustedBlock,
} from "./light-client-attack.ts";
import { CHAIN_ID, digest, headerOf, lightBlock, replaceSig, T0, validatorsOf } from "./testing.ts";

const { set, keys } = validatorsOf(40, 30, 20, 10);
const trusted: TrustedBlock = {
  header: headerOf(set),
  round: 0,
  signers: Bitset.of(4, [0, 1, 2]),
};

/** Conflicting block: at least the data hash differs, so its hash does too. */
const conflicting = (signers: number[], fields: Partial<Header> = {}, round = 0): LightBlock =>
  lightBlock(headerOf(set, { dataHash: digest("other"), ...fields }), set, keys, signers, round);

function attack(block: LightBlock, height = 10, ours = trusted): LightClientAttackEvidence {
  return lightClientAttackEvidence(block, ours, { height, time: T0, validators: set.list });
}
const error = (ev: LightClientAttackEvidence, ours = trusted): string | null =>
  evidenceShapeError(ev) ?? lightClientAttackError(ev, CHAIN_ID, ours, set.list);
const accused = (ev: LightClientAttackEvidence): number[] =>
  ev.byzantineValidators.map((v) => v.power);

const equivocation = attack(conflicting([1, 0, 3]));
const amnesia = attack(conflicting([0, 1, 2], {}, 1));
const lunatic = attack(conflicting([0, 1, 3], { appHash: digest("invented") }), 8);

describe("the three kinds", () => {
  test("equivocation: same round, valid fields; those who committed both blocks", () => {
    expect(attackKind(equivocation.conflictingBlock, trusted)).toBe("equivocation");
    expect(accused(equivocation)).toEqual([40, 30]);
    expect(error(equivocation)).toBeNull();
  });

  test("amnesia: another round; no validator can be accused", () => {
    expect(attackKind(amnesia.conflictingBlock, trusted)).toBe("amnesia");
    expect(accused(amnesia)).toEqual([]);
    expect(misbehaviorOf(amnesia)).toEqual([]);
    expect(error(amnesia)).toBeNull();
  });

  test("lunatic: a field no execution gives; the common set's members who signed", () => {
    for (const field of [
      "validatorsHash",
      "nextValidatorsHash",
      "consensusHash",
      "appHash",
      "lastResultsHash",
    ] as const) {
      expect(attackKind(conflicting([0], { [field]: digest("invented") }), trusted)).toBe(
        "lunatic",
      );
    }
    expect(accused(lunatic)).toEqual([40, 30, 10]);
    expect(error(lunatic)).toBeNull();
  });

  test("lunatic with a set of its own: strangers are not accused", () => {
    const own = validatorsOf(40, 30, 20, 10, 900);
    const header = headerOf(own.set, { appHash: digest("invented") });
    const block = lightBlock(header, own.set, own.keys, [0, 1, 2, 3, 4]);
    const ev = attack(block, 8);
    expect(accused(ev)).toEqual([40, 30, 20, 10]);
    expect(error(ev)).toBeNull();
  });

  test("each accused becomes one misbehavior at the common height", () => {
    expect(misbehaviorOf(lunatic).map((m) => [m.type, m.power, m.height, m.time])).toEqual([
      [2, 40, 8, T0],
      [2, 30, 8, T0],
      [2, 10, 8, T0],
    ]);
  });
});

describe("refused by itself", () => {
  const invalid = (ev: Partial<LightClientAttackEvidence>): string | null =>
    evidenceShapeError({ ...lunatic, ...ev });

  test("without power or height, or common beyond conflicting", () => {
    expect(invalid({ totalVotingPower: 0 })).toBe("negative or zero total voting power");
    expect(invalid({ commonHeight: 0 })).toBe("negative or zero common height");
    expect(invalid({ commonHeight: 11 })).toBe(
      "common height is ahead of the conflicting block height (11 > 10)",
    );
  });

  test("when header, commit and set do not belong together", () => {
    const { conflictingBlock: block } = lunatic;
    const hash = toHexUpper(headerHash(block.header));
    expect(
      invalid({ conflictingBlock: { ...block, commit: { ...block.commit, height: 9 } } }),
    ).toBe("invalid conflicting light block: header and commit height mismatch: 10 vs 9");
    const header = { ...block.header, appHash: digest("again") };
    expect(invalid({ conflictingBlock: { ...block, header } })).toBe(
      `invalid conflicting light block: commit signs block ${hash}, header is block ${toHexUpper(headerHash(header))}`,
    );
    expect(invalid({ conflictingBlock: { ...block, validators: validatorsOf(1).set } })).toMatch(
      /^invalid conflicting light block: expected validator hash of header to match/,
    );
  });
});

describe("refused against the chain", () => {
  test("a lunatic block signed by a third of the common set or less", () => {
    const own = validatorsOf(40, 30, 20, 10, 900);
    const header = headerOf(own.set, { appHash: digest("invented") });
    // Powers in set order: 900, 40, 30, 20, 10. Of the common set only 30 of 100 signed.
    const ev = attack(lightBlock(header, own.set, own.keys, [0, 2]), 8);
    expect(error(ev)).toBe(
      "skipping verification of conflicting block failed: invalid commit -- insufficient voting power: got 30, needed more than 33",
    );
  });

  test("a lunatic block at the common height", () => {
    expect(error({ ...lunatic, commonHeight: 10 })).toBe(
      "common height is the same as conflicting block height so expected the conflicting block to be correctly derived yet it wasn't",
    );
  });

  test("a conflicting commit without two thirds, or with a forged signature", () => {
    expect(error(attack(conflicting([0, 2])))).toBe(
      "invalid commit from conflicting block: invalid commit -- insufficient voting power: got 60, needed more than 66",
    );
    const { conflictingBlock: block } = equivocation;
    const commit = replaceSig(block.commit, 1, { signature: new Uint8Array(64) });
    expect(error({ ...equivocation, conflictingBlock: { ...block, commit } })).toMatch(
      /^invalid commit from conflicting block: wrong signature \(#1\)/,
    );
  });

  test("a block that is the chain's own", () => {
    const own = lightBlock(trusted.header, set, keys, [0, 1, 2]);
    expect(error(attack(own))).toBe(
      `trusted header hash matches the evidence's conflicting header hash: ${toHexUpper(headerHash(trusted.header))}`,
    );
  });

  test("a forward block that is not dated too early", () => {
    const ahead = conflicting([0, 1, 2], { height: 12, time: T0 + 1n });
    expect(error(attack(ahead, 8))).toBe(
      "conflicting block doesn't violate monotonically increasing time (2026-01-01 00:00:00.000000001 +0000 UTC is after 2026-01-01 00:00:00 +0000 UTC)",
    );
    expect(error(attack(conflicting([0, 1, 2], { height: 12 }), 8))).toBeNull();
  });

  test("another total or other accused than the votes show", () => {
    expect(error({ ...lunatic, totalVotingPower: 99 })).toBe(
      "total voting power from the evidence and our validator set does not match (99 != 100)",
    );
    const [a, b, c] = lunatic.byzantineValidators;
    if (a === undefined || b === undefined || c === undefined) throw new Error("three accused");
    expect(error({ ...lunatic, byzantineValidators: [a, b] })).toBe(
      "expected 3 byzantine validators from evidence but got 2",
    );
    expect(error({ ...lunatic, byzantineValidators: [b, a, c] })).toBe(
      `evidence contained an unexpected byzantine validator address; expected: ${toHexUpper(a.address)}, got: ${toHexUpper(b.address)}`,
    );
    expect(error({ ...lunatic, byzantineValidators: [{ ...a, power: 41 }, b, c] })).toBe(
      "evidence contained unexpected byzantine validator power; expected 40, got 41",
    );
    expect(error({ ...lunatic, byzantineValidators: [{ ...a, pubKey: b.pubKey }, b, c] })).toMatch(
      /unexpected byzantine validator public key/,
    );
    expect(error({ ...amnesia, byzantineValidators: [a] })).toBe(
      "expected nil validators from an amnesia light client attack but got 1",
    );
  });
});

describe("the hash", () => {
  test("covers 31 bytes of the header hash, a zero, and the zig-zag common height", () => {
    const header = headerHash(lunatic.conflictingBlock.header);
    expect(toHex(evidenceHash(lunatic))).toBe(
      toHex(sha256(Uint8Array.of(...header.subarray(0, 31), 0, 16))),
    );
    const far = { ...lunatic, commonHeight: 100 };
    expect(toHex(evidenceHash(far))).toBe(
      toHex(sha256(Uint8Array.of(...header.subarray(0, 31), 0, 0xc8, 0x01))),
    );
  });

  test("is the same for the same attack with other signatures, whose bytes differ", () => {
    const again = attack(conflicting([0, 1, 2, 3], { appHash: digest("invented") }), 8);
    expect(evidenceHash(again)).toEqual(evidenceHash(lunatic));
    expect(toHex(evidenceBytes(again))).not.toBe(toHex(evidenceBytes(lunatic)));
  });

  test("the bytes hold block, height, accused, power and time in fields 1 to 5", () => {
    const hex = toHex(evidenceBytes(lunatic));
    expect(hex).toMatch(/^0a/);
    expect(hex).toMatch(/10081a[0-9a-f]+2064/);
    const [first] = lunatic.byzantineValidators;
    const inner = `0a14${toHex(first?.address ?? digest(""))}12220a20${toHex(first?.pubKey ?? digest(""))}1828`;
    expect(hex).toContain(`10081a3c${inner}`);
  });
});
