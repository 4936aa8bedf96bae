import * as v from "valibot";
import { choice, isList, isText, oneOf, text } from "../fields.ts";
import type { ArgumentCheck } from "../names.ts";
import { defineVerb } from "../verb.ts";

export const groups = v.pipe(
  v.array(v.array(text, "a list of nodes"), "a list of groups of nodes"),
  v.minLength(1, "at least one group of nodes"),
);

/** Says so if a node that is to be in a group is unknown, or in two. */
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

/** Cuts the network, or heals it. */
export const partition = defineVerb({
  name: "partition",
  about: "Cuts the network into groups that hear only themselves, or heals it.",
  args: choice("heal or a list of groups of nodes", [isText, oneOf("heal")], [isList, groups]),
  check(how, check) {
    if (how !== "heal") checkGroups(how, check);
  },
  // biome-ignore lint/correctness/useYield: commands act at once
  *run({ sim }, how) {
    sim.apply(how === "heal" ? { type: "heal" } : { type: "partition", groups: how });
    return undefined;
  },
});
