import type { BlockResults } from "../../../engine/simulation/views.ts";

/** Bits of BlockCell.marks (lab.proto). */
export const MARK = {
  evidence: 1,
  slash: 2,
  proposal: 4,
  plan: 8,
  upgrade: 16,
  txs: 32,
  rounds: 64,
  halt: 128,
} as const;

/** Marks of rare events, which users search for in a long history. */
export const LOOKED_FOR =
  MARK.evidence | MARK.slash | MARK.proposal | MARK.plan | MARK.upgrade | MARK.halt;

/** The mark of each event type. */
const OF_EVENT: Readonly<Record<string, number>> = {
  submit_evidence: MARK.evidence,
  slash: MARK.slash,
  submit_proposal: MARK.proposal,
  active_proposal: MARK.proposal,
  inactive_proposal: MARK.proposal,
};

/** The marks of a block on the timeline. */
export function marksOf(block: BlockResults): number {
  let marks = 0;
  if (block.misbehavior + block.evidence.length > 0) marks |= MARK.evidence;
  if (block.txs.length > 0) marks |= MARK.txs;
  if (block.round > 0) marks |= MARK.rounds;
  for (const { type } of block.events) marks |= OF_EVENT[type] ?? 0;
  for (const { events } of block.txs) {
    for (const { type } of events) marks |= OF_EVENT[type] ?? 0;
  }
  // The upgrade module emits no event of its own.
  for (const { module, kind, reverted } of block.steps) {
    if (module !== "upgrade" || reverted) continue;
    if (kind === "schedule") marks |= MARK.plan;
    if (kind === "done") marks |= MARK.upgrade;
  }
  return marks;
}
