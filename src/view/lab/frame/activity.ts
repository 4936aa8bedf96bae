import type { ModuleStep } from "../../../engine/app/steps.ts";
import type { Event } from "../../../engine/framework/events.ts";
import type { StepText } from "../../../engine/framework/trace.ts";
import type { BlockResults, HaltView, NodeLogLine } from "../../../engine/simulation/views.ts";
import type { Activity } from "../../../gen/lab/v1/lab_plain.ts";
import type { Texts } from "../texts.ts";

/** An activity before it has its number. */
export type ActivityDraft = Omit<Activity, "seq">;

type Line = NodeLogLine & { readonly nodes: readonly string[] };

const EMPTY = { module: "", what: "", found: "", outcome: "info" } as const;

/** The activity of a block: its events and the decisions that caused them, phase by phase. */
export function* activitiesOf(block: BlockResults, { stepText }: Texts): Generator<ActivityDraft> {
  const { height } = block;
  for (const step of block.steps) yield draftOf(height, step, stepText(step), step.phase);
  for (const event of block.events) yield eventOf(height, "block", event);
  for (const [index, tx] of block.txs.entries()) {
    for (const event of tx.events) yield eventOf(height, `tx ${index}`, event);
  }
}

function draftOf(
  height: number,
  { module, outcome }: ModuleStep,
  { what, found }: StepText,
  where: string,
): ActivityDraft {
  const text = textOf({ kind: "step", what, found });
  return { height, kind: "step", where, module, text, outcome, what, found };
}

function eventOf(height: number, where: string, { type, attributes }: Event): ActivityDraft {
  const found = attributes.map(({ key, value }) => `${key}=${value}`).join(" ");
  const parts = { kind: "event", what: type, found };
  return { ...EMPTY, ...parts, height, where, text: textOf(parts) };
}

/** Joins the parts of an activity into one text. */
export function textOf({ kind, what, found }: Pick<Activity, "kind" | "what" | "found">): string {
  if (kind === "step") return `${what}: ${found}`;
  return found === "" ? what : `${what} ${found}`;
}

/** Converts a line of a node's log; the last one before it stops counts as a halt. */
export function activityOfLine(line: Line, allNodes: number): ActivityDraft {
  const { height, level, module, text, last } = line;
  const outcome = last ? "halt" : level;
  return {
    ...EMPTY,
    height,
    kind: "log",
    where: whoOf(line.nodes, allNodes),
    module,
    text,
    outcome,
  };
}

/** The decisions of nodes in the block at which they halted. */
export function* stepsOfHalt(
  halt: HaltView,
  allNodes: number,
  { stepText }: Texts,
): Generator<ActivityDraft> {
  const who = whoOf(halt.nodes, allNodes);
  for (const step of halt.steps) {
    const where = `${step.phase} · ${who}`;
    yield draftOf(halt.height, step, stepText(step), where);
  }
}

/** At most four names, or a count of those left out. */
export function whoOf(nodes: readonly string[], allNodes: number): string {
  if (nodes.length === allNodes && allNodes > 1) return `all ${allNodes} nodes`;
  if (nodes.length <= 4) return nodes.join(" · ");
  return `${nodes.slice(0, 3).join(" · ")} and ${nodes.length - 3} more`;
}

/** An activity with the simulator's own text. */
export const noteActivity = (height: number, text: string, outcome: string): ActivityDraft => ({
  ...EMPTY,
  height,
  kind: "note",
  where: "simulator",
  text,
  outcome,
});
