import type { Dec } from "../../../base/dec.ts";
import type { ModuleStep } from "../../../engine/app/steps.ts";
import { tally } from "../../../engine/modules/gov/tally.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import { type Proposal, ProposalStatus } from "../../../gen/chain/gov/v1/gov_pb.ts";
import type { ProposalCount } from "../../../gen/lab/v1/lab_plain.ts";
import { readOr } from "../frame/read-state.ts";
import { Notes } from "./proposal-notes.ts";

/** Every stored tally, in order. */
export const countsOf = (notes: Notes): readonly ProposalCount[] =>
  notes.heightsOf("closed").map((height) => {
    const outcome = notes.last("closed", height)?.data.closing.result ?? "rejected";
    return countOf(notes, height, outcome);
  });

/** The tally in a block. */
function countOf(notes: Notes, height: number, outcome: ProposalCount["outcome"]): ProposalCount {
  const turnout = notes.last("turnout", height)?.data;
  const veto = notes.last("veto", height)?.data;
  const yes = notes.last("yes", height)?.data;
  const won = outcome === "passed" || outcome === "failed";
  return {
    height,
    outcome,
    failedBy: won ? "" : failedBy(notes, height),
    tally: turnout && {
      bonded: turnout.bonded.toString(),
      turnout: share(turnout.turnout),
      quorum: share(turnout.quorum),
      veto: share(veto?.share),
      vetoThreshold: share(veto?.threshold),
      yes: share(yes?.share),
      threshold: share(yes?.threshold),
    },
  };
}

/** Tallies the current votes, with the same code that closes a proposal. */
export function standingOf(sim: Simulation, proposal: Proposal): ProposalCount | undefined {
  if (proposal.status !== ProposalStatus.VOTING_PERIOD) return undefined;
  const { expedited } = proposal;
  return readOr(sim, undefined, (ctx, { gov }) => {
    const { passes } = tally(ctx, gov, proposal);
    const height = sim.height;
    const steps = ctx.env.trace.steps as readonly ModuleStep[];
    const notes = new Notes(
      steps.flatMap((step) => (step.module === "gov" ? [{ height, step }] : [])),
    );
    const outcome = passes ? "passed" : expedited ? "converted" : "rejected";
    return countOf(notes, height, outcome);
  });
}

/** The first test that the tally failed, in the order of the decision (rules/gov 6.2). */
function failedBy(notes: Notes, height: number): string {
  if (notes.last("nothing_bonded", height)) return "nothing_bonded";
  if (notes.last("all_abstained", height)) return "abstained";
  const veto = notes.last("veto", height)?.data;
  if (veto === undefined) return "quorum";
  return veto.share > veto.threshold ? "veto" : "threshold";
}

const share = (dec: Dec = 0n): number => Number(dec) / 1e18;
