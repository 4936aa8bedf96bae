import type { Bitset } from "../../consensus/bitset.ts";
import { hasTwoThirds } from "../../consensus/quorum.ts";
import type { RoundFailure } from "../../consensus/timeouts.ts";
import type { ValidatorList } from "../../consensus/validator-list.ts";
import { NO_FAULTS, type RoundFaults } from "../faults/faults.ts";
import type { Node } from "../node/node.ts";
import type { ExecutionGroup, VotingGroup } from "./voting-groups.ts";

export type RoundOutcome = "decided" | RoundFailure;

/** The votes of one round, as validator indexes. */
export interface RoundVotes {
  readonly outcome: RoundOutcome;
  /** Validators whose votes arrive, in time or late, regardless of their state. */
  readonly participating: Bitset;
  /**
   * Validators that prevote the proposed block; undefined if none is proposed in time. The others
   * prevote nil.
   */
  readonly prevotedFor: Bitset | undefined;
  /** Validators whose precommits count: for the decided block, or for nil. */
  readonly signers: Bitset;
  /**
   * True if there is no quorum without the slow validators: the round lasts until their votes
   * arrive.
   */
  readonly waited: boolean;
}

/** The validators of a voting group that vote in a round. */
export interface Participation {
  /** Validators whose votes arrive in time or late. */
  readonly voters: Bitset;
  readonly onTime: Bitset;
}

export function participationOf(
  votingGroup: VotingGroup,
  voting: ValidatorList,
  { mute, refused, flaky, slow }: RoundFaults,
): Participation {
  const { signers } = votingGroup;
  if (mute.length + refused.length + flaky.length + slow.length === 0)
    return { voters: signers, onTime: signers };
  const silent = [...mute, ...refused, ...flaky];
  const unheard = withoutLiveTwin(silent, silent, votingGroup);
  const voters = without(signers, unheard, voting);
  const late = withoutLiveTwin(slow, [...silent, ...slow], votingGroup);
  return { voters, onTime: without(voters, late, voting) };
}

/**
 * Returns the votes of the strongest group's partition on the block that this validator proposes: a
 * group prevotes only a block based on its own state. `votingGroups` is sorted by power,
 * descending. Undefined if there are none.
 */
export function voteRound(
  votingGroups: readonly VotingGroup[],
  voting: ValidatorList,
  proposer: number,
  faults: RoundFaults,
): RoundVotes | undefined {
  const [main] = votingGroups;
  if (main === undefined) return undefined;
  if (votingGroups.length === 1 && faults === NO_FAULTS) {
    const { signers, power } = main;
    // Shortcut with the same result as the code below, for most rounds.
    if (signers.get(proposer) && hasTwoThirds(power, voting.totalPower))
      return {
        outcome: "decided",
        participating: signers,
        prevotedFor: signers,
        signers,
        waited: false,
      };
  }
  const { partition } = main.groups[0] ?? {};
  const disagreeing = votingGroups
    .slice(1)
    .filter(({ groups }) => groups[0]?.partition === partition);
  const own = participationOf(main, voting, faults);
  const theirs = disagreeing.map((group) => participationOf(group, voting, faults));
  const all = [own, ...theirs];
  const proposing = all.find(({ onTime }) => onTime.get(proposer));
  const prevotedFor = proposing?.voters;
  const participating = unionOf(all.map(({ voters }) => voters));
  const quorum = (voters: Bitset): boolean => {
    const power = voters === main.signers ? main.power : voters.weigh(voting.powers);
    return hasTwoThirds(power, voting.totalPower);
  };
  const failed = (outcome: RoundFailure, signers: Bitset): RoundVotes => {
    return { outcome, participating, prevotedFor, signers, waited: false };
  };
  if (!quorum(participating)) return failed("too-few-votes", participating);
  if (proposing === own && quorum(own.voters)) {
    const waited = !quorum(own.onTime);
    const signers = waited ? own.voters : own.onTime;
    return { outcome: "decided", participating, prevotedFor, signers, waited };
  }
  const onTime = unionOf(all.map((one) => one.onTime));
  const signers = quorum(onTime) ? onTime : participating;
  if (proposing === undefined) return failed("no-proposal", signers);
  const against = all.filter((one) => one !== proposing).map(({ voters }) => voters);
  const refused = against.length > 0 && quorum(unionOf(against));
  return failed(refused ? "proposal-refused" : "prevotes-split", signers);
}

/** Union of at least one set. */
const unionOf = (sets: readonly Bitset[]): Bitset => sets.reduce((all, set) => all.union(set));

/** Nodes without a live twin in this voting group; `silent` nodes are not live. */
function withoutLiveTwin(
  nodes: readonly Node[],
  silent: readonly Node[],
  { groups }: VotingGroup,
): readonly Node[] {
  if (nodes.length === 0 || !groups.some(hasTwins)) return nodes;
  const live = groups.flatMap((group) => group.nodes.filter((node) => !silent.includes(node)));
  const voting = new Set(live.map(({ validator }) => validator));
  return nodes.filter(({ validator }) => !voting.has(validator));
}

const twins = new WeakMap<ExecutionGroup, boolean>();

/** Returns true if a group has twins. Cached, since the nodes of a group never change. */
function hasTwins(group: ExecutionGroup): boolean {
  let found = twins.get(group);
  if (found === undefined) {
    found = group.nodes.some((node) => node.isTwin);
    twins.set(group, found);
  }
  return found;
}

/** Signers without the validators of some nodes; the same object if none is removed. */
function without(signers: Bitset, nodes: readonly Node[], voting: ValidatorList): Bitset {
  if (nodes.length === 0) return signers;
  const rest = signers.copy();
  for (const node of nodes) {
    const index = voting.indexOf(node.consensusAddress);
    if (index >= 0) rest.set(index, false);
  }
  return rest;
}

/** Validator indexes that did not sign, ascending. */
export function absentOf(signers: Bitset): number[] {
  const absent: number[] = [];
  if (signers.isFull()) return absent;
  for (let i = 0; i < signers.size; i++) if (!signers.get(i)) absent.push(i);
  return absent;
}
