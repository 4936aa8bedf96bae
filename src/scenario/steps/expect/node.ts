import * as v from "valibot";
import { equal } from "../../../base/bytes.ts";
import { consensusHalt } from "../../../engine/framework/halt.ts";
import type { NodeView } from "../../../engine/simulation/views.ts";
import { defineExpectation } from "../../expectation.ts";
import { about, flag, map, oneOf, text } from "../../fields.ts";
import { resolveText } from "../../references.ts";
import { StepError, Unanswerable } from "../../step-context.ts";

/** Checks the state of a node's process, its log, and its turn to propose. */
export const node = defineExpectation({
  key: "node",
  args: map({
    node: about(text, "Name of the node."),
    is: about(
      v.optional(oneOf("running", "stopped", "halted", "exited", "syncing")),
      "State of its process. halted also matches a process that has exited with its consensus.",
    ),
    log: about(v.optional(text), "Text that a line of its log contains."),
    proposer: about(v.optional(flag), "true: it is the current proposer."),
  }),
  reads: "world",
  check({ node: name, is, log, proposer }, check) {
    check.node(name, "node");
    if (is === undefined && log === undefined && proposer === undefined) {
      check.problem("expected is, log or proposer beside node");
    }
  },
  verify(context, { node: name, is, log, proposer }) {
    const { sim } = context;
    const view = sim.node(name);
    if (!view) throw new Unanswerable(`there is no node ${name}`, "node");
    if (is !== undefined && !isAs(view, is)) {
      const reason = view.reason === "" ? "" : `: ${view.reason}`;
      throw new StepError(`expected ${name} to be ${is}, found ${view.process}${reason}`, "is");
    }
    if (proposer !== undefined && proposer !== equal(view.consensusAddress, sim.proposer())) {
      const whose = sim.nodes().find((one) => equal(one.consensusAddress, sim.proposer()));
      throw new StepError(
        `expected that ${name} ${proposer ? "proposes" : "does not propose"} next, found ${whose?.name}`,
        "proposer",
      );
    }
    if (log === undefined) return view.process;
    const wanted = resolveText(context, log);
    const lines = sim.log(name);
    const found = lines.findLast((line) => line.text.includes(wanted))?.text;
    if (found !== undefined) return `${view.process}: ${found}`;
    const last = lines.at(-1)?.text;
    throw new StepError(
      `expected "${wanted}" in the log of ${name}, found ${
        last === undefined ? "an empty log" : `${lines.length} lines without it, the last "${last}"`
      }`,
      "log",
    );
  },
  look({ node: name, is, log, proposer }) {
    if (log !== undefined || proposer !== undefined) return undefined;
    return ({ sim }) => {
      const view = sim.node(name);
      return view && is !== undefined && isAs(view, is);
    };
  },
});

/**
 * A node whose process exits together with its consensus is both halted and exited
 * (rules/upgrade 4.9).
 */
const isAs = (node: NodeView, is: string): boolean =>
  node.process === is || (is === "halted" && consensusHalt(node) !== undefined);
