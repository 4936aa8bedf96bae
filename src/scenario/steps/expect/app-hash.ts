import { toHexUpper } from "../../../engine/primitives/bytes.ts";
import { defineExpectation } from "../../expectation.ts";
import { about, map, oneOf } from "../../fields.ts";
import { StepError } from "../../step-context.ts";

/** Whether all nodes at the newest height hold the same app hash. */
export const appHash = defineExpectation({
  key: "app_hash",
  args: map({
    app_hash: about(
      oneOf("agreed", "diverged"),
      "Whether all nodes at the newest height hold the same app hash.",
    ),
  }),
  meet({ sim }, { app_hash: expected }) {
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
});
