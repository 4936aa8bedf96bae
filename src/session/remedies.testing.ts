import type { Simulation } from "../engine/simulation/simulation.ts";
import { runRounds } from "../engine/simulation/testing.ts";
import type { ChainStatus as ChainStatusFrame } from "../gen/lab/v1/lab_plain.ts";
import { parseStep } from "../scenario/parse.ts";
import { runStep } from "../scenario/runner.ts";
import type { StepContext } from "../scenario/step-context.ts";
import { FrameBuilder } from "../view/lab/frame/frame.ts";
import { lazyObserver } from "../view/lab/frame/observed.ts";
import { Observer } from "../view/lab/frame/observer.ts";
import { TEXTS } from "../view/lab/texts.ts";

export const chainStatusOf = (sim: Simulation): ChainStatusFrame =>
  new FrameBuilder(sim, new Observer(sim, TEXTS), TEXTS).chainStatus();

/** Applies a remedy and lets the chain continue; returns the problem, if any. */
export function take(sim: Simulation, step: string): string[] {
  const source: unknown = JSON.parse(step);
  const faults = (Array.isArray(source) ? source : [source]).flatMap((one) =>
    runText(sim, JSON.stringify(one)),
  );
  runRounds(sim, 60);
  return faults;
}

function runText(sim: Simulation, text: string): string[] {
  const context: StepContext = { sim, follow: lazyObserver(sim), results: new Map() };
  const read = parseStep(text, context);
  if ("problems" in read) return read.problems.map(({ message }) => message);
  const steps = runStep(context, read.step, 0);
  for (let next = steps.next(); ; next = steps.next()) {
    if (next.done) return next.value.ok ? [] : [next.value.message];
  }
}
