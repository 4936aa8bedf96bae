import * as v from "valibot";
import { choice, isList, isText, oneOf, text } from "../fields.ts";
import { defineVerb } from "../verb.ts";

const groups = v.pipe(
  v.array(v.array(text, "a list of nodes"), "a list of groups of nodes"),
  v.minLength(1, "at least one group of nodes"),
);

/** Cuts the network, or heals it. */
export const partition = defineVerb({
  name: "partition",
  about: "Cuts the network into groups that hear only themselves, or heals it.",
  args: choice("heal or a list of groups of nodes", [isText, oneOf("heal")], [isList, groups]),
  check(how, check) {
    if (how === "heal") return;
    const seen = new Set<string>();
    how.forEach((group, g) => {
      group.forEach((node, n) => {
        check.node(node, g, n);
        if (seen.has(node)) check.problem(`${node} is in two groups`, g, n);
        seen.add(node);
      });
    });
  },
  // biome-ignore lint/correctness/useYield: commands act at once
  *run({ sim }, how) {
    sim.apply(how === "heal" ? { type: "heal" } : { type: "partition", groups: how });
    return undefined;
  },
});
