import type { Simulation } from "../../../engine/simulation/simulation.ts";
import { TEXTS } from "../texts.ts";
import { FrameBuilder } from "./frame.ts";
import { Observer } from "./observer.ts";

/** A simulation with its observer and the frames drawn from both. */
export interface ObservedSimulation {
  readonly sim: Simulation;
  readonly observer: Observer;
  readonly frames: FrameBuilder;
}

/** Observes a simulation from the first call on, which records all previous blocks. */
export function lazyObserver(sim: Simulation): () => ObservedSimulation {
  let observed: ObservedSimulation | undefined;
  return () => {
    if (observed === undefined) {
      const observer = new Observer(sim, TEXTS);
      observed = { sim, observer, frames: new FrameBuilder(sim, observer, TEXTS) };
    }
    observed.observer.observe();
    return observed;
  };
}
