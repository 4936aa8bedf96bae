import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { unpackAny } from "../../../engine/framework/codec.ts";
import { formatRfc3339, fromTimestamp } from "../../../engine/primitives/time.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import { type Proposal, ProposalStatus } from "../../../gen/chain/gov/v1/gov_pb.ts";
import { Query } from "../../../gen/chain/gov/v1/query_pb.ts";
import { Query as UpgradeQuery } from "../../../gen/chain/upgrade/v1beta1/query_pb.ts";
import { MsgSoftwareUpgradeSchema } from "../../../gen/chain/upgrade/v1beta1/tx_pb.ts";
import type { Plan } from "../../../gen/chain/upgrade/v1beta1/upgrade_pb.ts";
import type { CancelAdvice, ProposalView } from "../../../gen/lab/v1/lab_plain.ts";
import { ask, askOrEmpty } from "../ask.ts";
import {
  cancelAdvice,
  isOpen,
  type PlannedProposal,
  type ScheduledPlan,
} from "../diagnosis/cancel-advice.ts";
import { BlockTimes } from "./block-times.ts";
import { tallyView } from "./tally.ts";

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

export interface ReadProposal {
  readonly view: ProposalView;
  readonly proposal: Proposal;
}

/**
 * The newest proposals, oldest first, with the votes as they stand.
 *
 * @param bondedAtCount bonded tokens when a proposal's votes were counted, if they were
 */
export function proposalsOf(
  sim: Simulation,
  bondedAtCount: (id: number) => bigint | undefined,
): ReadProposal[] {
  const { proposals } = askOrEmpty(sim, Query.method.proposals, { pagination: NEWEST });
  return proposals
    .map((proposal) => {
      const view = viewOf(sim, proposal);
      const tally = tallyView(sim, proposal, view, bondedAtCount(view.id));
      return { view: tally ? { ...view, tally } : view, proposal };
    })
    .reverse();
}

/** Until when one proposal's plan can be called off; undefined if it has none that could be. */
export function adviceOn(sim: Simulation, proposalId: bigint): CancelAdvice | undefined {
  const { proposal } = ask(sim, Query.method.proposal, { proposalId });
  const { plan } = ask(sim, UpgradeQuery.method.currentPlan, {});
  if (proposal === undefined) return undefined;
  const scheduled = plan && { name: plan.name, height: Number(plan.height) };
  const read = { view: viewOf(sim, proposal), proposal };
  const planned = openPlans(sim, [read], scheduled).get(Number(proposalId));
  return planned && cancelAdvice(planned, sim.spec.safetyDelta, new BlockTimes(sim));
}

/** Those among the proposals whose plan may still be called off, by id. */
export function openPlans(
  sim: Simulation,
  proposals: readonly ReadProposal[],
  scheduled: ScheduledPlan | undefined,
): ReadonlyMap<number, PlannedProposal> {
  const { params } = askOrEmpty(sim, Query.method.params, { paramsType: "voting" });
  if (params === undefined) return new Map();
  const open = proposals.filter(
    ({ view, proposal }) => view.planHeight > 0 && isOpen(proposal, view, scheduled),
  );
  return new Map(
    open.map(({ view, proposal }) => [view.id, { proposal, planHeight: view.planHeight, params }]),
  );
}

function viewOf(sim: Simulation, proposal: Proposal): ProposalView {
  const { id, title, status, messages, failedReason, totalDeposit } = proposal;
  const tally =
    status === ProposalStatus.VOTING_PERIOD
      ? askOrEmpty(sim, Query.method.tallyResult, { proposalId: id }).tally
      : proposal.finalTallyResult;
  const plan = planIn(proposal);
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
    deposit: totalDeposit.find(({ denom }) => denom === sim.spec.staking.bondDenom)?.amount ?? "0",
  };
}

const planIn = ({ messages }: Proposal): Plan | undefined =>
  messages
    .map((any) => unpackAny(MsgSoftwareUpgradeSchema, any)?.plan)
    .find((found) => found !== undefined);

const timeText = (timestamp: Timestamp | undefined): string =>
  timestamp === undefined ? "" : formatRfc3339(fromTimestamp(timestamp));
