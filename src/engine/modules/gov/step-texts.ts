import { accAddress } from "../../../base/bech32.ts";
import { type Dec, decFromString, decToText } from "../../../base/dec.ts";
import { formatRfc3339 } from "../../../base/time.ts";
import { formatCoins } from "../../framework/coins.ts";
import type { StepTexts } from "../../framework/trace.ts";
import { closingText, type GovSteps } from "./steps.ts";
import { VoteOption, type WeightedVoteOption } from "./types.ts";

const OPTIONS: Readonly<Record<number, string>> = {
  [VoteOption.YES]: "yes",
  [VoteOption.ABSTAIN]: "abstain",
  [VoteOption.NO]: "no",
  [VoteOption.NO_WITH_VETO]: "no with veto",
};

/** `yes`, or `0.7 yes + 0.3 no`. */
const optionsInWords = (options: readonly WeightedVoteOption[]): string =>
  options
    .map(({ option, weight }) => {
      const name = OPTIONS[option] ?? String(option);
      return options.length === 1 ? name : `${decToText(decFromString(weight))} ${name}`;
    })
    .join(" + ");

const compared = (value: Dec, sign: string, name: string, limit: Dec): string =>
  `${decToText(value)} ${sign} ${name} ${decToText(limit)}`;

export const GOV_TEXTS: StepTexts<GovSteps> = {
  submitted: ({ proposalId, until }) => [
    `proposal ${proposalId}`,
    `collects deposits until ${formatRfc3339(until)}`,
  ],
  cancelled: ({ proposalId }) => [`proposal ${proposalId}`, "cancelled by its proposer"],
  cancel_cost: ({ proposalId, coins }) => [
    `cancelling proposal ${proposalId}`,
    `costs ${formatCoins(coins)}`,
  ],
  deposit: ({ proposalId, total, minimum }) => [
    `deposit of proposal ${proposalId}`,
    `${formatCoins(total)} of ${formatCoins(minimum)}`,
  ],
  deposits_refunded: ({ proposalId }) => [`deposits of proposal ${proposalId}`, "refunded"],
  deposits_burned: ({ proposalId, coins }) => [
    `deposits of proposal ${proposalId}`,
    `burned ${formatCoins(coins)}`,
  ],
  voting: ({ proposalId, until }) => [
    `voting on proposal ${proposalId}`,
    `begins, until ${formatRfc3339(until)}`,
  ],
  vote: ({ proposalId, voter, options }) => [
    `vote on proposal ${proposalId}`,
    `${accAddress(voter)} ${optionsInWords(options)}`,
  ],
  nothing_bonded: ({ proposalId }) => [`proposal ${proposalId}: turnout`, "nothing is bonded"],
  turnout: ({ proposalId, voted, bonded, turnout, quorum }) => [
    `proposal ${proposalId}: turnout`,
    `${voted} of ${bonded} bonded: ${compared(turnout, turnout < quorum ? "<" : "≥", "quorum", quorum)}`,
  ],
  all_abstained: ({ proposalId }) => [`proposal ${proposalId}: votes`, "all abstained"],
  veto: ({ proposalId, share, threshold }) => [
    `proposal ${proposalId}: veto`,
    compared(share, share > threshold ? ">" : "≤", "veto threshold", threshold),
  ],
  yes: ({ proposalId, share, threshold }) => [
    `proposal ${proposalId}: yes`,
    compared(share, share > threshold ? ">" : "≤", "threshold", threshold),
  ],
  closed: ({ proposalId, closing }) => [`proposal ${proposalId}`, closingText(closing)],
  dropped: ({ proposalId }) => [
    `proposal ${proposalId}`,
    "dropped: deposits did not reach the minimum",
  ],
  unsupported: ({ proposalId, error }) => [`proposal ${proposalId}`, error],
  execute: ({ typeUrl, error }) => [`execute ${typeUrl}`, error ?? "done"],
};
