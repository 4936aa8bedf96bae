import type { Bitset } from "../../consensus/bitset.ts";
import type { VoteTimes } from "../../consensus/commit.ts";
import { voteTime, weightedMedian } from "../../consensus/time.ts";
import type { ValidatorList } from "../../consensus/validator-list.ts";
import type { Duration, Time } from "../../primitives/time.ts";
import type { RoundFaults } from "../faults/faults.ts";
import type { VotingGroup } from "./voting-groups.ts";

const NONE: ReadonlyMap<number, Time> = new Map();

/**
 * The time on each precommit for a block (staking facts §4.6): the voter's own clock, which shows `now` unless it is
 * wrong, but later than the block. A validator votes once, with the clock of its first machine there.
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
    const there = votingGroup.groups.some((group) => group === node.group);
    const index = voting.indexOf(node.consensusAddress);
    if (there && index >= 0 && isFirst(node, votingGroup)) wrong.set(index, by);
  }
  const others = new Map<number, Time>();
  for (const [index, by] of wrong) {
    const time = voteTime(now + by, blockTime);
    if (time !== usual) others.set(index, time);
  }
  return { usual, others };
}

/** Whether it is the validator's own machine, or a twin of one that is not there. */
function isFirst(node: RoundFaults["clocks"][number]["node"], { groups }: VotingGroup): boolean {
  if (node.name === node.validator) return true;
  return !groups.some((group) => group.nodes.some(({ name }) => name === node.validator));
}

/** Time of the next block: the median of its commit's times, each weighted with its validator's power once. */
export function medianTime(
  { usual, others }: VoteTimes,
  signers: Bitset,
  voting: ValidatorList,
): Time {
  const votes = [...others].flatMap(([index, time]) =>
    signers.get(index) ? [{ time, power: voting.powers[index] as number }] : [],
  );
  if (votes.length === 0) return usual;
  const power = votes.reduce((sum, vote) => sum + vote.power, 0);
  const rest = signers.weigh(voting.powers) - power;
  return weightedMedian(rest > 0 ? [{ time: usual, power: rest }, ...votes] : votes);
}
