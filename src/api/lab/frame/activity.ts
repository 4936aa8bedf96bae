import type { Event } from "../../../engine/framework/events.ts";
import type { Step } from "../../../engine/framework/trace.ts";
import type { BlockView, HaltView, NodeLogLine } from "../../../engine/simulation/views.ts";
import type { Activity } from "../plain.ts";

/** An activity before it has its number. */
export type ActivityDraft = Omit<Activity, "seq">;

type Line = NodeLogLine & { readonly nodes: readonly string[] };

const EMPTY = { module: "", what: "", found: "", subject: "", outcome: "info" } as const;

/** All that happened in a block: its events and the decisions behind them, phase by phase. */
export function* happeningsOf(
  block: BlockView,
  nameOf: (consensusAddress: string) => string,
): Generator<ActivityDraft> {
  const { height } = block;
  const subjects = subjectsOf(block.steps, nameOf);
  for (const [index, step] of block.steps.entries()) {
    const { phase, module, what, found, outcome } = step;
    const subject = subjects[index] ?? phase;
    const text = `${what}: ${found}`;
    yield { height, kind: "step", where: phase, module, text, outcome, what, found, subject };
  }
  for (const event of block.events) yield eventOf(height, "block", event);
  for (const [index, tx] of block.txs.entries()) {
    for (const event of tx.events) yield eventOf(height, `tx ${index}`, event);
  }
}

function eventOf(height: number, where: string, { type, attributes }: Event): ActivityDraft {
  const pairs = attributes.map(({ key, value }) => `${key}=${value}`);
  const text = [type, ...pairs].join(" ");
  return { ...EMPTY, height, kind: "event", where, text, what: type, found: pairs.join(" ") };
}

/**
 * What each step belongs to: its transaction, or the misbehavior that was looked at last. Items of
 * misbehavior follow each other within begin-block, each opened by a step of that name.
 */
function subjectsOf(steps: readonly Step[], nameOf: (address: string) => string): string[] {
  let item = "";
  let items = 0;
  return steps.map(({ phase, module, what, found }) => {
    if (phase !== "begin-block") return phase;
    if (module === "evidence" && what === "misbehavior") {
      items += 1;
      const [, kind, address = "", height] =
        /^(\w+) against (\S+) at height (\d+)/.exec(found) ?? [];
      const about = kind === undefined ? found : `${kind} · ${nameOf(address)} · height ${height}`;
      item = `${about} · item ${items}`;
    }
    return item || phase;
  });
}

/** A line of a node's log. A node's last words count as a halt. */
export function happeningOfLine(line: Line, allNodes: number): ActivityDraft {
  const { height, level, module, text } = line;
  const last = module === "server" || text.startsWith("CONSENSUS FAILURE");
  const outcome = level === "error" && last ? "halt" : level;
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

/** What nodes decided in the block they stopped over. */
export function* stepsOfHalt(halt: HaltView, allNodes: number): Generator<ActivityDraft> {
  const { height, steps } = halt;
  const who = whoOf(halt.nodes, allNodes);
  for (const { phase, module, what, found, outcome } of steps) {
    const where = `${phase} · ${who}`;
    const text = `${what}: ${found}`;
    yield { height, kind: "step", where, module, text, outcome, what, found, subject: where };
  }
}

/** Names as far as one can take them in. */
export function whoOf(nodes: readonly string[], allNodes: number): string {
  if (nodes.length === allNodes && allNodes > 1) return `all ${allNodes} nodes`;
  if (nodes.length <= 4) return nodes.join(" · ");
  return `${nodes.slice(0, 3).join(" · ")} and ${nodes.length - 3} more`;
}

/** The simulator's own word to whoever watches. */
export const noteHappening = (height: number, text: string, outcome: string): ActivityDraft => ({
  ...EMPTY,
  height,
  kind: "note",
  where: "simulator",
  text,
  outcome,
});
