import * as v from "valibot";
import type { FaultCommand } from "../../engine/simulation/command.ts";
import { about, choice, has, isMap, LIMITS, map, offset, oneOf, text, whole } from "../fields.ts";
import { defineVerb } from "../verb.ts";

const probabilityText = "a probability from 0 to 1";

const machineFault = map({
  node: about(text, "The node whose machine it is."),
  kind: about(
    oneOf("crash", "slow", "mute", "clock", "flaky"),
    "crash: the process ends. slow: what it sends comes late. mute: it follows and says nothing. clock: its clock is wrong. flaky: it is mute now and then.",
  ),
  at: about(
    v.optional(whole(1, LIMITS.height)),
    "Height at which it begins; the next unless given.",
  ),
  for: about(
    v.optional(whole(1, LIMITS.height)),
    "How many heights it lasts; until it is cleared unless given.",
  ),
  by: about(v.optional(offset), "How far the clock is off."),
  probability: about(
    v.optional(
      v.pipe(
        v.number(probabilityText),
        v.minValue(0, probabilityText),
        v.maxValue(1, probabilityText),
      ),
    ),
    "How often a flaky machine says nothing, 0 to 1.",
  ),
});

/** Makes machines misbehave. */
export const fault = defineVerb({
  name: "fault",
  about:
    "A fault of one machine, from a height on and for a number of heights; chaos of a level; or the end of all faults, or of one machine's.",
  args: choice(
    "a map with node and kind, or with chaos, or with clear",
    [
      has("chaos"),
      map({
        chaos: about(whole(1, 5), "Level: how often faults are drawn from the seed, and how many."),
        for: about(whole(1, LIMITS.height), "How many heights it lasts."),
      }),
    ],
    [has("clear"), map({ clear: about(text, "Ends the faults of this node, or of all.") })],
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
