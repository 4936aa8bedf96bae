import type { Bitset } from "../../consensus/bitset.ts";
import { hasTwoThirds } from "../../consensus/quorum.ts";
import type { RoundFailure } from "../../consensus/timeouts.ts";
import type { ValidatorList } from "../../consensus/validator-list.ts";
import type { RoundFaults } from "../faults/faults.ts";
import type { Node } from "../node/node.ts";
import type { ExecutionGroup, VotingGroup } from "./voting-groups.ts";

export type RoundOutcome = "decided" | RoundFailure;

/** The votes of one round, as places in the voting set. */
export interface RoundVotes {
  readonly outcome: RoundOutcome;
  /** Who is heard at all, sooner or later, whatever state they hold. */
  readonly heard: Bitset;
  /** Who prevotes the proposed block; undefined if none is proposed in time. The others who are heard prevote nil. */
  readonly inFavour: Bitset | undefined;
  /** Whose precommits count: for the block that is decided, or for none. */
  readonly signers: Bitset;
  /** There is no quorum without the slow ones: everybody waits for them. */
  readonly waited: boolean;
}

/** Who of a votingGroup says anything in a round. */
export interface Voices {
  /** Sooner or later. */
  readonly voters: Bitset;
  /** In time. */
  readonly prompt: Bitset;
}

export function voicesOf(
  votingGroup: VotingGroup,
  voting: ValidatorList,
  { mute, refused, flaky, slow }: RoundFaults,
): Voices {
  const silent = [...mute, ...refused, ...flaky];
  const voters = without(votingGroup.signers, unhelped(silent, silent, votingGroup), voting);
  const late = unhelped(slow, [...silent, ...slow], votingGroup);
  return { voters, prompt: without(voters, late, voting) };
}

/**
 * What the machines that hear one another make of a round that this validator proposes in: a votingGroup can only
 * agree to what stands on its own state. `votingGroups` with the most power first; undefined if there are none.
 */
export function voteRound(
  votingGroups: readonly VotingGroup[],
  voting: ValidatorList,
  proposer: number,
  disturbance: RoundFaults,
): RoundVotes | undefined {
  const [main, ...others] = votingGroups;
  if (main === undefined) return undefined;
  const { partition } = main.groups[0] ?? {};
  const rivals = others.filter(({ groups }) => groups[0]?.partition === partition);
  const own = voicesOf(main, voting, disturbance);
  const theirs = rivals.map((votingGroup) => voicesOf(votingGroup, voting, disturbance));
  const all = [own, ...theirs];
  const proposing = all.find(({ prompt }) => prompt.get(proposer));
  const inFavour = proposing?.voters;
  const heard = unionOf(all.map(({ voters }) => voters));
  const quorum = (who: Bitset): boolean => {
    const power = who === main.signers ? main.power : who.weigh(voting.powers);
    return hasTwoThirds(power, voting.totalPower);
  };
  const failed = (outcome: RoundFailure, signers: Bitset): RoundVotes => {
    return { outcome, heard, inFavour, signers, waited: false };
  };
  if (!quorum(heard)) return failed("too-few-votes", heard);
  if (proposing === own && quorum(own.voters)) {
    const waited = !quorum(own.prompt);
    const signers = waited ? own.voters : own.prompt;
    return { outcome: "decided", heard, inFavour, signers, waited };
  }
  const prompt = unionOf(all.map((one) => one.prompt));
  const signers = quorum(prompt) ? prompt : heard;
  if (proposing === undefined) return failed("no-proposal", signers);
  const against = all.filter((one) => one !== proposing).map(({ voters }) => voters);
  const refused = against.length > 0 && quorum(unionOf(against));
  return failed(refused ? "proposal-refused" : "prevotes-split", signers);
}

/** Of at least one set. */
const unionOf = (sets: readonly Bitset[]): Bitset => sets.reduce((all, set) => all.union(set));

/** Those beside whom no other machine of the votingGroup speaks with the same key. */
function unhelped(nodes: readonly Node[], silent: readonly Node[], { groups }: VotingGroup) {
  if (nodes.length === 0 || groups.every((group) => twinsOf(group).length === 0)) return nodes;
  const speaking = groups.flatMap((group) => group.nodes.filter((node) => !silent.includes(node)));
  const helped = new Set(speaking.map(({ validator }) => validator));
  return nodes.filter(({ validator }) => !helped.has(validator));
}

const twins = new WeakMap<ExecutionGroup, readonly Node[]>();

/** Machines of a group with the key of another one, looked for once. */
function twinsOf(group: ExecutionGroup): readonly Node[] {
  let found = twins.get(group);
  if (found === undefined) {
    found = group.nodes.filter(({ name, validator }) => name !== validator);
    twins.set(group, found);
  }
  return found;
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
