import { describe, expect, test } from "vitest";
import { compare } from "../../base/bytes.ts";
import { HOUR } from "../../base/time.ts";
import { type DuplicateVoteEvidence, duplicateVoteEvidence } from "./duplicate-vote.ts";
import { evidenceHash, evidenceListEntrySize } from "./evidence.ts";
import { lightClientAttackEvidence } from "./light-client-attack.ts";
import { EvidencePool, isExpired } from "./pool.ts";
import {
  blockId,
  chainOf,
  digest,
  headerOf,
  lightBlock,
  signedVote,
  T0,
  validatorsOf,
} from "./testing.ts";
import type { Vote } from "./vote.ts";

const { set, keys } = validatorsOf(10, 20, 30);
const chain = chainOf(set);

function votes(height: number, who = 0): [Vote, Vote] {
  const key = keys[who] as (typeof keys)[number];
  const vote = (name: string): Vote =>
    signedVote(key, set, who, { height, blockId: blockId(name) });
  return [vote("x"), vote("y")];
}

function doubleVote(height: number, who = 0): DuplicateVoteEvidence {
  const [a, b] = votes(height, who);
  return duplicateVoteEvidence(a, b, chain.timeAt(height) ?? T0, set.list);
}

function lunaticAt(conflictingHeight: number, time: bigint) {
  const header = headerOf(set, { height: conflictingHeight, time, appHash: digest("invented") });
  const trusted = chain.blockAt(Math.min(conflictingHeight, chain.lastHeight));
  if (trusted === undefined) throw new Error("no such block");
  const common = { height: 5, time: chain.timeAt(5) ?? T0, validators: set.list };
  return lightClientAttackEvidence(lightBlock(header, set, keys, [0, 1]), trusted, common);
}

describe("a double vote", () => {
  test("becomes evidence once its height is committed, with that block's time and powers", () => {
    const pool = new EvidencePool();
    pool.reportConflictingVotes(...votes(20));
    expect(pool.pending).toEqual([]);
    const { added, dropped } = pool.update([], chain);
    expect(added).toEqual([doubleVote(20)]);
    expect(dropped).toEqual([]);
    expect(pool.pending).toEqual(added);
    expect(pool.propose(1_048_576)).toEqual(added);
  });

  test("seen above the committed height is dropped with the reason", () => {
    const pool = new EvidencePool();
    pool.reportConflictingVotes(...votes(21));
    expect(pool.update([], chain).dropped).toEqual([
      {
        vote: votes(21)[0],
        reason: "inbound duplicate votes from consensus are of a greater height than current state",
      },
    ]);
    expect(pool.pending).toEqual([]);
    // The buffer is now empty: a later update does not find the votes again.
    expect(pool.update([], chainOf(set, { lastHeight: 22 })).added).toEqual([]);
  });

  test("of a validator outside the set is dropped", () => {
    const pool = new EvidencePool();
    const [a, b] = votes(20);
    const stranger = digest("stranger").subarray(0, 20);
    pool.reportConflictingVotes({ ...a, validatorAddress: stranger }, b);
    expect(pool.update([], chain).dropped[0]?.reason).toMatch(/not in validator set$/);
  });

  test.each([
    ["validator set", { validatorsAt: () => undefined }],
    ["block time", { timeAt: () => undefined }],
  ])("of a height whose %s is not known any more is dropped with the reason", (what, unknown) => {
    const pool = new EvidencePool();
    pool.reportConflictingVotes(...votes(20));
    expect(pool.update([], chainOf(set, unknown))).toEqual({
      added: [],
      dropped: [{ vote: votes(20)[0], reason: `failed to load ${what} for conflicting votes` }],
      expired: [],
    });
    expect(pool.pending).toEqual([]);
  });

  test("reported again after it is pending or committed changes nothing", () => {
    const pool = new EvidencePool();
    for (const committed of [[], [], [doubleVote(20)], []]) {
      pool.reportConflictingVotes(...votes(20));
      pool.update(committed, chain);
      expect(pool.pending.length).toBeLessThanOrEqual(1);
    }
    expect(pool.pending).toEqual([]);
    expect(pool.add(doubleVote(20), chain)).toBeNull();
    expect(pool.isPending(doubleVote(20))).toBe(false);
  });
});

describe("evidence from outside", () => {
  test("is pending once verified, and silently ignored when repeated or committed", () => {
    const pool = new EvidencePool();
    expect(pool.add(doubleVote(7), chain)).toBeNull();
    expect(pool.add(doubleVote(7), chain)).toBeNull();
    expect(pool.pending).toHaveLength(1);
    pool.update([doubleVote(7)], chain);
    expect(pool.add(doubleVote(7), chain)).toBeNull();
    expect(pool.pending).toHaveLength(0);
  });

  test("of a height without header is refused", () =>
    expect(new EvidencePool().add(doubleVote(21), chain)).toBe("don't have header #21"));

  test("with votes in the wrong order is refused before its height is looked up", () => {
    const { voteA, voteB, ...rest } = doubleVote(20);
    expect(
      new EvidencePool().add(
        { ...rest, voteA: voteB, voteB: voteA },
        chainOf(set, { timeAt: () => undefined }),
      ),
    ).toBe("duplicate votes in invalid order");
  });

  test("of a height whose validator set is not known any more is refused", () =>
    expect(
      new EvidencePool().add(doubleVote(7), chainOf(set, { validatorsAt: () => undefined })),
    ).toBe("could not find validator set for height #7"));

  test("with a time other than the block's is refused", () =>
    expect(new EvidencePool().add({ ...doubleVote(7), timestamp: T0 }, chain)).toBe(
      "evidence has a different time to the block it is associated with (2026-01-01 00:00:00 +0000 UTC != 2026-01-01 00:00:07 +0000 UTC)",
    ));

  test("that is false is refused and not kept", () => {
    const pool = new EvidencePool();
    expect(pool.add({ ...doubleVote(7), validatorPower: 1 }, chain)).toMatch(/^validator power/);
    expect(pool.pending).toEqual([]);
  });
});

describe("age", () => {
  const params = { maxAgeNumBlocks: 10, maxAgeDuration: 48n * HOUR, maxBytes: 1000 };
  const later = (lastHeight: number, hours: bigint) =>
    chainOf(set, { lastHeight, lastTime: T0 + hours * HOUR, params });

  test.each([
    ["fresh", 15, 1n, false],
    ["old in blocks only", 100, 1n, false],
    ["old in time only", 15, 100n, false],
    ["old in both", 100, 100n, true],
  ])("%s", (_, height, hours, expired) => {
    expect(isExpired(doubleVote(7), later(height, hours))).toBe(expired);
  });

  test("at exactly both limits is not too old", () => {
    const ev = { ...doubleVote(7), timestamp: T0 };
    expect(isExpired(ev, later(17, 48n))).toBe(false);
    expect(isExpired(ev, later(18, 48n))).toBe(false);
    const past = chainOf(set, { lastHeight: 18, lastTime: T0 + 48n * HOUR + 1n, params });
    expect(isExpired(ev, past)).toBe(true);
    const asManyBlocks = chainOf(set, { lastHeight: 17, lastTime: T0 + 48n * HOUR + 1n, params });
    expect(isExpired(ev, asManyBlocks)).toBe(false);
  });

  test("too great is refused in CometBFT's words, its odd bound included", () => {
    expect(new EvidencePool().add(doubleVote(7), later(100, 100n))).toBe(
      "evidence from height 7 (created at: 2026-01-01 00:00:07 +0000 UTC) is too old; min height is 90 and evidence can not be older than 2026-01-07 04:00:00 +0000 UTC",
    );
  });

  test("removes pending evidence, which is then neither proposed nor accepted", () => {
    const pool = new EvidencePool();
    pool.add(doubleVote(7), chain);
    expect(pool.update([], later(100, 100n)).expired).toEqual([doubleVote(7)]);
    expect(pool.propose(1_000_000)).toEqual([]);
    expect(pool.add(doubleVote(7), later(100, 100n))).toMatch(/is too old/);
  });
});

describe("a proposal", () => {
  const all = [doubleVote(9, 1), doubleVote(8, 0), doubleVote(9, 0), doubleVote(10, 2)];

  test("carries the oldest first, then by hash, as much as fits", () => {
    const pool = new EvidencePool();
    for (const ev of all) pool.add(ev, chain);
    const proposed = pool.propose(1_048_576);
    expect(proposed.map((ev) => (ev.kind === "duplicate-vote" ? ev.voteA.height : 0))).toEqual([
      8, 9, 9, 10,
    ]);
    const [, second, third] = proposed;
    if (second === undefined || third === undefined) throw new Error("four proposed");
    expect(compare(evidenceHash(second), evidenceHash(third))).toBeLessThan(0);
    const two = proposed.slice(0, 2).reduce((sum, ev) => sum + evidenceListEntrySize(ev), 0);
    expect(pool.propose(two)).toEqual(proposed.slice(0, 2));
    expect(pool.propose(two - 1)).toEqual(proposed.slice(0, 1));
    expect(pool.propose(0)).toEqual([]);
  });
});

describe("a light client attack", () => {
  test("below the chain's height is compared with the chain's block there", () => {
    expect(new EvidencePool().add(lunaticAt(15, T0), chain)).toBeNull();
    // Its time is not compared with the latest block's, since it is above the chain's height.
    expect(new EvidencePool().add(lunaticAt(15, chain.lastTime + 1n), chain)).toBeNull();
  });

  test("beyond the chain's height is refused unless dated before its latest block", () => {
    const pool = new EvidencePool();
    expect(pool.add(lunaticAt(30, chain.lastTime + 1n), chain)).toBe(
      "latest block time (2026-01-01 00:00:20 +0000 UTC) is before conflicting block time (2026-01-01 00:00:20.000000001 +0000 UTC)",
    );
    expect(pool.add(lunaticAt(30, chain.lastTime), chain)).toBeNull();
  });

  test("beyond the chain's height is refused where not even the latest block is known", () => {
    const bare = chainOf(set, { blockAt: () => undefined });
    expect(new EvidencePool().add(lunaticAt(30, chain.lastTime), bare)).toBe(
      "don't have header at height #20",
    );
  });

  test("that is false is refused with the reason, below and beyond the chain's height", () => {
    for (const height of [15, 30]) {
      const attack = { ...lunaticAt(height, T0), totalVotingPower: 1 };
      expect(new EvidencePool().add(attack, chain)).toMatch(/total voting power/);
    }
  });
});

test("a copy goes its own way", () => {
  const pool = new EvidencePool();
  pool.reportConflictingVotes(...votes(20));
  const copy = pool.copy();
  expect(copy.update([], chain).added).toHaveLength(1);
  expect(pool.pending).toHaveLength(0);
  expect(pool.update([], chain).added).toHaveLength(1);
});
