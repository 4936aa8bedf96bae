import fc from "fast-check";
import { expect, test } from "vitest";
import { readKeyframe, writeKeyframe } from "../../../engine/simulation/keyframe/keyframe.ts";
import {
  grown,
  perform,
  worldOf,
  worldSteps,
} from "../../../engine/simulation/keyframe/worlds.testing.ts";
import { lazyObserver } from "./observed.ts";

test("a world restored from a keyframe is drawn as the one that ran straight", () => {
  const spec = worldOf();
  fc.assert(
    fc.property(worldSteps, worldSteps, (before, after) => {
      const straight = grown(spec, before);
      const restored = readKeyframe(spec, writeKeyframe(straight));
      const [here, there] = [lazyObserver(restored), lazyObserver(straight)];
      for (const doing of [undefined, ...after]) {
        if (doing !== undefined) {
          perform(straight, doing);
          perform(restored, doing);
        }
        expect(here().frames.build({ samples: true })).toEqual(
          there().frames.build({ samples: true }),
        );
      }
    }),
    { numRuns: 10 },
  );
}, 120_000);
