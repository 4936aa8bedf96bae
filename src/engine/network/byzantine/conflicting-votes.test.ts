import { describe, expect, test } from "vitest";
import { PRECOMMIT, verifyVote } from "../../consensus/vote.ts";
import { CommandError } from "../../framework/errors.ts";
import type { Node } from "../node/node.ts";
import { decide, ledgerOf, nodesOf, setOf } from "../testing.ts";
import { conflictingVotesAt } from "./conflicting-votes.ts";

const [a, b, stranger] = nodesOf(3) as [Node, Node, Node];
const { blocks, voting } = (() => {
  const ledger = ledgerOf(setOf([a, b]));
  decide(ledger);
  decide(ledger, [], 4);
  return ledger;
})();

describe("the conflicting votes of a node for a decided height", () => {
  test("are signed precommits of its round: one for the block, one for a block of its own", () => {
    const votes = conflictingVotesAt(b, "lab-1", 2, blocks);
    for (const vote of votes) {
      expect(vote).toMatchObject({
        type: PRECOMMIT,
        height: 2,
        round: 4,
        timestamp: 2n,
        validatorAddress: b.consensusAddress,
        validatorIndex: voting.list.indexOf(b.consensusAddress),
      });
      expect(verifyVote(b.key.publicKey, "lab-1", vote)).toBe(true);
    }
    expect(votes[0].blockId.hash).toEqual(blocks.hashAt(2));
    const own = votes[1].blockId.hash;
    expect(own).not.toEqual(votes[0].blockId.hash);
    expect(conflictingVotesAt(b, "lab-1", 2, blocks)[1].blockId.hash).toEqual(own);
    expect(conflictingVotesAt(a, "lab-1", 2, blocks)[1].blockId.hash).not.toEqual(own);
  });

  test("are refused for a height without a block, and for a node that was no validator there", () => {
    const atThree = () => conflictingVotesAt(b, "lab-1", 3, blocks);
    expect(atThree).toThrow(CommandError);
    expect(atThree).toThrow("there is no block 3 yet to vote on");
    const ofStranger = () => conflictingVotesAt(stranger, "lab-1", 2, blocks);
    expect(ofStranger).toThrow(CommandError);
    expect(ofStranger).toThrow("val-2 was not in the validator set of height 2");
  });
});
