import type { Bitset } from "../../consensus/bitset.ts";
import { type BlockId, NIL_BLOCK_ID } from "../../consensus/block-id.ts";
import type { ValidatorList } from "../../consensus/validator-list.ts";
import { PRECOMMIT, signVote, type Vote } from "../../consensus/vote.ts";
import { equal } from "../../primitives/bytes.ts";
import type { Time } from "../../primitives/time.ts";
import type { Ledger } from "../chain/ledger.ts";
import type { RoundRecords } from "../round/round-record.ts";

/** One of the chains of a network that has split. */
interface Side {
  readonly config: { readonly chainId: string };
  readonly ledger: Ledger;
  readonly rounds: RoundRecords;
}

/** What the machines of one side precommitted in a round: its block, or none. */
interface Precommits {
  readonly blockId: BlockId;
  readonly voters: ValidatorList;
  readonly signers: Bitset;
}

/**
 * The precommits of a height that whoever voted on both sides has signed against each other: in the round in
 * which one side decided, for its block there, and for another one or none on the other side. Votes
 * of different rounds do not conflict (staking facts §4.2); rounds without a block are known as
 * long as they are remembered.
 * @param secretOf the key behind a consensus address
 */
export function conflictsAt(
  height: number,
  ours: Side,
  theirs: Side,
  secretOf: (address: Uint8Array) => Uint8Array,
): readonly (readonly [Vote, Vote])[] {
  const sides = [ours, theirs].filter(({ ledger }) => ledger.blocks.has(height));
  const rounds = new Set(sides.map(({ ledger }) => ledger.blocks.roundAt(height)));
  const conflicts: (readonly [Vote, Vote])[] = [];
  for (const round of rounds) {
    const here = precommitsOf(ours, height, round);
    const there = precommitsOf(theirs, height, round);
    if (here === undefined || there === undefined) continue;
    if (equal(here.blockId.hash, there.blockId.hash)) continue;
    here.signers.forEach((validatorIndex) => {
      const { address: validatorAddress } = here.voters.at(validatorIndex);
      const seat = there.voters.indexOf(validatorAddress);
      if (seat < 0 || !there.signers.get(seat)) return;
      const timestamp = sides[0]?.ledger.blocks.timeAt(height) as Time;
      const place = { height, round, timestamp, validatorAddress, validatorIndex };
      const vote = ({ blockId }: Precommits): Vote =>
        signVote(secretOf(validatorAddress), ours.config.chainId, {
          type: PRECOMMIT,
          blockId,
          ...place,
        });
      conflicts.push([vote(here), vote(there)]);
    });
  }
  return conflicts;
}

function precommitsOf({ ledger, rounds }: Side, height: number, round: number) {
  const { blocks } = ledger;
  if (blocks.has(height) && blocks.roundAt(height) === round) {
    const voters = blocks.validatorsAt(height);
    return { blockId: blocks.blockIdAt(height), voters, signers: blocks.signersAt(height) };
  }
  const vain = rounds.of(height).find((record) => record.round === round);
  if (vain?.votes === undefined || vain.votes.outcome === "decided") return undefined;
  return { blockId: NIL_BLOCK_ID, voters: vain.voting, signers: vain.votes.signers };
}
