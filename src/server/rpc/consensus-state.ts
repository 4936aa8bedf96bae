/** The current round, in the format for operators. */

import { toHexUpper } from "../../base/bytes.ts";
import { formatRfc3339 } from "../../base/time.ts";
import type { ValidatorSet } from "../../engine/consensus/validator-set.ts";
import type { Ballot, RoundView, VoteView } from "../../engine/simulation/round-views.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import { type JsonObject, validatorForm } from "../../view/events/forms.ts";
import type { Json } from "../../view/json.ts";

/** NewHeight: between two rounds nothing is proposed. */
const STEP = 1;

/** `consensus_state`: a summary of the round. */
export function consensusState(sim: Simulation): JsonObject {
  const { height, round, votes, proposer, index } = standing(sim);
  return {
    round_state: {
      "height/round/step": `${height}/${round}/${STEP}`,
      start_time: formatRfc3339(sim.clock),
      proposal_block_hash: "",
      locked_block_hash: "",
      valid_block_hash: "",
      height_vote_set: votes,
      proposer: { address: proposer, index },
    },
  };
}

/**
 * `dump_consensus_state`: the round with its validators. Blocks reach every node at once, so there
 * are no peers.
 */
export function dumpedState(sim: Simulation): JsonObject {
  const { height, round, votes, index } = standing(sim);
  const members = membersOf(sim.network.ledger.voting);
  return {
    round_state: {
      height: `${height}`,
      round,
      step: STEP,
      start_time: formatRfc3339(sim.clock),
      commit_time: formatRfc3339(sim.time),
      validators: { validators: members, proposer: members[index] ?? null },
      proposal: null,
      proposal_block: null,
      locked_round: -1,
      locked_block: null,
      valid_round: -1,
      valid_block: null,
      votes,
      commit_round: -1,
      triggered_timeout_precommit: false,
    },
    peers: [],
  };
}

/** The members of a set with their priorities. */
export const membersOf = ({ list, priorities, size }: ValidatorSet): JsonObject[] =>
  Array.from({ length: size }, (_, i) => validatorForm(list.at(i), priorities[i]));

function standing(sim: Simulation) {
  const height = sim.decidedHeight + 1;
  const { list } = sim.network.ledger.voting;
  const proposer = sim.proposer();
  const tried = sim.roundsOf(height).map((round) => votesForm(height, round, list.totalPower));
  const votes: Json[] = [...tried, unvoted(sim.round, list.size, list.totalPower)];
  return {
    height,
    round: sim.round,
    votes,
    proposer: toHexUpper(proposer),
    index: list.indexOf(proposer),
  };
}

function votesForm(height: number, { round, votes }: RoundView, total: number): JsonObject {
  const step = (name: "prevote" | "precommit") => {
    const ballots = votes.map((vote, index) =>
      voteText(vote, vote[name], index, name, height, round),
    );
    const power = votes.reduce((sum, vote) => sum + (vote[name] === "none" ? 0 : vote.power), 0);
    const bits = votes.map((vote) => (vote[name] === "none" ? "_" : "x")).join("");
    return { ballots, bits: bitsText(bits, power, total) };
  };
  const [prevotes, precommits] = [step("prevote"), step("precommit")];
  return {
    round,
    prevotes: prevotes.ballots,
    prevotes_bit_array: prevotes.bits,
    precommits: precommits.ballots,
    precommits_bit_array: precommits.bits,
  };
}

function unvoted(round: number, size: number, total: number): JsonObject {
  const ballots = Array.from({ length: size }, () => NO_VOTE);
  const bits = bitsText("_".repeat(size), 0, total);
  return {
    round,
    prevotes: ballots,
    prevotes_bit_array: bits,
    precommits: ballots,
    precommits_bit_array: bits,
  };
}

const NO_VOTE = "nil-Vote";
const NO_HASH = "000000000000";

function voteText(
  { validator }: VoteView,
  ballot: Ballot,
  index: number,
  step: "prevote" | "precommit",
  height: number,
  round: number,
): string {
  if (ballot === "none") return NO_VOTE;
  const type = step === "prevote" ? "Prevote" : "Precommit";
  const name = `SIGNED_MSG_TYPE_${type.toUpperCase()}(${type})`;
  const host = `${height}/${String(round).padStart(2, "0")}/${name}`;
  const of = toHexUpper(validator.subarray(0, 6));
  return `Vote{${index}:${of} ${host} ${ballot === "nil" ? NO_HASH : "BLOCK"}}`;
}

const bitsText = (bits: string, power: number, total: number): string =>
  `BA{${bits.length}:${bits}} ${power}/${total} = ${(total === 0 ? 0 : power / total).toFixed(2)}`;
