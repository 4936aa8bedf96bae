import * as v from "valibot";
import { toHexUpper } from "../../../base/bytes.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import { defineExpectation } from "../../expectation.ts";
import { about, integer, LIMITS, map, oneOf } from "../../fields.ts";
import { StepError, Unanswerable } from "../../step-context.ts";

const HASH = /^[0-9A-F]{64}$/;
const expected = "agreed, diverged or an app hash, 64 digits of upper-case hex";

/** Checks that all nodes at the newest height have the same app hash. */
export const appHash = defineExpectation({
  key: "app_hash",
  args: map({
    app_hash: about(
      v.union(
        [oneOf("agreed", "diverged"), v.pipe(v.string(expected), v.regex(HASH, expected))],
        expected,
      ),
      "agreed: all nodes at the newest height have the same app hash. diverged: they do not. A text: the chain's app hash, in upper-case hex.",
    ),
    height: about(
      v.optional(integer(0, LIMITS.height)),
      "With an app hash: the height of its block. Default: the newest.",
    ),
  }),
  reads: ({ app_hash: hash }) => (HASH.test(hash) ? "blocks" : "world"),
  check({ app_hash: hash, height }, check) {
    if (height === undefined) return;
    if (HASH.test(hash)) check.block(height, "height");
    else check.problem("expected only beside an app hash in hex", "height");
  },
  *opens({ sim }, { app_hash: hash, height = sim.height }) {
    if (HASH.test(hash)) yield { kind: "state", height };
  },
  verify({ sim }, { app_hash: expected, height = sim.height }) {
    if (HASH.test(expected)) return sameHash(sim, expected, height);
    const found = sim.appHashesAgree() ? "agreed" : "diverged";
    if (found === expected) return found;
    const hashes = sim
      .nodes()
      .map(
        ({ name, height, appHash: hash }) =>
          `${name} ${toHexUpper(hash).slice(0, 8)}… at ${height}`,
      );
    throw new StepError(
      `expected app hashes ${expected}, found ${found}: ${hashes.slice(0, 8).join(", ")}`,
      "app_hash",
    );
  },
  look({ app_hash: expected }) {
    if (HASH.test(expected)) return undefined;
    return ({ sim }) => sim.appHashesAgree() === (expected === "agreed");
  },
});

function sameHash(sim: Simulation, expected: string, height: number): string {
  if (height > sim.height) {
    throw new Unanswerable(
      `there is no block ${height} yet: the chain is at ${sim.height}`,
      "height",
    );
  }
  const found = toHexUpper(sim.state(height).appHash);
  if (found === expected) return found;
  throw new StepError(
    `expected app hash ${expected} after block ${height}, found ${found}`,
    "app_hash",
  );
}
