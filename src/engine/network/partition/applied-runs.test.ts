import fc from "fast-check";
import { expect, test } from "vitest";
import type { AppliedOutcome } from "../../app/app.ts";
import { EMPTY_HASH } from "../../consensus/hashes.ts";
import { CommittedState } from "../../store/committed-state.ts";
import type { Applied } from "../node/applied.ts";
import { AppliedRuns } from "./applied-runs.ts";

const STATES = [new CommittedState([]), new CommittedState([])] as const;

const block = fc.record({
  state: fc.constantFrom(...STATES),
  binary: fc.constantFrom("v1", "v1", "v1", "v2"),
  events: fc.constantFrom([], [], [], [{ type: "slash", attributes: [] }]),
});

const listed = (blocks: readonly (typeof block extends fc.Arbitrary<infer B> ? B : never)[]) =>
  blocks.map(({ state, binary, events }, i): Applied => {
    const notes = { txResults: [], validatorUpdates: [], logs: [], files: [], steps: [] };
    const outcome: AppliedOutcome = { kind: "applied", state, events, ...notes };
    const { appHash } = state;
    const resultsHash = EMPTY_HASH;
    return { height: i + 6, appHash, state, resultsHash, binary, defaultFlags: true, outcome };
  });

test("runs of blocks give each block as it was", () => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 40 }), fc.nat(50), (made, height) => {
      const blocks = listed(made);
      const runs = new AppliedRuns();
      for (const one of blocks) runs.add(one);
      expect([...runs.above(height)]).toEqual(blocks.filter((one) => one.height > height));
      expect(runs.at(height)).toEqual(blocks.find((one) => one.height === height));
    }),
  );
});
