import * as v from "valibot";
import type { Command } from "../../engine/simulation/command.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import { namesOf, powerOf } from "../../view/lab/diagnosis/diagnosis.ts";
import { threshold } from "../../view/lab/threshold.ts";
import { choice, isList, isText, list, oneOf, text } from "../fields.ts";
import { type Copy, copiesFor, follow, nodesAfter } from "../foresight.ts";
import type { ArgumentCheck } from "../names.ts";
import type { StepContext } from "../step-context.ts";
import { defineVerb } from "../verb.ts";
import { endSentence, sentencesAbout } from "./nodes.ts";

export const groups = v.pipe(
  list(list(text, "a list of nodes"), "a list of groups of nodes"),
  v.minLength(1, "at least one group of nodes"),
);

/** Reports a node in a group that is unknown, or in two groups. */
export function checkGroups(
  groups: readonly (readonly string[])[],
  check: ArgumentCheck,
  ...path: readonly (string | number)[]
): void {
  const seen = new Set<string>();
  groups.forEach((group, g) => {
    group.forEach((node, n) => {
      check.node(node, ...path, g, n);
      if (seen.has(node)) check.problem(`${node} is in two groups`, ...path, g, n);
      seen.add(node);
    });
  });
}

/** Partitions the network, or heals it. */
export const partition = defineVerb({
  name: "partition",
  instant: true,
  about: "Partitions the network into groups whose nodes reach only one another, or heals it.",
  args: choice("heal or a list of groups of nodes", [isText, oneOf("heal")], [isList, groups]),
  check(how, check) {
    if (how !== "heal") checkGroups(how, check);
  },
  preview: (context, how) => ({
    sentence:
      how === "heal"
        ? healed(context)
        : sidesOf(context, how, commandOf(how), context.sim.decidedHeight + 1),
  }),
  reads: ({ sim }, how) => sim.readBy(commandOf(how)),
  // biome-ignore lint/correctness/useYield: commands act at once
  *run({ sim }, how) {
    sim.apply(commandOf(how));
    return undefined;
  },
});

const commandOf = (how: "heal" | readonly (readonly string[])[]): Command =>
  how === "heal" ? { type: "heal" } : { type: "partition", groups: how };

/** Describes the end of a partition: the nodes of all forks but one halt. */
function healed(context: StepContext): string {
  const nodes = context.sim.nodes();
  if (nodes.every(({ partition }) => partition === nodes[0]?.partition))
    return "The network is not partitioned.";
  const names = nodes.map(({ name }) => name);
  const heal = ({ sim }: StepContext) => sim.apply({ type: "heal" });
  const ends = sentencesAbout(nodesAfter(context, names, heal, false), endSentence, names.length);
  return `All nodes are connected again. ${ends}`.trim();
}

/** Rounds in which both sides of a fork make blocks, if they can. */
const WATCHED_ROUNDS = 6;

/**
 * Describes which sides of a partition make blocks: it begins at a height of a copy of the world,
 * which is run while it lasts, for a few rounds.
 */
export function sidesOf(
  context: StepContext,
  groups: readonly (readonly string[])[],
  command: Command,
  from: number,
): string {
  const copy = copiesFor(context)();
  const { sim } = copy;
  const named = new Set(groups.flat());
  const rest = sim.nodes().flatMap(({ name }) => (named.has(name) ? [] : [name]));
  const sides = [...groups, rest].filter((side) => side.length > 0);
  const reached = follow(copy, () => sim.decidedHeight + 1 >= from) === "done";
  const { totalPower, neededPower: needed, missing } = sim.chainStatus();
  const absent = missing.flatMap(({ nodes, cause }) => (APART.has(cause.kind) ? [] : nodes));
  const counted = sides.map((side) =>
    powerOnNodes(
      sim,
      side.filter((name) => !absent.includes(name)),
    ),
  );
  const without =
    absent.length === 0
      ? ""
      : `, not counting ${namesOf(absent.map((name) => ({ name })))}, which cannot vote`;
  const held = `The sides hold ${counted.join(" and ")} of ${totalPower} power${without}; a block needs ${threshold(needed, totalPower)}.`;
  if (!reached) return `${held} Its effect at height ${from} was not tried out.`;
  const making = sidesMakingBlocks(copy, sides, command);
  const isEnough = counted.some((power) => power >= needed);
  return `${held} ${isEnough ? WITH_ENOUGH[making] : WITHOUT_ENOUGH[making]}.`;
}

const FORK = "More than one has enough, since keys are in both, and the chain forks";
/** By the number of sides that make blocks: none, one or more. */
const WITH_ENOUGH = [
  "One has enough, but no block comes",
  "One has enough and makes blocks",
  FORK,
] as const;
/** Same if no side has enough power when the partition begins. */
const WITHOUT_ENOUGH = [
  "None has enough, and the chain halts",
  "None has enough at first; later one makes blocks",
  FORK,
] as const;

/** Absences of nodes that vote with those of their own side. */
const APART: ReadonlySet<string> = new Set(["partitioned", "behind", "other_fork"]);

/** Partitions a copy; returns how many sides (at most 2) make blocks before it is healed. */
function sidesMakingBlocks(
  copy: Copy,
  sides: readonly (readonly string[])[],
  command: Command,
): 0 | 1 | 2 {
  const { sim } = copy;
  sim.apply(command);
  const heights = () =>
    sides.map((side) => Math.max(...side.map((name) => sim.node(name)?.height ?? 0)));
  const isPartitioned = () =>
    new Set(sides.map(([name = ""]) => sim.node(name)?.partition)).size === sides.length;
  const before = heights();
  const making = new Set<number>();
  const last = sim.rounds + WATCHED_ROUNDS;
  follow(
    copy,
    () => !isPartitioned() || (making.size > 0 && sim.rounds >= last),
    () => {
      sim.advance();
      if (!isPartitioned()) return;
      for (const [i, height] of heights().entries()) if (height > (before[i] ?? 0)) making.add(i);
    },
  );
  return Math.min(making.size, 2) as 0 | 1 | 2;
}

/** The power of the keys on the named nodes. */
export const powerOnNodes = (sim: Simulation, names: readonly string[]): number =>
  powerOf(sim.nodes().filter(({ name }) => names.includes(name)));
