import type { ModuleStep } from "../../../engine/app/steps.ts";
import type { BlockView } from "../../../engine/simulation/views.ts";
import type { EndedPlan } from "../../../gen/lab/v1/lab_plain.ts";

/** Bits of BlockCell.marks (lab.proto). */
export const MARK = {
  evidence: 1,
  slash: 2,
  proposal: 4,
  plan: 8,
  upgrade: 16,
  txs: 32,
  rounds: 64,
} as const;

/** The mark of each event type. */
const OF_EVENT: Readonly<Record<string, number>> = {
  submit_evidence: MARK.evidence,
  slash: MARK.slash,
  submit_proposal: MARK.proposal,
  active_proposal: MARK.proposal,
  inactive_proposal: MARK.proposal,
};

/** The marks of a block on the timeline. */
export function marksOf(block: BlockView): number {
  let marks = 0;
  if (block.misbehavior + block.evidence.length > 0) marks |= MARK.evidence;
  if (block.txs.length > 0) marks |= MARK.txs;
  if (block.round > 0) marks |= MARK.rounds;
  for (const { type } of block.events) marks |= OF_EVENT[type] ?? 0;
  for (const { type } of block.txs.flatMap((tx) => tx.events)) marks |= OF_EVENT[type] ?? 0;
  // The upgrade module emits no event of its own.
  for (const step of block.steps) {
    if (step.module !== "upgrade" || step.reverted) continue;
    if (step.kind === "schedule") marks |= MARK.plan;
    else if (step.kind === "done") marks |= MARK.upgrade;
  }
  return marks;
}

/** The plan that a step took back; undefined for any other step, and for a plan that was due and is done with. */
export function endedPlanOf(step: ModuleStep, block: number): EndedPlan | undefined {
  if (step.module !== "upgrade") return undefined;
  const replaces = step.kind === "schedule";
  const isCancelled = step.kind === "plan_cleared" && step.phase !== "pre-block";
  const plan = replaces ? step.data.replaced : isCancelled ? step.data.plan : undefined;
  if (plan === undefined) return undefined;
  const { name, height } = plan;
  return { name, height: Number(height), block, replacedBy: replaces ? step.data.name : "" };
}
