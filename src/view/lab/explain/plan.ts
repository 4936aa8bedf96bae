import type { ModuleStep } from "../../../engine/app/steps.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { HaltView } from "../../../engine/simulation/views.ts";
import type { Reason } from "../../../gen/lab/v1/explain_plain.ts";
import { MARK } from "../frame/marks.ts";
import type { Observer } from "../frame/observer.ts";
import { readOr } from "../frame/read-state.ts";
import {
  type Explained,
  forgottenAt,
  reason,
  reasonOf,
  reasonsOfHalt,
  rememberedSteps,
} from "./reasons.ts";

/**
 * Explains the plan with a name: scheduled, replaced, cancelled, due, applied; undefined if there
 * never was one.
 */
export function explainPlan(
  sim: Simulation,
  observer: Observer,
  name: string,
): Explained | undefined {
  const { plan, done } = readOr(sim, { plan: undefined, done: 0 }, (ctx, { upgrade }) => ({
    plan: upgrade.getUpgradePlan(ctx),
    done: upgrade.getDoneHeight(ctx, name),
  }));
  const current = plan?.name === name ? plan : undefined;
  const ended = observer.endedPlans.filter((one) => one.name === name);
  const nodes = sim.nodes().length;
  const halts = sim.haltsSince(0).filter((halt) => names(halt.steps, name) || isOver(halt, name));
  const reasons: (readonly [height: number, reasons: readonly Reason[]])[] = halts.map((halt) => [
    halt.height,
    reasonsOfHalt(halt, nodes),
  ]);
  const decides = (step: ModuleStep): boolean => step.module === "upgrade" && isNews(step);
  for (const [height, steps, all] of rememberedSteps(sim, decides)) {
    const own = steps.filter((step) => isAbout(step, name) || isPartOf(step, all, name));
    if (own.length === 0) continue;
    const explained = own.flatMap((step) => [step, ...votedFor(step, all)]);
    reasons.push([height, explained.map((step) => reasonOf(height, step, all))]);
  }
  if (reasons.length === 0 && current === undefined && done === 0 && ended.length === 0)
    return undefined;
  if (current !== undefined) {
    const left = Number(current.height) - sim.height;
    const found = left > 1 ? `height ${current.height}, in ${left} blocks` : "the next block";
    reasons.push([sim.height, [reason(sim.height, "due", found, "rules/upgrade 1.3")]]);
  }
  const [last] = ended.slice(-1);
  return {
    because: current
      ? `It is scheduled for height ${current.height}.`
      : done > 0
        ? `Block ${done} applied it.`
        : last
          ? `Block ${last.block} cancelled it.`
          : "It is not scheduled any more.",
    reasons: reasons.sort(([a], [b]) => a - b).flatMap(([, some]) => some),
    forgotten: Math.max(0, ...whereElse(observer, done, ended).map((at) => forgottenAt(sim, at))),
  };
}

/** Heights at which any plans were made and executed. */
const whereElse = (
  observer: Observer,
  done: number,
  ended: readonly { readonly block: number }[],
): number[] => [
  ...observer
    .marked()
    .filter(({ marks }) => marks & MARK.plan)
    .map(({ height }) => height),
  ...(done > 0 ? [done] : []),
  ...ended.map(({ block }) => block),
];

/** False for the step "plan is not due yet", which every block repeats. */
const isNews = (step: ModuleStep): boolean =>
  !(step.module === "upgrade" && step.kind === "plan" && !step.data.due);

function isAbout(step: ModuleStep, name: string): boolean {
  if (step.module !== "upgrade") return false;
  const data = step.data as {
    readonly name?: string;
    readonly plan?: { readonly name: string };
    readonly replaced?: { readonly name: string };
  };
  return [data.name, data.plan?.name, data.replaced?.name].includes(name);
}

const names = (steps: readonly ModuleStep[], name: string): boolean =>
  steps.some((step) => isNews(step) && isAbout(step, name));

const isOver = ({ cause }: HaltView, name: string): boolean =>
  "plan" in cause && cause.plan === name;

/** Before a block's transactions, all decisions are about the one plan that is due. */
const isPartOf = (step: ModuleStep, all: readonly ModuleStep[], name: string): boolean =>
  step.phase === "pre-block" &&
  all.some((other) => other.phase === "pre-block" && isNews(other) && isAbout(other, name));

/** The end of the vote that executed a step in the end blocker. */
function votedFor(step: ModuleStep, all: readonly ModuleStep[]): readonly ModuleStep[] {
  if (step.phase !== "end-block") return [];
  const closed = all
    .slice(all.indexOf(step))
    .find((other) => other.module === "gov" && other.kind === "closed");
  return closed ? [closed] : [];
}
