import type { ScenarioStep } from "../store/actions.ts";

export type VoteOption = "yes" | "no" | "abstain" | "no_with_veto";

export const VOTE_OPTIONS: readonly (readonly [VoteOption, string])[] = [
  ["yes", "yes"],
  ["no", "no"],
  ["no_with_veto", "no with veto"],
  ["abstain", "abstain"],
];

/** Shares of one vote in percent, as typed; empty for none. */
export type Shares = Readonly<Record<VoteOption, string>>;

/**
 * A reference that a step resolves: the address of an account, or with `.valoper` that of its
 * operator.
 */
export const addressOf = (name: string): string => ["$", "{", name, "}"].join("");

/** The vote of an account, or of every validator. */
export const voteStep = (proposal: number, option: VoteOption, by: string): ScenarioStep => ({
  vote: { proposal, option, by: by === "all" ? "all" : [by] },
});

/** An account's vote, split between options. */
export function weightedVoteStep(proposal: number, shares: Shares, by: string): ScenarioStep {
  const options = VOTE_OPTIONS.flatMap(([option]) =>
    shares[option].trim() === ""
      ? []
      : [{ option: `VOTE_OPTION_${option.toUpperCase()}`, weight: weightOf(shares[option]) }],
  );
  const message = { proposal_id: String(proposal), voter: addressOf(by), options };
  return txStep(by, "gov.v1.MsgVoteWeighted", message);
}

/** Percent as the chain's decimal; invalid text is left for the engine to refuse. */
const weightOf = (percent: string): string =>
  /^\d+(\.\d+)?$/.test(percent.trim()) ? String(Number(percent) / 100) : percent;

export const depositStep = (
  proposal: number,
  amount: string,
  denom: string,
  by: string,
): ScenarioStep =>
  txStep(by, "gov.v1.MsgDeposit", {
    proposal_id: String(proposal),
    depositor: addressOf(by),
    amount: [{ denom, amount }],
  });

export const withdrawStep = (proposal: number, by: string): ScenarioStep =>
  txStep(by, "gov.v1.MsgCancelProposal", {
    proposal_id: String(proposal),
    proposer: addressOf(by),
  });

export const unjailStep = (name: string): ScenarioStep =>
  txStep(name, "slashing.v1beta1.MsgUnjail", { validator_addr: addressOf(`${name}.valoper`) });

/** A transaction with one message, signed by an account. */
export const txStep = (from: string, type: string, message: object): ScenarioStep => ({
  tx: { from, msgs: [{ "@type": `/chain.${type}`, ...message }] },
});
