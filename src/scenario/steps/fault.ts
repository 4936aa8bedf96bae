import * as v from "valibot";
import type { FaultCommand } from "../../engine/simulation/command.ts";
import { choice, has, isMap, LIMITS, map, offset, oneOf, text, whole } from "../fields.ts";
import { defineVerb } from "../verb.ts";

const length = v.optional(whole(1, LIMITS.height));

const probabilityText = "a probability from 0 to 1";

const machineFault = map({
  node: text,
  kind: oneOf("crash", "slow", "mute", "clock", "flaky"),
  at: v.optional(whole(1, LIMITS.height)),
  for: length,
  by: v.optional(offset),
  probability: v.optional(
    v.pipe(
      v.number(probabilityText),
      v.minValue(0, probabilityText),
      v.maxValue(1, probabilityText),
    ),
  ),
});

/** Makes machines misbehave. */
export const fault = defineVerb({
  name: "fault",
  about:
    "A fault of one machine, from a height on and for a number of heights; chaos of a level; or the end of all faults, or of one machine's.",
  args: choice(
    "a map with node and kind, or with chaos, or with clear",
    [has("chaos"), map({ chaos: whole(1, 5), for: whole(1, LIMITS.height) })],
    [has("clear"), map({ clear: text })],
    [isMap, machineFault],
  ),
  check(what, check) {
    if ("node" in what) {
      check.node(what.node, "node");
      if (what.by !== undefined && what.kind !== "clock") {
        check.problem("expected only of a clock that it is off by a time", "by");
      }
      if (what.probability !== undefined && what.kind !== "flaky") {
        check.problem("expected only of a flaky machine", "probability");
      }
    } else if ("clear" in what && what.clear !== "all") check.node(what.clear, "clear");
  },
  // biome-ignore lint/correctness/useYield: commands act at once
  *run({ sim }, what) {
    if ("chaos" in what) sim.apply({ type: "chaos", level: what.chaos, for: what.for });
    else if ("clear" in what) {
      const { clear } = what;
      sim.apply(clear === "all" ? { type: "clear_faults" } : { type: "clear_faults", node: clear });
    } else sim.apply(commandOf(what));
    return undefined;
  },
});

function commandOf(what: v.InferOutput<typeof machineFault>): FaultCommand {
  const { node, kind, at, for: heights, by, probability } = what;
  return {
    type: "fault",
    node,
    kind,
    ...(at === undefined ? {} : { at }),
    ...(heights === undefined ? {} : { for: heights }),
    ...(by === undefined ? {} : { by }),
    ...(probability === undefined ? {} : { probability }),
  };
}
