import { formatRfc3339 } from "../../../base/time.ts";
import type { ModuleStep } from "../../../engine/app/steps.ts";
import { closingText } from "../../../engine/modules/gov/steps.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { Reason } from "../../../gen/lab/v1/explain_plain.ts";
import { Notes, notesOf } from "../explorer/proposal-notes.ts";
import type { Observer } from "../frame/observer.ts";
import { readOr } from "../frame/read-state.ts";
import { type Explained, reason, reasonOf, rememberedSteps } from "./reasons.ts";

/** Explains a proposal; undefined for an unused number. */
export function explainProposal(
  sim: Simulation,
  observer: Observer,
  id: number,
): Explained | undefined {
  const stored = readOr(sim, undefined, (ctx, { gov }) => gov.findProposal(ctx, BigInt(id)));
  const notes = notesOf(observer).get(id);
  if (stored === undefined && notes === undefined) return undefined;
  const byHeight = new Map<number, readonly Reason[]>();
  for (const [height, , all] of rememberedSteps(sim, (step) => isAbout(step, id))) {
    const own = withMessages(all, id);
    byHeight.set(
      height,
      own.map((step) => reasonOf(height, step, all)),
    );
  }
  // Notes of a proposal are stored longer than the steps of its blocks.
  const noted = observer.govNotes.filter(({ step }) => isAbout(step, id));
  for (const { height } of noted) {
    if (byHeight.has(height)) continue;
    const steps = noted.filter((note) => note.height === height).map(({ step }) => step);
    byHeight.set(
      height,
      steps.map((step) => reasonOf(height, step, steps)),
    );
  }
  const explained = [...byHeight].sort(([a], [b]) => a - b).flatMap(([, reasons]) => reasons);
  return {
    because: becauseOf(id, notes ?? new Notes([])),
    reasons: notes
      ? explained
      : [reason(0, `proposal ${id}`, "came with the genesis", "rules/gov 1.5")],
  };
}

const isAbout = ({ module, data }: ModuleStep, id: number): boolean =>
  module === "gov" &&
  (data as { readonly proposalId?: bigint }).proposalId !== undefined &&
  Number((data as { readonly proposalId?: bigint }).proposalId) === id;

/** The steps about a proposal, and all effects of its messages after it passed. */
function withMessages(all: readonly ModuleStep[], id: number): readonly ModuleStep[] {
  const isEnd = (step: ModuleStep): boolean => step.phase === "end-block" && isAbout(step, id);
  const first = all.findIndex(isEnd);
  const last = all.findLastIndex(isEnd);
  return all.filter((step, i) => isAbout(step, id) || (i > first && i < last && first >= 0));
}

function becauseOf(id: number, notes: Notes): string {
  const closed = notes.last("closed");
  const ended = notes.last("dropped") ?? notes.last("cancelled") ?? notes.last("unsupported");
  const voting = notes.last("voting");
  const submitted = notes.last("submitted");
  if (closed !== undefined && closed.data.closing.result !== "converted")
    return `Block ${closed.height} counted its votes: ${closingText(closed.data.closing)}.`;
  if (ended !== undefined) {
    const how = notes.last("dropped")
      ? "dropped it: deposits did not reach the minimum in time"
      : notes.last("cancelled")
        ? "deleted it: its proposer has withdrawn it"
        : "failed it: this binary cannot read its messages";
    return `Block ${ended.height} ${how}.`;
  }
  if (closed !== undefined)
    return `Block ${closed.height} counted its votes: it goes on as an ordinary proposal.`;
  if (voting !== undefined) return `It is voted on until ${formatRfc3339(voting.data.until)}.`;
  if (submitted !== undefined)
    return `It collects deposits until ${formatRfc3339(submitted.data.until)}.`;
  return `Proposal ${id} was there when the chain began.`;
}
