import { toHex } from "../base/bytes.ts";
import { createContext } from "../scenario/create-context.ts";
import { parseScenario } from "../scenario/parse.ts";
import { runStep } from "../scenario/runner.ts";

/** App hash and block hash in hex, from the first block on. */
export type AppHashes = readonly string[];

/** Runs a scenario to its end. Throws if it has problems or a step of it fails. */
export function hashesOf(text: string, file: string): AppHashes {
  const read = parseScenario(text, file);
  if ("problems" in read) throw new Error(`${file}: ${JSON.stringify(read.problems)}`);
  const world = createContext(read.scenario);
  for (const [index, step] of read.scenario.steps.entries()) {
    const run = runStep(world, step, index);
    let next = run.next();
    while (!next.done) next = run.next();
    if (!next.value.ok) throw new Error(`${file}, step ${index}: ${next.value.message}`);
  }
  const { sim } = world;
  return Array.from({ length: sim.height + 1 - sim.initialHeight }, (_, i) => {
    const height = sim.initialHeight + i;
    const block = sim.block(height);
    if (block === undefined) throw new Error(`${file}: there is no block ${height}`);
    return `${toHex(block.appHash)} ${toHex(block.hash)}`;
  });
}
