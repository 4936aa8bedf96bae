import type { Simulation } from "../../../engine/simulation/simulation.ts";
import { FrameBuilder } from "./frame.ts";
import { Observer } from "./observer.ts";

/** A simulation together with what follows it. */
export interface ObservedSimulation {
  readonly sim: Simulation;
  readonly observer: Observer;
  readonly frames: FrameBuilder;
}

/** A simulation that is followed only once somebody asks; then everything up to there is taken in. */
export function lazyObserver(sim: Simulation): () => ObservedSimulation {
  let followed: ObservedSimulation | undefined;
  return () => {
    if (followed === undefined) {
      const observer = new Observer(sim);
      followed = { sim, observer, frames: new FrameBuilder(sim, observer) };
    }
    followed.observer.observe();
    return followed;
  };
}
