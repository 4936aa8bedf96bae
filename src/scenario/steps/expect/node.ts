import * as v from "valibot";
import { defineExpectation } from "../../expectation.ts";
import { map, oneOf, text } from "../../fields.ts";
import { resolveText } from "../../references.ts";
import { StepError } from "../../world.ts";

/** How a node's process is and what its log says. */
export const node = defineExpectation({
  key: "node",
  args: map({
    node: text,
    is: v.optional(oneOf("running", "stopped", "halted", "exited", "syncing")),
    log: v.optional(text),
  }),
  check({ node: name, is, log }, check) {
    check.node(name, "node");
    if (is === undefined && log === undefined) check.problem("expected is or log beside node");
  },
  meet(world, { node: name, is, log }) {
    const { sim } = world;
    const view = sim.node(name);
    if (!view) throw new StepError(`there is no node ${name}`, "node");
    if (is !== undefined && view.process !== is) {
      const reason = view.reason === "" ? "" : `: ${view.reason}`;
      throw new StepError(`expected ${name} to be ${is}, found ${view.process}${reason}`, "is");
    }
    if (log === undefined) return;
    const wanted = resolveText(world, log);
    const lines = sim.log(name);
    if (lines.some((line) => line.text.includes(wanted))) return;
    const last = lines.at(-1)?.text;
    throw new StepError(
      `expected "${wanted}" in the log of ${name}, found ${
        last === undefined ? "an empty log" : `${lines.length} lines without it, the last "${last}"`
      }`,
      "log",
    );
  },
});
