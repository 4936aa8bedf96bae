import { Simulation } from "../engine/simulation/simulation.ts";
import { lazyObserver } from "../view/lab/frame/observed.ts";
import type { Scenario } from "./scenario.ts";
import type { StepContext } from "./step-context.ts";

/** Builds the world of a scenario; no step has run. Throws an Error for an invalid genesis. */
export function createContext(scenario: Scenario): StepContext {
  const sim = Simulation.create(scenario.spec);
  return { sim, follow: lazyObserver(sim), results: new Map() };
}
