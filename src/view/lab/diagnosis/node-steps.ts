/** Scenario steps that act on nodes: the building blocks of remedies. */

import { literal } from "../../../base/reference-syntax.ts";
import { SIGNER_STATE, signerStateJson } from "../../../engine/network/node/signer-state.ts";
import type { SkipFlag } from "../../../engine/network/node/start-args.ts";
import type { Command, NodeAction } from "../../../engine/simulation/command.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { NodeView } from "../../../engine/simulation/views.ts";
import type { Remedy } from "../../../gen/lab/v1/lab_plain.ts";

/**
 * A step of a remedy: one action on nodes, removed faults of one node, a healed network, or rounds
 * to wait.
 */
export interface ScenarioStep {
  readonly nodes?: { readonly which: readonly string[] } & Action;
  readonly fault?: { readonly clear: string };
  readonly partition?: "heal";
  readonly run?: { readonly rounds: number };
}

/** One of these actions, as named by the verb `nodes`. */
export interface Action {
  readonly start?: true;
  readonly binary?: string | undefined;
  readonly stage?: string;
  readonly sidecar?: { readonly mode: "manual" };
  /** Written with commas unless a form is given. */
  readonly skip_upgrades?: readonly number[] | SkipFlag;
  readonly halt_height?: number;
  readonly halt_time?: 0;
  readonly roll_back?: number;
  readonly state_sync?: string;
  readonly disk?: { readonly writable: boolean };
  readonly write_file?: { readonly path: string; readonly content: string };
  readonly remove_file?: string;
}

/** The verb `nodes` with one action. */
export const act = (nodes: readonly NodeView[], action: Action): ScenarioStep => ({
  nodes: { which: nodes.map(({ name }) => name), ...action },
});

/** The commands that a step issues. */
export function commandsOf({ nodes, fault, partition }: ScenarioStep): readonly Command[] {
  if (partition !== undefined) return [{ type: "heal" }];
  if (fault !== undefined) return [{ type: "clear_faults", node: fault.clear }];
  if (nodes === undefined) return [];
  const action = actionOf(nodes);
  return nodes.which.map((node) => ({ type: "node", node, action }));
}

function actionOf(action: Action): NodeAction {
  const { binary, stage, sidecar, skip_upgrades: skip, halt_height: height } = action;
  const { halt_time: time } = action;
  const { roll_back: blocks, state_sync: from, disk, write_file: file, remove_file: path } = action;
  if (binary !== undefined) return { kind: "install", binary };
  if (stage !== undefined) return { kind: "stage", binary: stage };
  if (sidecar !== undefined) return { kind: "sidecar", sidecar };
  if (skip !== undefined)
    return { kind: "skip_upgrades", ...("heights" in skip ? skip : { heights: skip }) };
  if (height !== undefined) return { kind: "halt_height", height };
  if (time !== undefined) return { kind: "halt_time", time };
  if (blocks !== undefined) return { kind: "roll_back", blocks };
  if (from !== undefined) return { kind: "state_sync", from };
  if (disk !== undefined) return { kind: "disk", ...disk };
  if (file !== undefined) return { kind: "write_file", ...file };
  if (path !== undefined) return { kind: "remove_file", path };
  return { kind: "start" };
}

/**
 * Builds a remedy from steps. No text in it is a reference, even if a path on a disk looks like
 * one.
 */
export const remedyOf = (label: string, ...steps: readonly ScenarioStep[]): Remedy => ({
  label,
  step: JSON.stringify(steps.length === 1 ? steps[0] : steps, (_, value: unknown) =>
    typeof value === "string" ? literal(value) : value,
  ),
});

/**
 * Writes a signer state with the last height and round that can have been voted in, so that nothing
 * is signed twice.
 */
export function rewriteSigner({ decidedHeight, round }: Simulation): Action {
  const content =
    round === 0
      ? signerStateJson(decidedHeight, 0, 3)
      : signerStateJson(decidedHeight + 1, round - 1, 3);
  return { write_file: { path: SIGNER_STATE, content } };
}
