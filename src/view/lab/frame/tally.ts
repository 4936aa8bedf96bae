import type { Simulation } from "../../../engine/simulation/simulation.ts";
import { type Proposal, ProposalStatus } from "../../../gen/chain/gov/v1/gov_pb.ts";
import type { ProposalView, TallyView } from "../../../gen/lab/v1/lab_plain.ts";
import { paramsOf, readOr } from "./read-state.ts";

/**
 * The current tally against gov's quorum, threshold and veto (rules/gov 6.2).
 *
 * @param counted bonded tokens at the final tally; undefined before that
 */
export function tallyView(
  sim: Simulation,
  proposal: Proposal,
  { yes, no, abstain, veto }: ProposalView,
  counted: bigint | undefined,
): TallyView | undefined {
  const voting = proposal.status === ProposalStatus.VOTING_PERIOD;
  const params = paramsOf(sim);
  const bonded = voting
    ? readOr(sim, 0n, (ctx, { staking }) => staking.totalBondedTokens(ctx))
    : counted;
  if (params === undefined || bonded === undefined) return undefined;
  const votes = BigInt(yes) + BigInt(no) + BigInt(abstain) + BigInt(veto);
  return {
    bonded: bonded.toString(),
    turnout: share(votes, bonded),
    quorum: Number(params.quorum),
    veto: share(BigInt(veto), votes),
    vetoThreshold: Number(params.vetoThreshold),
    yes: share(BigInt(yes), votes - BigInt(abstain)),
    threshold: Number(proposal.expedited ? params.expeditedThreshold : params.threshold),
  };
}

const share = (part: bigint, whole: bigint): number =>
  whole === 0n ? 0 : Number(part) / Number(whole);
