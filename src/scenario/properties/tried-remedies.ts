/** Whether what is said to help nodes that halted does help: tried in a world that stands where the one in question stands. */
import { lazyObserver } from "../../api/lab/frame/observed.ts";
import { copiesOf } from "../../engine/simulation/keyframe/keyframe.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import type { Remedy } from "../../gen/lab/v1/lab_plain.ts";
import { parseStep } from "../parse.ts";
import { runStep } from "../runner.ts";
import type { StepContext } from "../step-context.ts";

/** Enough for a sidecar that waits before each try, and for what comes out only some blocks later. */
const ROUNDS_OF_A_REMEDY = 60;
/** More than the causes that one world has at a time. */
const MOST_TAKEN = 40;

/** What halts nodes, and what is said to help, of a world as it is now. */
export interface HaltedNodesView {
  /** Nodes that halted and can be cured, with their reason. */
  readonly halted: readonly string[];
  /** All nodes that do not vote, with their reason: the same text as long as no remedy changes anything. */
  readonly missing: string;
  readonly remedies: readonly Remedy[];
}

/**
 * Takes one remedy after the other until no node that can be cured is halted any more. Returns what is wrong in words:
 * a remedy that cannot be done, or that none changes anything; undefined if nothing is, if there is none, or while it
 * cannot be known, since more faults are to come.
 */
export function remedyThatFails(
  sim: Simulation,
  viewOf: (sim: Simulation) => HaltedNodesView,
): string | undefined {
  if (viewOf(sim).halted.length === 0) return undefined;
  const { faults, chaos } = sim.faults();
  if (chaos !== undefined || faults.some(({ planned }) => planned)) return undefined;
  const tried = copiesOf(sim)();
  const context: StepContext = { sim: tried, follow: lazyObserver(tried), results: new Map() };
  const ineffective = new Set<string>();
  for (let taken = 0; taken < MOST_TAKEN; taken++) {
    const view = viewOf(tried);
    const { halted, missing } = view;
    if (halted.length === 0) return undefined;
    const { remedies } = view;
    // Each that is listed was proved in a copy: where none is, the world has no binary or peer that would help.
    if (remedies.length === 0) return undefined;
    const remedy = remedies.find(({ step }) => !ineffective.has(step));
    if (remedy === undefined)
      return `none of ${remedies.length} remedies changes anything; ${halted.join("; ")}`;
    const problem = take(context, remedy);
    if (problem !== undefined) return `“${remedy.label}” cannot be done: ${problem}`;
    if (viewOf(tried).missing === missing) ineffective.add(remedy.step);
    else ineffective.clear();
  }
  return `after ${MOST_TAKEN} remedies some are still halted; ${viewOf(tried).halted.join("; ")}`;
}

/** Does what a remedy says and lets the chain go on; what cannot be done, in words. */
function take(context: StepContext, { step }: Remedy): string | undefined {
  const written: unknown = JSON.parse(step);
  for (const one of Array.isArray(written) ? written : [written]) {
    const read = parseStep(JSON.stringify(one), context);
    if ("problems" in read) return read.problems.map(({ message }) => message).join("; ");
    const steps = runStep(context, read.step, 0);
    for (let next = steps.next(); ; next = steps.next()) {
      if (!next.done) continue;
      if (!next.value.ok) return next.value.message;
      break;
    }
  }
  for (let i = 0; i < ROUNDS_OF_A_REMEDY; i++) context.sim.advance();
  return undefined;
}
