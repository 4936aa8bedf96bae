import { equal } from "../../../base/bytes.ts";
import type { Time } from "../../../base/time.ts";
import type { Bitset } from "../../consensus/bitset.ts";
import { type BlockId, NIL_BLOCK_ID } from "../../consensus/block-id.ts";
import type { ValidatorList } from "../../consensus/validator-list.ts";
import { PRECOMMIT, signVote, type Vote } from "../../consensus/vote.ts";
import type { Ledger } from "../chain/ledger.ts";
import type { RoundRecords } from "../round/round-record.ts";

/** One of the chains of a network that has forked. */
interface Fork {
  readonly ledger: Ledger;
  readonly rounds: RoundRecords;
}

/** Precommits by the nodes of one fork in a round: for its block, or nil. */
interface Precommits {
  readonly blockId: BlockId;
  readonly voters: ValidatorList;
  readonly signers: Bitset;
}

/**
 * Returns the conflicting precommits at a height of validators that voted on both forks: in the
 * round in which one fork decided, one vote for that fork's block, and one for another block or nil
 * on the other fork. Votes of different rounds do not conflict (rules/consensus 2.1, 5.5); failed
 * rounds are available while their records are stored.
 * @param secretOf returns the private key of a consensus address
 */
export function conflictsAt(
  chainId: string,
  height: number,
  ours: Fork,
  theirs: Fork,
  secretOf: (address: Uint8Array) => Uint8Array,
): readonly (readonly [Vote, Vote])[] {
  const forks = [ours, theirs].filter(({ ledger }) => ledger.blocks.has(height));
  const rounds = new Set(forks.map(({ ledger }) => ledger.blocks.roundAt(height)));
  const conflicts: (readonly [Vote, Vote])[] = [];
  for (const round of rounds) {
    const here = precommitsOf(ours, height, round);
    const there = precommitsOf(theirs, height, round);
    if (here === undefined || there === undefined) continue;
    if (equal(here.blockId.hash, there.blockId.hash)) continue;
    here.signers.forEach((validatorIndex) => {
      const { address: validatorAddress } = here.voters.at(validatorIndex);
      const index = there.voters.indexOf(validatorAddress);
      if (index < 0 || !there.signers.get(index)) return;
      const timestamp = forks[0]?.ledger.blocks.timeAt(height) as Time;
      const position = { height, round, timestamp, validatorAddress, validatorIndex };
      const vote = ({ blockId }: Precommits): Vote =>
        signVote(secretOf(validatorAddress), chainId, {
          type: PRECOMMIT,
          blockId,
          ...position,
        });
      conflicts.push([vote(here), vote(there)]);
    });
  }
  return conflicts;
}

function precommitsOf({ ledger, rounds }: Fork, height: number, round: number) {
  const { blocks } = ledger;
  if (blocks.has(height) && blocks.roundAt(height) === round) {
    const voters = blocks.validatorsAt(height);
    return { blockId: blocks.blockIdAt(height), voters, signers: blocks.signersAt(height) };
  }
  const failed = rounds.of(height).find((record) => record.round === round);
  if (failed?.votes === undefined || failed.votes.outcome === "decided") return undefined;
  return { blockId: NIL_BLOCK_ID, voters: failed.voting, signers: failed.votes.signers };
}
