import { type BinarySpec, V1 } from "../engine/app/binary.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";
import { isName } from "./fields.ts";

/**
 * The binary that a plan needs, if no binary of the world has its handler: based on the newest one,
 * with the plan's name if that is free. Undefined if a binary has the handler.
 */
export function nextBinary(sim: Simulation, plan: string): BinarySpec | undefined {
  const binaries = sim.binaries();
  if (binaries.some(({ handlers }) => handlers.includes(plan))) return undefined;
  const newest = binaries.at(-1) ?? V1;
  return {
    ...newest,
    name: freeName(
      plan,
      binaries.map(({ name }) => name),
    ),
    modules: withMigration(newest.modules),
    handlers: [...newest.handlers, plan],
    migration: { kind: "ok" },
  };
}

function freeName(plan: string, taken: readonly string[]): string {
  if (isName(plan) && !taken.includes(plan)) return plan;
  let version = taken.length + 1;
  while (taken.includes(`v${version}`)) version += 1;
  return `v${version}`;
}

/**
 * Raises one module's version, so that the upgrade has something to migrate; a generic module can
 * be raised without limit.
 */
function withMigration(modules: BinarySpec["modules"]): BinarySpec["modules"] {
  const { bank } = modules;
  if (bank !== undefined && bank === V1.modules.bank) return { ...modules, bank: bank + 1 };
  const generic = Object.entries(modules).find(([name]) => !Object.hasOwn(V1.modules, name));
  return generic ? { ...modules, [generic[0]]: generic[1] + 1 } : modules;
}
