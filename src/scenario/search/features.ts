/** Features reached by a case, by name: a case with a new feature is worth mutating. */
import type { StepContext } from "../step-context.ts";
import { outcomesOf } from "./outcomes.ts";
import type { CaseRun } from "./run-case.ts";

/** Names of all features of a case, unordered. */
export function featuresOf({ sim }: StepContext): readonly string[] {
  const counts = new Map<string, number>();
  const count = (name: string, times = 1): void => {
    counts.set(name, (counts.get(name) ?? 0) + times);
  };
  for (const [name, times] of Object.entries(outcomesOf(sim))) count(name, times);
  for (const height of sim.eventfulHeights(sim.initialHeight, sim.height, false)) {
    const block = sim.block(height);
    for (const { type } of block?.events ?? []) count(`event/${type}`);
    for (const tx of block?.txs ?? []) for (const { type } of tx.events) count(`event/${type}`);
  }
  for (const steps of sim.steps.values()) {
    for (const { module, kind, phase, outcome } of steps) {
      count(`decision/${phase}/${module}/${kind}/${outcome}`);
    }
  }
  for (const { cause, nodes, steps } of sim.haltsSince(0)) {
    count(`halt/${cause.kind}/${steps.at(-1)?.phase ?? "start"}`, nodes.length);
  }
  for (const { process, binary, haltCause } of sim.nodes()) {
    count(`node/${binary}/${process}${haltCause === undefined ? "" : `/${haltCause.kind}`}`);
  }
  count("forks", sim.forks().length);
  return [...counts].map(([name, times]) => `${name} ×${bucket(times)}`);
}

/**
 * The same for the end of a case: satisfied properties, by name, and the step at which it could not
 * continue.
 */
export const featuresOfRun = ({ reached, unfinished }: CaseRun): readonly string[] => [
  ...reached,
  ...(unfinished === undefined ? [] : [`unfinished/${unfinished.step}`]),
];

/** Buckets of counts: each number up to three, then each power of two. */
const bucket = (times: number): number => (times < 4 ? times : 2 ** Math.floor(Math.log2(times)));
