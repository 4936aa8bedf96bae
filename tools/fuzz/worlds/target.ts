/** Whole worlds: drawn steps of every kind, and all invariants after each round. */
import type { Draw } from "../draw.ts";
import { CaseError, type Target } from "../target.ts";
import { drawBeginning } from "./beginning.ts";
import { beginWorld } from "./played-world.ts";
import { drawStep, MOODS } from "./steps.ts";

const MOST_STEPS = 40;

/** A case is a scenario file, whose refused steps are passed over. */
export const worlds: Target = {
  name: "worlds",
  about: "whole worlds with all invariants after each round, replayed, exported and continued",

  draw(draw: Draw) {
    const file = drawBeginning(draw);
    const steps: unknown[] = [];
    const given = { ...file, steps };
    try {
      const world = beginWorld(file);
      if (world === undefined) return;
      const weights = draw.pick(Object.values(MOODS));
      for (let i = draw.between(5, MOST_STEPS); i > 0; i--) {
        steps.push(drawStep(draw, world.sim, weights));
        if (!world.take(steps.at(-1))) steps.pop();
      }
      world.end();
    } catch (error) {
      throw new CaseError(given, error);
    }
  },

  run(given) {
    const world = beginWorld(given);
    if (world === undefined) return;
    for (const step of Object(given).steps) world.take(step);
    world.end();
  },
};
