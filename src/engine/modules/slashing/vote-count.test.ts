import { describe, expect, test } from "vitest";
import { concat } from "../../../base/bytes.ts";
import type { CommitInfo, Context } from "../../framework/context.ts";
import { TestChain, testAddress } from "../../framework/testing.ts";
import { SLASHING } from "./keys.ts";
import { getSigningInfo, setSigningInfo } from "./signing-info.ts";
import { newSigningInfo } from "./types.ts";
import {
  countsAsBefore,
  countVote,
  endRun,
  everyVoteLookedAt,
  forgetRun,
  isCounted,
  lookAtEveryVote,
  votesUpTo,
} from "./vote-count.ts";

const [A, B] = [testAddress("a"), testAddress("b")];

const commitOf = (...members: readonly Uint8Array[]): CommitInfo => ({
  size: members.length,
  validatorsHash: () => concat(...members),
  address: (i) => members[i] ?? new Uint8Array(),
  power: () => 1,
  absent: [],
});

class Blocks {
  readonly test = new TestChain(SLASHING);

  constructor() {
    for (const address of [A, B]) setSigningInfo(4, this.at(0), address, newSigningInfo(0));
  }

  at(height: number, ...members: readonly Uint8Array[]): Context {
    return this.test.block(height, { lastCommit: commitOf(...members) });
  }

  /** index_offset as stored, and its value in upstream after a height. */
  offsets(address: Uint8Array, height: number): [number, number] {
    const info = getSigningInfo(this.at(height), address);
    if (info === undefined) throw new Error("no signing info");
    return [info.indexOffset, votesUpTo(this.at(height), address, info, height)];
  }
}

describe("the votes of a validator", () => {
  test("are counted by height from the first of a run on, without a write", () => {
    const blocks = new Blocks();
    countVote(blocks.at(3), A);
    const before = blocks.test.dump(SLASHING);
    countVote(blocks.at(4), A);
    expect(blocks.test.dump(SLASHING)).toEqual(before);
    expect(blocks.offsets(A, 3)).toEqual([0, 1]);
    expect(blocks.offsets(A, 9)).toEqual([0, 7]);
    expect(blocks.offsets(B, 9)).toEqual([0, 0]);
    expect([A, B].map((address) => isCounted(blocks.at(4), address))).toEqual([true, false]);
  });

  test("are added to the record when a vote no longer counts, which is not one of them", () => {
    const blocks = new Blocks();
    countVote(blocks.at(3), A);
    endRun(4, blocks.at(6), A);
    expect(blocks.offsets(A, 6)).toEqual([3, 3]);
    expect(blocks.offsets(A, 20)).toEqual([3, 3]);
    endRun(4, blocks.at(8), A);
    countVote(blocks.at(10), A);
    expect(blocks.offsets(A, 10)).toEqual([3, 4]);
  });

  test("are forgotten where counting begins anew", () => {
    const blocks = new Blocks();
    countVote(blocks.at(3), A);
    forgetRun(blocks.at(6), A);
    expect(isCounted(blocks.at(6), A)).toBe(false);
    expect(blocks.offsets(A, 6)).toEqual([0, 0]);
  });
});

const asBefore = (ctx: Context): boolean => countsAsBefore(ctx, ctx.env.block.lastCommit);

describe("every vote is looked at", () => {
  test("in the first block, and after a change of the set, a jailing or a removal", () => {
    const blocks = new Blocks();
    expect(asBefore(blocks.at(2, A, B))).toBe(false);
    everyVoteLookedAt(4, blocks.at(2, A, B));
    expect(asBefore(blocks.at(3, A, B))).toBe(true);
    expect(asBefore(blocks.at(3, A))).toBe(false);
    lookAtEveryVote(blocks.at(3, A, B));
    expect(asBefore(blocks.at(4, A, B))).toBe(false);
  });

  test("and ends the runs of those who have left the last commit, no others", () => {
    const blocks = new Blocks();
    for (const address of [A, B]) countVote(blocks.at(2, A, B), address);
    everyVoteLookedAt(4, blocks.at(5, B));
    expect([A, B].map((address) => isCounted(blocks.at(5), address))).toEqual([false, true]);
    expect(blocks.offsets(A, 5)).toEqual([3, 3]);
    expect(blocks.offsets(B, 5)).toEqual([0, 4]);
  });
});
