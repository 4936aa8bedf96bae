import type { Any, Timestamp } from "@bufbuild/protobuf/wkt";
import { unpackAny } from "../../engine/framework/codec.ts";
import { formatRfc3339, fromTimestamp } from "../../engine/primitives/time.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import { type Proposal, ProposalStatus } from "../../gen/chain/gov/v1/gov_pb.ts";
import { Query } from "../../gen/chain/gov/v1/query_pb.ts";
import { MsgSoftwareUpgradeSchema } from "../../gen/chain/upgrade/v1beta1/tx_pb.ts";
import { askOrEmpty } from "./ask.ts";
import type { ProposalView } from "./plain.ts";

/** The newest ones; older ones are for queries. */
const NEWEST = { limit: 50n, reverse: true };

const STATUS: Readonly<Record<ProposalStatus, string>> = {
  [ProposalStatus.UNSPECIFIED]: "",
  [ProposalStatus.DEPOSIT_PERIOD]: "deposit",
  [ProposalStatus.VOTING_PERIOD]: "voting",
  [ProposalStatus.PASSED]: "passed",
  [ProposalStatus.REJECTED]: "rejected",
  [ProposalStatus.FAILED]: "failed",
};

/** The newest proposals, oldest first, with the votes as they stand. */
export function proposalsOf(
  sim: Simulation,
): { readonly view: ProposalView; readonly messages: readonly Any[] }[] {
  const { proposals } = askOrEmpty(sim, Query.method.proposals, { pagination: NEWEST });
  return proposals
    .map((proposal) => ({ view: viewOf(sim, proposal), messages: proposal.messages }))
    .reverse();
}

function viewOf(sim: Simulation, proposal: Proposal): ProposalView {
  const { id, title, status, messages, failedReason, totalDeposit } = proposal;
  const tally =
    status === ProposalStatus.VOTING_PERIOD
      ? askOrEmpty(sim, Query.method.tallyResult, { proposalId: id }).tally
      : proposal.finalTallyResult;
  const plan = messages
    .map((any) => unpackAny(MsgSoftwareUpgradeSchema, any)?.plan)
    .find((found) => found !== undefined);
  return {
    id: Number(id),
    title,
    status: STATUS[status],
    messages: messages.map(({ typeUrl }) => typeUrl),
    votingEnd: timeText(proposal.votingEndTime),
    failedReason,
    yes: tally?.yesCount ?? "0",
    no: tally?.noCount ?? "0",
    abstain: tally?.abstainCount ?? "0",
    veto: tally?.noWithVetoCount ?? "0",
    planName: plan?.name ?? "",
    planHeight: Number(plan?.height ?? 0),
    submitTime: timeText(proposal.submitTime),
    votingStart: timeText(proposal.votingStartTime),
    depositEnd: timeText(proposal.depositEndTime),
    deposit: totalDeposit.find(({ denom }) => denom === sim.spec.denom)?.amount ?? "0",
  };
}

const timeText = (timestamp: Timestamp | undefined): string =>
  timestamp === undefined ? "" : formatRfc3339(fromTimestamp(timestamp));
