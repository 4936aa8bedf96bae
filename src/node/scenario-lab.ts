import { availableParallelism } from "node:os";
import { genesisToJson } from "../api/genesis.ts";
import { appliedUpgradeOf } from "../api/lab/applied-upgrade.ts";
import { queryJson } from "../api/query.ts";
import type {
  AskedChain,
  ScenarioFault,
  ScenarioJob,
  ScenarioLab,
  ScenarioOutline,
  ScenarioPool,
  ScenarioReport,
} from "../cli/context.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";
import { parseScenario } from "../scenario/parse.ts";
import { runScenario } from "../scenario/report.ts";
import { createWorld } from "../scenario/runner.ts";
import { type Scenario, withSeed } from "../scenario/scenario.ts";
import { WorkerPool } from "./worker-pool.ts";

/** Scenarios on this machine: one after another here, or side by side in worker threads. */
export function createScenarioLab(): ScenarioLab {
  return {
    cores: availableParallelism(),
    check,
    exportGenesis,
    chainAfter,
    open: (jobs) => (jobs > 1 ? new WorkerPool(jobs) : here),
  };
}

const here: ScenarioPool = {
  run: async (job, onStep) => runJob(job, onStep),
  close: async () => {},
};

function check(text: string, file: string): readonly ScenarioFault[] | ScenarioOutline {
  const read = parseScenario(text, file);
  if ("faults" in read) return read.faults;
  const { name, title, spec, steps } = read.scenario;
  try {
    createWorld(read.scenario);
  } catch (error) {
    return [{ file, path: "genesis", line: 1, message: (error as Error).message }];
  }
  return {
    name,
    title,
    seed: spec.seed,
    steps: steps.map(({ verb, note }) => (note === undefined ? { verb } : { verb, note })),
  };
}

const exportGenesis = (text: string, file: string, height: number | undefined): string =>
  JSON.stringify(genesisToJson(simAfter(text, file).exportGenesis(height)), null, 2);

function chainAfter(text: string, file: string): AskedChain {
  const sim = simAfter(text, file);
  return {
    query: (name, request, height) => queryJson(sim, name, request, height),
    appliedUpgrade: (name, height) => appliedUpgradeOf(sim, name, height || undefined),
  };
}

/** The world after all steps of a file that has been checked. Throws an Error if one fails. */
function simAfter(text: string, file: string): Simulation {
  const { scenario } = checked(text, file);
  const ends: Simulation[] = [];
  const { steps } = runScenario(scenario, { file, onEnd: (sim) => void ends.push(sim) });
  const failed = steps.find(({ ok }) => !ok);
  if (failed) throw new Error(`steps[${failed.index}]: ${failed.message}`);
  return ends[0] as Simulation;
}

/** Runs a scenario that has been checked. */
export function runJob(
  { file, text, seed, explain }: ScenarioJob,
  onStep: () => void,
): ScenarioReport {
  return runScenario(withSeed(checked(text, file).scenario, seed), { file, explain, onStep });
}

function checked(text: string, file: string): { readonly scenario: Scenario } {
  const read = parseScenario(text, file);
  if ("faults" in read) throw new Error(`${file} is not sound`);
  return read;
}
