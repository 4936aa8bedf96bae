import type { Bitset } from "../consensus/bitset.ts";
import { hasTwoThirds } from "../consensus/quorum.ts";
import { voteTime, weightedMedian } from "../consensus/time.ts";
import type { RoundFailure } from "../consensus/timeouts.ts";
import type { ValidatorList } from "../consensus/validator-list.ts";
import { MILLISECOND, type Time } from "../primitives/time.ts";
import type { Disturbance } from "./faults.ts";
import type { Bloc } from "./groups.ts";
import type { Node } from "./node.ts";

export type RoundOutcome = "decided" | RoundFailure;

/** The votes of one round, as places in the voting set. */
export interface RoundVotes {
  readonly outcome: RoundOutcome;
  /** Who says anything, sooner or later. */
  readonly voters: Bitset;
  /** Whose votes count: all voters', or without those that are not waited for. */
  readonly signers: Bitset;
  /** There is no quorum without the slow ones: everybody waits for them. */
  readonly waited: boolean;
  /** Who says it in time. */
  readonly prompt: Bitset;
}

/** What the voters of a bloc make of a round that this validator proposes in. */
export function voteRound(
  bloc: Bloc,
  voting: ValidatorList,
  proposer: number,
  { mute, refused, flaky, slow }: Disturbance,
): RoundVotes {
  const silent = [...mute, ...refused.filter((node) => isAlone(node, refused, bloc)), ...flaky];
  const voters = without(bloc.signers, silent, voting);
  const prompt = without(voters, slow, voting);
  const quorum = (who: Bitset): boolean => {
    const power = who === bloc.signers ? bloc.power : who.weigh(voting.powers);
    return hasTwoThirds(power, voting.totalPower);
  };
  const waited = !quorum(prompt);
  if (waited && !quorum(voters)) {
    return { outcome: "too-few-votes", voters, signers: voters, waited: false, prompt };
  }
  const signers = waited ? voters : prompt;
  const outcome = prompt.get(proposer) ? "decided" : "no-proposal";
  return { outcome, voters, signers, waited, prompt };
}

/** Whether no other machine of the bloc holds the same key and gets a signature. */
function isAlone(node: Node, refused: readonly Node[], { groups }: Bloc): boolean {
  return !groups.some((group) =>
    group.nodes.some(
      (other) => other !== node && other.validator === node.validator && !refused.includes(other),
    ),
  );
}

/** Signers without the validators of some machines; the same object if nobody is taken out. */
function without(signers: Bitset, nodes: readonly Node[], voting: ValidatorList): Bitset {
  if (nodes.length === 0) return signers;
  const rest = signers.copy();
  for (const node of nodes) {
    const index = voting.indexOf(node.consensusAddress);
    if (index >= 0) rest.set(index, false);
  }
  return rest;
}

/** Places in the set that did not sign, ascending. */
export function absentOf(signers: Bitset): number[] {
  const absent: number[] = [];
  if (signers.isFull()) return absent;
  for (let i = 0; i < signers.size; i++) if (!signers.get(i)) absent.push(i);
  return absent;
}

/** Time of the next block: the weighted median of the precommits' times, most of which are `now`. */
export function medianTime(
  now: Time,
  blockTime: Time,
  signers: Bitset,
  voting: ValidatorList,
  clocks: Disturbance["clocks"],
): Time {
  const wrong = clocks.flatMap(({ node, by }) => {
    const index = voting.indexOf(node.consensusAddress);
    const time = voteTime(now + by, blockTime);
    return signers.get(index) ? [{ time, power: voting.powers[index] as number }] : [];
  });
  if (wrong.length === 0) return now;
  const power = wrong.reduce((sum, vote) => sum + vote.power, 0);
  const right = { time: now, power: signers.weigh(voting.powers) - power };
  const median = weightedMedian([right, ...wrong]);
  return median > blockTime ? median : blockTime + MILLISECOND;
}
