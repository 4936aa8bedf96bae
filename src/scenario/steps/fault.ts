import * as v from "valibot";
import { NODE_FAULTS } from "../../engine/network/faults/kinds.ts";
import type { Command, NodeFaultCommand } from "../../engine/simulation/command.ts";
import { FAULT_PHRASES } from "../../gen/lab/v1/fault_phrases.ts";
import { evidenceVerdict } from "../evidence-verdict.ts";
import { about, choice, has, integer, isMap, LIMITS, map, offset, oneOf, text } from "../fields.ts";
import type { StepContext } from "../step-context.ts";
import { defineVerb } from "../verb.ts";
import { checkGroups, groups, sidesOf } from "./partition.ts";

const probabilityText = "a probability from 0 to 1";

const at = about(
  v.optional(integer(1, LIMITS.height)),
  "First height of the fault. Default: the next.",
);

const lasts = about(
  v.optional(integer(1, LIMITS.height)),
  "Duration in heights. Default: until it is cleared; a double sign happens once. If the chain makes no blocks, each height left counts as one block_time.",
);

const nodeFault = map({
  node: about(text, "Faulty node."),
  kind: about(
    oneOf(...NODE_FAULTS),
    NODE_FAULTS.map((kind) => {
      const { does, ...after } = FAULT_PHRASES[kind];
      return `${kind}: it ${does}${"end" in after ? `; at its end ${after.end}` : ""}.`;
    }).join(" "),
  ),
  at,
  for: lasts,
  by: about(v.optional(offset), "Offset of the clock."),
  probability: about(
    v.optional(
      v.pipe(
        v.number(probabilityText),
        v.minValue(0, probabilityText),
        v.maxValue(1, probabilityText),
      ),
    ),
    "Probability that a flaky node sends no vote in a round, 0 to 1.",
  ),
});

const partition = map({
  kind: about(oneOf("partition"), "Partitions the network, and heals it at the end."),
  groups: about(
    groups,
    "Groups of nodes that reach only one another. All other nodes are one more group.",
  ),
  at,
  for: lasts,
});

const isPartition = (input: unknown): boolean => isMap(input) && input.kind === "partition";

const anyFault = choice(
  "a map with node and kind, with groups and kind, with chaos, or with clear",
  [
    has("chaos"),
    map({
      chaos: about(
        integer(1, 5),
        "Level: frequency of faults drawn from the seed. Up to level 3 no validator double-signs, and faulty validators have less than a third of the power together.",
      ),
      for: about(integer(1, LIMITS.height), "Duration in heights."),
    }),
  ],
  [has("clear"), map({ clear: about(text, "Ends the faults of this node, or of all.") })],
  [isPartition, partition],
  [isMap, nodeFault],
);

/** Injects or clears faults. */
export const fault = defineVerb({
  name: "fault",
  instant: true,
  about:
    "Injects a fault of a node or a partition of the network, for a number of heights; injects chaos of a level; or clears the faults of one node or of all.",
  args: anyFault,
  check(what, check) {
    if ("node" in what) {
      check.node(what.node, "node");
      if (what.by !== undefined && what.kind !== "clock") {
        check.problem("expected only of a clock that it is off by a time", "by");
      }
      if (what.probability !== undefined && what.kind !== "flaky") {
        check.problem("expected only of a flaky node", "probability");
      }
    } else if ("groups" in what) checkGroups(what.groups, check, "groups");
    else if ("clear" in what && what.clear !== "all") check.node(what.clear, "clear");
  },
  preview: (context, what) => ({ sentence: sentenceOf(context, what) }),
  reads: ({ sim }, what) => sim.readBy(commandOf(what)),
  // biome-ignore lint/correctness/useYield: commands act at once
  *run({ sim }, what) {
    sim.apply(commandOf(what));
    return undefined;
  },
});

function commandOf(what: v.InferOutput<typeof anyFault>): Command {
  if ("chaos" in what) return { type: "chaos", level: what.chaos, for: what.for };
  if ("clear" in what) {
    const { clear } = what;
    return clear === "all" ? { type: "clear_faults" } : { type: "clear_faults", node: clear };
  }
  const { at, for: heights } = what;
  const when = {
    type: "fault",
    ...(at === undefined ? {} : { at }),
    ...(heights === undefined ? {} : { for: heights }),
  } as const;
  if ("groups" in what) return { ...when, kind: what.kind, groups: what.groups };
  const { node, kind, by, probability } = what;
  return {
    ...when,
    node,
    kind,
    ...(by === undefined ? {} : { by }),
    ...(probability === undefined ? {} : { probability }),
  };
}

const isNodeFault = (command: Command): command is NodeFaultCommand =>
  command.type === "fault" && command.kind !== "partition";

function sentenceOf(context: StepContext, what: v.InferOutput<typeof anyFault>): string {
  const { sim } = context;
  if ("clear" in what) {
    const { faults, chaos } = sim.faults();
    const isAll = what.clear === "all";
    if (!faults.some(({ node }) => isAll || node === what.clear) && !(isAll && chaos))
      return `${isAll ? "No node" : what.clear} has ${isAll ? "a fault" : "no fault"}.`;
    const whose = isAll ? "of every node" : `of ${what.clear}`;
    return `The faults ${whose} end; what had crashed is started again.`;
  }
  if ("chaos" in what) {
    const safe =
      what.chaos <= 3 ? " The nodes with faults never hold a third of the power together." : "";
    return `Until height ${sim.decidedHeight + what.for} faults are drawn from the seed.${safe}`;
  }
  const from = what.at ?? sim.decidedHeight + 1;
  const to = what.for === undefined ? "until it is cleared" : `to height ${from + what.for - 1}`;
  if ("groups" in what) {
    const sides = sidesOf(context, what.groups, commandOf(what), from);
    return `From height ${from} ${to} the network is partitioned. ${sides}`;
  }
  const does = `${what.node} ${FAULT_PHRASES[what.kind].does}.`;
  if (what.kind !== "double_sign") return `From height ${from} ${to}, ${does}`;
  const when =
    what.for === undefined ? `Once, from height ${from} on` : `From height ${from} ${to}`;
  const command = commandOf(what);
  const isNext = from === sim.decidedHeight + 1 && isNodeFault(command);
  return `${when}, ${does} ${isNext ? evidenceVerdict(context, [command]).sentence : ""}`.trim();
}
