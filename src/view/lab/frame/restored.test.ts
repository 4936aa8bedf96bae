import fc from "fast-check";
import { expect, test } from "vitest";
import { propertyRuns } from "../../../base/property.testing.ts";
import { readKeyframe, writeKeyframe } from "../../../engine/simulation/keyframe/keyframe.ts";
import {
  perform,
  type WorldStep,
  worldOf,
  worldSteps,
} from "../../../engine/simulation/keyframe/worlds.testing.ts";
import { Simulation } from "../../../engine/simulation/simulation.ts";
import { TEXTS } from "../texts.ts";
import { FrameBuilder } from "./frame.ts";
import { Observer, type ObserverState } from "./observer.ts";

/** A world that is observed from now on, with a frame after each step. */
function watched(sim: Simulation, state?: ObserverState) {
  const observer = new Observer(sim, TEXTS, state);
  const frames = new FrameBuilder(sim, observer, TEXTS);
  const drawn = () => frames.build({ samples: true });
  const after = (doing: WorldStep) => {
    perform(sim, doing);
    observer.observe();
    return drawn();
  };
  return { observer, drawn, after };
}

/** Steps that change the next voting set without a block. */
const WITHOUT_A_BLOCK: [WorldStep[], WorldStep[]] = [
  [
    { do: "fork" },
    { do: "command", command: { type: "fault", kind: "flaky", node: "val-3" } },
    { do: "run", blocks: 4 },
    { do: "run", blocks: 1 },
    { do: "plan", name: "v2", ahead: 6 },
    { do: "run", blocks: 3 },
    { do: "run", blocks: 1 },
    { do: "run", blocks: 5 },
    { do: "plan", name: "v2", ahead: 3 },
    { do: "run", blocks: 2 },
    { do: "plan", name: "v2", ahead: 3 },
  ],
  [
    { do: "fork" },
    { do: "fork" },
    { do: "unjail", who: "val-0" },
    { do: "run", blocks: 1 },
    { do: "submit", who: "val-0", ago: 0, power: 0, outcome: "equivocation" },
  ],
];

test("a world restored from a keyframe is drawn as the one that ran straight", () => {
  const spec = worldOf();
  fc.assert(
    fc.property(worldSteps, worldSteps, (before, after) => {
      const sim = Simulation.create(spec);
      const straight = watched(sim);
      for (const doing of before) straight.after(doing);
      const state = structuredClone(straight.observer.state());
      const restored = watched(readKeyframe(spec, writeKeyframe(sim)), state);
      expect(restored.drawn()).toEqual(straight.drawn());
      for (const doing of after) expect(restored.after(doing)).toEqual(straight.after(doing));
    }),
    { numRuns: propertyRuns(12), examples: [WITHOUT_A_BLOCK] },
  );
});
