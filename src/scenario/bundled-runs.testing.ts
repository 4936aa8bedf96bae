import { EMPTY, toHex } from "../base/bytes.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";
import { parseScenario } from "./parse.ts";
import { runScenario } from "./report.ts";

/** Result of a run of a bundled scenario; bundled-runs.json has it by file. */
export interface BundledRun {
  /** Rounds of consensus, of which the list of stories makes its duration. */
  readonly rounds: number;
  /** App hash after the last block, in hex. */
  readonly appHash: string;
  /** Hash of the last block, in hex; it covers all blocks before, with their app hashes. */
  readonly blockHash: string;
}

export const bundledRun = (sim: Simulation): BundledRun => ({
  rounds: sim.rounds,
  appHash: toHex(sim.appHash),
  blockHash: toHex(sim.block(sim.height)?.hash ?? EMPTY),
});

/** Runs a scenario to its end. Throws if it has problems or a step of it fails. */
export function bundledRunOf(text: string, file: string): BundledRun | undefined {
  const read = parseScenario(text, file);
  if ("problems" in read) throw new Error(`${file}: ${JSON.stringify(read.problems)}`);
  let run: BundledRun | undefined;
  const { ok, steps } = runScenario(read.scenario, {
    file,
    onEnd: ({ sim }) => {
      run = bundledRun(sim);
    },
  });
  if (!ok) throw new Error(`${file}: ${steps.at(-1)?.message}`);
  return run;
}
