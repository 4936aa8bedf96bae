import * as v from "valibot";
import { choice, has, isMap, LIMITS, map, oneOf, text, whole } from "../fields.ts";
import { defineVerb } from "../verb.ts";
import { StepError } from "../world.ts";

const length = v.optional(whole(1, LIMITS.height));

/** Makes machines misbehave. */
export const fault = defineVerb({
  name: "fault",
  about:
    "A fault of one machine, from a height on and for a number of heights; or chaos of a level.",
  args: choice(
    "a map with node and kind, or with chaos",
    [has("chaos"), map({ chaos: whole(1, 5), for: length })],
    [
      isMap,
      map({
        node: text,
        kind: oneOf("crash", "slow", "mute", "clock", "flaky"),
        at: v.optional(whole(1, LIMITS.height)),
        for: length,
      }),
    ],
  ),
  check(what, check) {
    if ("node" in what) check.node(what.node, "node");
  },
  // biome-ignore lint/correctness/useYield: commands act at once
  *run({ sim }, what) {
    if ("chaos" in what) throw new StepError("chaos is not available yet", "chaos");
    sim.apply({
      type: "fault",
      node: what.node,
      kind: what.kind,
      ...(what.at === undefined ? {} : { at: what.at }),
      ...(what.for === undefined ? {} : { for: what.for }),
    });
    return undefined;
  },
});
