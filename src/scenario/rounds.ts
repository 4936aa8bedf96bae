/** Runs rounds of a world until a condition; reports the reason if it is never met. */

import type { Simulation } from "../engine/simulation/simulation.ts";
import { threshold } from "../view/lab/threshold.ts";
import { type StepContext, StepError } from "./step-context.ts";

/** Rounds without a block after which a step gives up. */
export const MAX_ROUNDS = 500;

/**
 * Runs rounds until `done`. Throws a StepError with the chain's reason after PATIENCE rounds
 * without a block.
 */
export function* makeBlocksUntil(context: StepContext, done: () => boolean): Generator<void, void> {
  const { sim } = context;
  let idle = 0;
  let height = sim.height;
  while (!done()) {
    if (idle === MAX_ROUNDS) throw new StepError(whyNoBlock(sim));
    sim.advance();
    yield;
    idle = sim.height > height ? 0 : idle + 1;
    height = sim.height;
  }
}

/** Runs at most `limit` rounds until `done`; false if it was not reached. */
export function* advanceUntil(
  context: StepContext,
  limit: number,
  done: () => boolean,
): Generator<void, boolean> {
  for (let rounds = 0; !done(); rounds++) {
    if (rounds === limit) return false;
    context.sim.advance();
    yield;
  }
  return true;
}

/** Explains why no block is made: the power that can vote, and the reason of each missing node. */
export function whyNoBlock(sim: Simulation): string {
  const { state, votingPower, totalPower, neededPower, missing } = sim.chainStatus();
  const reasons = missing.map(({ nodes, reason }) => `${listed(nodes)}: ${withoutEnd(reason)}`);
  if (state === "running") {
    const noBlock = `no block was made in ${MAX_ROUNDS} rounds at height ${sim.height}`;
    return [noBlock, ...reasons].join("; ");
  }
  return [
    `the chain is halted at block ${sim.height + 1}: ${votingPower} of ${totalPower} power votes, a block needs ${threshold(neededPower, totalPower)}`,
    ...reasons,
  ].join("; ");
}

/**
 * A node's message without its last punctuation: a plan's info follows a colon at its end, and may
 * be empty.
 */
const withoutEnd = (reason: string): string => reason.replace(/[:.]? *$/, "");

/** A node's message as the end of a sentence. */
export const because = (reason: string): string => `${withoutEnd(reason)}.`;

/** The first few names; chains can have a thousand nodes. */
function listed(nodes: readonly string[]): string {
  const shown = nodes.slice(0, 5).join(", ");
  return nodes.length > 5 ? `${shown} and ${nodes.length - 5} more` : shown;
}
