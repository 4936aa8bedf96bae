/**
 * All possible outcomes of a chain, by name, with the steps that reach them; and the outcomes of a
 * run.
 */
import { profileOf } from "../../engine/app/profile.ts";
import type { ModuleStep } from "../../engine/app/steps.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import { errorOutcomes, errorsOf } from "./outcomes/errors.ts";
import { EVIDENCE, evidenceOutcomes } from "./outcomes/evidence.ts";
import { HALTS } from "./outcomes/halts.ts";
import { PROFILE_ROWS } from "./outcomes/profile-rows.ts";
import { PROPOSALS, proposalOutcomes } from "./outcomes/proposals.ts";
import type { Reach } from "./outcomes/reach.ts";
import { SIDECARS, sidecarOutcome } from "./outcomes/sidecars.ts";

const TABLES = {
  error: errorOutcomes(),
  halt: HALTS,
  evidence: EVIDENCE,
  proposal: PROPOSALS,
  sidecar: SIDECARS,
  profile: PROFILE_ROWS,
};

export type OutcomeGroup = keyof typeof TABLES;

export interface Outcome {
  /** Such as `error/staking/14`: its group, and its name there. */
  readonly name: string;
  readonly group: OutcomeGroup;
  readonly words: string;
  /** True if steps of a file can reach it. */
  readonly reachable: boolean;
  /** The steps that reach it; if no file can, the reason, or where else it occurs. */
  readonly by: string;
}

/** The outcomes of all groups. */
export const OUTCOMES: readonly Outcome[] = Object.entries(TABLES).flatMap(([group, table]) =>
  Object.entries(table as Readonly<Record<string, Reach>>).map(([own, { words, by, never }]) => ({
    ...{ name: `${group}/${own}`, group: group as OutcomeGroup, words },
    ...{ reachable: never === undefined, by: never ?? by ?? "" },
  })),
);

/**
 * The outcomes of a world, by name, with counts. In a world of more than a thousand blocks with
 * decisions, evidence and proposals are those of the newest: older decisions are not stored.
 */
export function outcomesOf(sim: Simulation): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  const add = (group: OutcomeGroup, own: string, times = 1): void => {
    const name = `${group}/${own}`;
    found[name] = (found[name] ?? 0) + times;
  };
  const decided = (steps: readonly ModuleStep[]): void => {
    for (const own of evidenceOutcomes(steps)) add("evidence", own);
    for (const own of proposalOutcomes(steps)) add("proposal", own);
  };
  for (const height of sim.eventfulHeights(sim.initialHeight, sim.height, true)) {
    const block = sim.block(height);
    for (const own of block === undefined ? [] : errorsOf(block)) add("error", own);
  }
  for (const steps of sim.steps.values()) decided(steps);
  for (const { cause, nodes, steps } of sim.haltsSince(0)) {
    add("halt", cause.kind, nodes.length);
    decided(steps);
  }
  for (const turn of sim.world.sidecars.turns.entries) {
    const result = sidecarOutcome(turn);
    if (result !== undefined) add("sidecar", result);
    const [process] = turn;
    if (process.kind === "exit") add("halt", process.cause.kind);
  }
  const rows = profileOf(sim.spec.profile);
  for (const [row, times] of Object.entries(sim.world.config.profileReads ?? {})) {
    add("profile", `${row}/${rows[row as keyof typeof rows]}`, times);
  }
  return found;
}
