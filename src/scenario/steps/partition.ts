import * as v from "valibot";
import type { Command } from "../../engine/simulation/command.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import { powerOf } from "../../view/lab/diagnosis/diagnosis.ts";
import { threshold } from "../../view/lab/threshold.ts";
import { choice, isList, isText, list, oneOf, text } from "../fields.ts";
import type { ArgumentCheck } from "../names.ts";
import { defineVerb } from "../verb.ts";

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
  preview: ({ sim }, how) => ({
    sentence: how === "heal" ? "All nodes are connected again." : sidesOf(sim, how),
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

/** Describes which groups could make blocks. */
export function sidesOf(sim: Simulation, groups: readonly (readonly string[])[]): string {
  const named = new Set(groups.flat());
  const rest = sim.nodes().flatMap(({ name }) => (named.has(name) ? [] : [name]));
  const sides = [...groups, rest].filter((side) => side.length > 0);
  const { totalPower, neededPower: needed } = sim.chainStatus();
  const counted = sides.map((side) => powerOnNodes(sim, side));
  const going = counted.filter((power) => power >= needed).length;
  const end = [
    "None has enough, and the chain stands still",
    "One has enough and makes blocks",
    "More than one has enough, since keys are in both, and the chain forks",
  ][Math.min(going, 2)];
  return `The sides hold ${counted.join(" and ")} of ${totalPower} power; a block needs ${threshold(needed, totalPower)}. ${end}.`;
}

/** The power of the keys on the named nodes. */
export const powerOnNodes = (sim: Simulation, names: readonly string[]): number =>
  powerOf(sim.nodes().filter(({ name }) => names.includes(name)));
