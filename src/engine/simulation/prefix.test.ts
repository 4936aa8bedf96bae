import { expect, test } from "vitest";
import { toHex } from "../../base/bytes.ts";
import { readKeyframe, writeKeyframe } from "./keyframe/keyframe.ts";
import { Simulation } from "./simulation.ts";
import { runRounds, worldSpec } from "./testing.ts";

/** Returns the contents of a world's stores, in hex. */
const heldBy = (sim: Simulation): string[] =>
  sim
    .state()
    .storeNames.flatMap((name) =>
      Array.from(
        sim.state().store(name).iterate(),
        ({ key, value }) => `${toHex(key)} ${toHex(value)}`,
      ),
    );

test("the bytes of a world's state are its own, whatever the addresses of another world begin with", () => {
  const sim = Simulation.create(worldSpec({ prefix: "osmo" }));
  runRounds(sim, 20);
  const held = heldBy(sim);
  const stored = writeKeyframe(sim);
  runRounds(Simulation.create(worldSpec()), 1);
  expect(heldBy(sim)).toEqual(held);
  expect(toHex(writeKeyframe(sim))).toBe(toHex(stored));
  const restored = readKeyframe(sim.spec, writeKeyframe(sim));
  expect(toHex(restored.state().appHash)).toBe(toHex(sim.state().appHash));
});
