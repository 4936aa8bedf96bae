import { assertInvariant } from "../../engine/simulation/invariants/holds.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import type { ChainStatus, Missing } from "../../engine/simulation/views.ts";
import { scheduledPlan } from "../../view/lab/diagnosis/binary-compatibility.ts";
import { remediesOf } from "../../view/lab/diagnosis/remedies.ts";
import { REMEDY } from "./property.ts";
import { type HaltedNodesView, helpFor, remedyThatFails } from "./tried-remedies.ts";

/** Causes in the chain itself: neither another binary nor an action of an operator helps. */
const INCURABLE: ReadonlySet<string> = new Set([
  "application_error",
  "validator_set_error",
  "time_out_of_range",
]);
/** Causes that the state of a voting node cures. */
const NEEDS_PEER: ReadonlySet<string> = new Set([
  "diverged",
  "wrong_app_hash",
  "wrong_last_results_hash",
  "wrong_last_block_id",
  "handler_missing",
]);

/**
 * Checks that every halted node has a known cause, and that missing nodes have working remedies.
 */
export class HaltedNodes {
  readonly #sim: Simulation;
  #seq: number;

  constructor(sim: Simulation) {
    this.#sim = sim;
    this.#seq = sim.haltsSince(0).at(-1)?.seq ?? 0;
  }

  /**
   * Must be called after every command and round. Throws an InvariantError for a node without a
   * known cause.
   */
  look(): void {
    const sim = this.#sim;
    const halts = sim.haltsSince(this.#seq);
    const last = halts.at(-1);
    if (last === undefined) return;
    this.#seq = last.seq;
    for (const name of new Set(halts.flatMap(({ nodes }) => nodes))) {
      const node = sim.node(name);
      if (node?.process !== "halted" && node?.process !== "exited") continue;
      assertInvariant(
        REMEDY,
        node.reason !== "",
        () => `${name} is ${node.process} for no known cause`,
      );
    }
  }

  /**
   * Must be called at the end of a run. Throws an InvariantError if the known remedies for halted
   * nodes do not work.
   */
  end(): void {
    const fault = remedyThatFails(this.#sim, viewOf);
    assertInvariant(REMEDY, fault === undefined, () => fault ?? "");
  }
}

/** Causes of missing nodes, if a cure exists. */
function curableOf({ missing, votingPower }: ChainStatus): readonly Missing[] {
  return missing.filter(
    ({ cause: { kind } }) => !(INCURABLE.has(kind) || (votingPower === 0 && NEEDS_PEER.has(kind))),
  );
}

function viewOf(sim: Simulation): HaltedNodesView {
  const status = sim.chainStatus();
  const groups = curableOf(status).flatMap(({ nodes, reason }) => {
    const names = nodes.filter((name) => sim.node(name)?.process !== "running");
    return names.length > 0 ? { names, reason } : [];
  });
  const halted = groups.map(({ names, reason }) => `${names.join(", ")}: ${reason}`);
  const missing = status.missing.map(({ nodes, reason }) => `${nodes}: ${reason}`).join("; ");
  return {
    halted,
    missing,
    // Remedies are applied in sequence, so one is enough, and each costs copies of the world.
    get remedies() {
      return halted.length > 0 ? remediesOf(sim, status, scheduledPlan(sim), false, 1) : [];
    },
    get help() {
      for (const { names } of groups) {
        const help = helpFor(sim, names);
        if (help !== undefined) return help;
      }
      return undefined;
    },
  };
}
