import { equal } from "../../base/bytes.ts";
import type { Time } from "../../base/time.ts";
import { powerNeeded } from "../consensus/quorum.ts";
import type { Network } from "../network/network.ts";
import type { Node } from "../network/node/node.ts";
import { type Absence, absenceText } from "../network/round/absence.ts";
import type { RoundOutcome } from "../network/round/round.ts";
import type { RoundRecord } from "../network/round/round-record.ts";

/** A validator's vote in one step of a round: for the block, for nil, or none in time. */
export type Ballot = "block" | "nil" | "none";

export interface VoteView {
  /** Consensus address. */
  readonly validator: Uint8Array;
  readonly power: number;
  readonly prevote: Ballot;
  readonly precommit: Ballot;
  /** Reason why it voted differently from the majority; empty if it did not. */
  readonly why: string;
}

/** One round of a height, with the votes of every validator. */
export interface RoundView {
  readonly height: number;
  readonly round: number;
  /** Simulated clock at its start. */
  readonly startTime: Time;
  /** Consensus address. */
  readonly proposer: Uint8Array;
  readonly outcome: RoundOutcome;
  /** Reason why it produced no block; empty if it did. */
  readonly why: string;
  /** Power that voted for the block, and the minimum needed. */
  readonly power: number;
  readonly neededPower: number;
  /** In set order. */
  readonly votes: readonly VoteView[];
}

/** Rounds of a height that are still in memory, in order. */
export function roundsOf(network: Network, height: number): readonly RoundView[] {
  return network.rounds.of(height).map((record) => roundView(record, network));
}

/** Last round; undefined before the first. */
export function lastRoundOf(network: Network): RoundView | undefined {
  const { last } = network.rounds;
  return last && roundView(last, network);
}

function roundView(record: RoundRecord, network: Network): RoundView {
  const { height, round, startTime, voting, proposer, votes } = record;
  const outcome = votes?.outcome ?? "too-few-votes";
  const neededPower = powerNeeded(voting.totalPower);
  const ballots = votesOf(record);
  const power = ballots.reduce(
    (sum, vote) =>
      sum + ((outcome === "decided" ? vote.precommit : vote.prevote) === "block" ? vote.power : 0),
    0,
  );
  const { address } = voting.at(proposer);
  const named = [...network.nodes, ...network.otherForks.nodes].find((node) =>
    equal(node.consensusAddress, address),
  );
  const name = named?.validator ?? "the proposer";
  return {
    height,
    round,
    startTime,
    proposer: address,
    outcome,
    why: failureReason(record, outcome, name, power, ballots[proposer]?.why ?? ""),
    power,
    neededPower,
    votes: ballots,
  };
}

/** Reason why a round produced no block; empty if it did. `power` is the power for the block. */
function failureReason(
  { voting, proposer, votes, absences }: RoundRecord,
  outcome: RoundOutcome,
  name: string,
  power: number,
  silence: string,
): string {
  const needed = powerNeeded(voting.totalPower);
  switch (outcome) {
    case "decided":
      return "";
    case "no-proposal":
      return `${name} proposes nothing: ${silence}`;
    case "proposal-refused": {
      const reason = whyAbsent(absences.find(({ index }) => index === proposer));
      return `${name} proposes a block that the others refuse: ${reason}`;
    }
    case "prevotes-split":
      return `${name} proposes a block that ${power} of ${voting.totalPower} prevote, needed ${needed}: the others refuse it, it builds on another state than theirs`;
    case "too-few-votes":
      return `votes of ${votes?.participating.weigh(voting.powers) ?? 0} of ${voting.totalPower}, needed ${needed}`;
  }
}

/**
 * Returns the votes of a round. Validators that accept the proposal prevote it, the others nil;
 * without more than two thirds for it all precommit nil. With too few votes CometBFT would wait for
 * more prevotes in the same round; the simulated clock ends every round. A validator that refuses a
 * decided block halts before it precommits (rules/consensus 7.1).
 */
function votesOf({ voting, votes, absences, faults }: RoundRecord): readonly VoteView[] {
  const { mute, refused, flaky, slow } = faults;
  const absent = new Map(absences.map((one) => [one.index, one]));
  const silent = new Map<number, string>();
  const note = (nodes: readonly Node[], why: string): void => {
    for (const node of nodes) silent.set(voting.indexOf(node.consensusAddress), why);
  };
  note(slow, "its votes come too late");
  note(flaky, "sends nothing in this round");
  note(mute, "sends nothing");
  note(refused, "its signer refuses: it remembers a later height");
  return voting.addresses.map((validator, index): VoteView => {
    const power = voting.powers[index] as number;
    const vote = (prevote: Ballot, precommit: Ballot, why: string): VoteView => ({
      validator,
      power,
      prevote,
      precommit,
      why,
    });
    const gone = absent.get(index);
    const refuses = gone?.refuses === true;
    const silence = silent.get(index) ?? "";
    const decided = votes?.outcome === "decided";
    if (!votes?.participating.get(index)) {
      return vote(
        "none",
        "none",
        gone === undefined || (refuses && silence) ? silence : whyAbsent(gone),
      );
    }
    if (decided && refuses) return vote("nil", "none", whyAbsent(gone));
    if (!votes.signers.get(index)) return vote("none", "none", silence);
    if (votes.prevotedFor?.get(index)) return vote("block", decided ? "block" : "nil", silence);
    if (gone !== undefined) return vote("nil", "nil", whyAbsent(gone));
    return vote("nil", "nil", votes.prevotedFor === undefined ? silence : REFUSES);
  });
}

const whyAbsent = (absence: Absence | undefined): string =>
  absence?.cause === undefined ? "" : absenceText(absence.cause);

const REFUSES = "refuses the proposal: it builds on another state";
