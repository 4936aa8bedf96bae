import type { Duration, Time } from "../../../base/time.ts";
import type { Bitset } from "../../consensus/bitset.ts";
import type { VoteTimes } from "../../consensus/commit.ts";
import { voteTime, weightedMedian } from "../../consensus/time.ts";
import type { ValidatorList } from "../../consensus/validator-list.ts";
import type { RoundFaults } from "../faults/faults.ts";
import type { Node } from "../node/node.ts";
import type { VotingGroup } from "./voting-groups.ts";

const NONE: ReadonlyMap<number, Time> = new Map();

/**
 * Returns the time on each precommit for a block (rules/consensus 5.2): the voter's own clock,
 * which is `now` unless it is wrong, but later than the block. A validator votes once, with the
 * clock of its own node if that votes, else with its twin's.
 */
export function voteTimes(
  now: Time,
  blockTime: Time,
  votingGroup: VotingGroup,
  voting: ValidatorList,
  clocks: RoundFaults["clocks"],
): VoteTimes {
  const usual = voteTime(now, blockTime);
  if (clocks.length === 0) return { usual, others: NONE };
  const wrong = new Map<number, Duration>();
  for (const { node, by } of clocks) {
    const inGroup = votingGroup.groups.some((group) => group.nodes.includes(node));
    const index = voting.indexOf(node.consensusAddress);
    if (inGroup && index >= 0 && castsVote(node, votingGroup)) wrong.set(index, by);
  }
  const others = new Map<number, Time>();
  for (const [index, by] of wrong) {
    const time = voteTime(now + by, blockTime);
    if (time !== usual) others.set(index, time);
  }
  return { usual, others };
}

/**
 * Returns true if the validator votes with this node: the node is not a twin, or its original is
 * not in the group.
 */
function castsVote(node: Node, { groups }: VotingGroup): boolean {
  if (!node.isTwin) return true;
  return !groups.some((group) => group.nodes.some(({ name }) => name === node.validator));
}

/** Time of the next block: the median of its commit's times, weighted by voting power. */
export function medianTime(
  { usual, others }: VoteTimes,
  signers: Bitset,
  voting: ValidatorList,
): Time {
  if (others.size === 0) return usual;
  const votes = [...others].flatMap(([index, time]) =>
    signers.get(index) ? [{ time, power: voting.powers[index] as number }] : [],
  );
  if (votes.length === 0) return usual;
  const power = votes.reduce((sum, vote) => sum + vote.power, 0);
  const rest = signers.weigh(voting.powers) - power;
  return weightedMedian(rest > 0 ? [{ time: usual, power: rest }, ...votes] : votes);
}
