import type { Keepers } from "../../../engine/app/modules.ts";
import type { Context } from "../../../engine/framework/context.ts";
import { modelledText } from "../../../engine/framework/errors.ts";
import type { Params } from "../../../engine/modules/gov/types.ts";
import type { Validator } from "../../../engine/modules/staking/types.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";

/**
 * Reads the latest state through the keepers; `otherwise` if the binary cannot read it, since it
 * may lack stores. Frames use this instead of queries, which are loaded on demand.
 */
export function readOr<T>(
  sim: Simulation,
  fallback: T,
  read: (ctx: Context, keepers: Keepers) => T,
): T {
  try {
    return sim.read((ctx, { keepers }) => read(ctx, keepers));
  } catch (error) {
    // A manual edit may have made the state unreadable.
    if (sim.tampered.length === 0) modelledText(error);
    return fallback;
  }
}

/** Every validator in staking, in order of operator addresses. */
export const validatorsOf = (sim: Simulation): readonly Validator[] =>
  readOr(sim, [], (ctx, { staking }) => [...staking.allValidators(ctx)]);

/** Governance's parameters; undefined if there are none. */
export const paramsOf = (sim: Simulation): Params | undefined =>
  readOr(sim, undefined, (ctx, { gov }) => gov.getParams(ctx));
