import { EMPTY, toHex } from "../base/bytes.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";
import { parseScenario } from "./parse.ts";
import { runScenario } from "./report.ts";

/** App hash and hash of the last block, in hex; that hash covers all blocks before, with their app hashes. */
export const endHashes = (sim: Simulation): string =>
  `${toHex(sim.appHash)} ${toHex(sim.block(sim.height)?.hash ?? EMPTY)}`;

/** The same of a scenario, run to its end. Throws if it has problems or a step of it fails. */
export function endHashesOf(text: string, file: string): string {
  const read = parseScenario(text, file);
  if ("problems" in read) throw new Error(`${file}: ${JSON.stringify(read.problems)}`);
  let hashes = "";
  const { ok, steps } = runScenario(read.scenario, {
    file,
    onEnd: ({ sim }) => {
      hashes = endHashes(sim);
    },
  });
  if (!ok) throw new Error(`${file}: ${steps.at(-1)?.message}`);
  return hashes;
}
