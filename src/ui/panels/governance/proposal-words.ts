/** Texts about a proposal: its status, the reason of its failure, and the fate of its deposit. */
import type { ProposalCount, ProposalPeriod, TallyView } from "../../store/types.ts";
import { amount, count, dayClock, list, sentence } from "../../widgets/format.ts";
import type { Course } from "./use-governance.ts";

/** Labels of statuses. */
const STATUS: Readonly<Record<string, string>> = {
  deposit: "deposit period",
  dropped: "deposit not reached",
};

export const statusText = (status: string): string => STATUS[status] ?? status;

const PERIODS: Readonly<Record<string, string>> = {
  deposit: "Deposit period",
  voting: "Voting",
  expedited: "Expedited voting",
};

/** More decimals do not help to distinguish two shares. */
const MOST_DECIMALS = 4;

/** A share and its limit in percent, with as many decimals as needed to distinguish them. */
export function besides(share: number, limit: number): readonly [share: string, limit: string] {
  for (let decimals = 1; ; decimals++) {
    const texts = [inPercent(share, decimals), inPercent(limit, decimals)] as const;
    if (texts[0] !== texts[1] || share === limit || decimals === MOST_DECIMALS) return texts;
  }
}

const inPercent = (share: number, decimals: number): string =>
  `${Number((share * 100).toFixed(decimals))} %`;

/** Returns why a tally rejects a proposal; empty if it passed or if the reason is not available. */
export function reasonOf({ failedBy, tally }: Pick<ProposalCount, "failedBy" | "tally">): string {
  switch (failedBy) {
    case "nothing_bonded":
      return "Nothing is bonded, so that no vote has any power.";
    case "abstained":
      return "All votes abstain, so that none is for it.";
    default:
      return tally ? comparedWith(failedBy, tally) : "";
  }
}

function comparedWith(failedBy: string, tally: TallyView): string {
  if (failedBy === "quorum") {
    const [share, limit] = besides(tally.turnout, tally.quorum);
    return `Turnout is ${share} of bonded stake, the quorum is ${limit}.`;
  }
  if (failedBy === "veto") {
    const [share, limit] = besides(tally.veto, tally.vetoThreshold);
    return `It is vetoed: ${share} of the votes are no with veto, and more than ${limit} rejects.`;
  }
  if (failedBy === "threshold") {
    const [share, limit] = besides(tally.yes, tally.threshold);
    return `Too few yes votes: ${share} of the votes that do not abstain, more than ${limit} is needed.`;
  }
  return "";
}

/** Reason why a proposal failed, or that it passed; empty while it is open. */
export function outcomeOf({ proposal, counts, ended, minimum }: Course): string {
  const { status, failedReason, deposit } = proposal;
  const block = `block ${count(ended)}`;
  const last = counts.at(-1);
  switch (status) {
    case "passed":
      return `Passed in ${block}.`;
    case "failed":
      return sentence(
        last?.outcome === "failed"
          ? `Passed in ${block}, but its messages failed: ${failedReason}`
          : `Failed in ${block}: ${failedReason}`,
      );
    case "rejected":
      return `Rejected in ${block}. ${(last && reasonOf(last)) || sentence(failedReason)}`;
    case "dropped":
      return `Its deposit period ended in ${block} with ${amount(deposit)} of ${amount(minimum)}: it is deleted.`;
    case "withdrawn":
      return `Withdrawn by its proposer in ${block}.`;
    default:
      return "";
  }
}

/** Returns the fate of the deposit; empty while it is held. */
export function depositFate({ proposal, ended, lost }: Course, denom: string): string {
  if (ended === 0 || proposal.deposit === "0") return "";
  if (lost === "0") return "The deposit is refunded.";
  return proposal.status === "withdrawn"
    ? `${amount(lost)} ${denom} of its deposit are lost, the rest is refunded.`
    : `Its deposit of ${amount(lost)} ${denom} is burned.`;
}

/** Returns the result of a tally that converted an expedited proposal; empty if there was none. */
export function conversionOf(counts: readonly ProposalCount[]): string {
  const converted = counts.find(({ outcome }) => outcome === "converted");
  if (!converted) return "";
  return `In block ${count(converted.height)} it failed as an expedited proposal. ${reasonOf(converted)} It continues as an ordinary one, and votes are cast again.`;
}

/** Returns the end of the current period as text. */
export function endOf(periods: readonly ProposalPeriod[], height: number, first: string): string {
  const now = periods.find(({ over }) => !over);
  if (!now) return "";
  const left = Math.max(0, now.to - height);
  return `${PERIODS[now.kind]} until block ${count(now.to)}, ${count(left)} ${left === 1 ? "block" : "blocks"} ahead, ${dayClock(now.end, first)}.`;
}

/** Returns the result that a tally of the current votes would have. */
export function standingText(standing: ProposalCount): string {
  if (standing.outcome === "passed") return "It would pass now.";
  const then = standing.outcome === "converted" ? " It would continue as an ordinary one." : "";
  return `It would fail now. ${reasonOf(standing)}${then}`;
}

/** `voting until block 16`: a short text beside the axis. */
export function brief({ proposal, periods, ended, counts }: Course): string {
  const now = periods.find(({ over }) => !over);
  if (now && ended === 0)
    return `${(PERIODS[now.kind] ?? "").toLowerCase()} until block ${count(now.to)}`;
  const because = BRIEF[counts.at(-1)?.failedBy ?? ""];
  const parts = [`${statusText(proposal.status)} in block ${count(ended)}`];
  if (proposal.status === "rejected" && because) parts.push(because);
  return parts.join(": ");
}

const BRIEF: Readonly<Record<string, string>> = {
  quorum: "below the quorum",
  veto: "vetoed",
  threshold: "too few yes",
  abstained: "all abstained",
  nothing_bonded: "nothing bonded",
};

/** Returns which open period ends next; empty if none is open. */
export function nextOf(courses: readonly Course[]): string {
  const open = courses.flatMap(({ proposal, periods }) =>
    periods.filter(({ over }) => !over).map((period) => ({ id: proposal.id, ...period })),
  );
  const soonest = Math.min(...open.map(({ to }) => to));
  const ending = (deposit: boolean): string =>
    list(
      open
        .filter(({ kind, to }) => to === soonest && (kind === "deposit") === deposit)
        .map(({ id }) => String(id))
        .reverse(),
    );
  const [deposits, votes] = [ending(true), ending(false)];
  const what = [
    ...(votes === "" ? [] : [`voting on ${votes}`]),
    ...(deposits === "" ? [] : [`the deposit period of ${deposits}`]),
  ];
  if (what.length === 0) return "";
  const verb = what.length === 1 ? "ends" : "end";
  return `Next: ${what.join(" and ")} ${verb} in block ${count(soonest)}.`;
}
