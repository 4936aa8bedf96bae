/** Scenario steps that act on nodes, as remedies are put together from them. */
import { HaltError } from "../../../engine/framework/halt.ts";
import {
  rememberedPlace,
  SIGNER_STATE,
  signerStateJson,
} from "../../../engine/network/node/signer-state.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { NodeView } from "../../../engine/simulation/views.ts";

export type ScenarioStep = Readonly<Record<string, unknown>>;

/** The verb `nodes` with one action. */
export const act = (nodes: readonly NodeView[], action: ScenarioStep): ScenarioStep => ({
  nodes: { which: nodes.map(({ name }) => name), ...action },
});

/** Writes signer states with the last height and round that can have been voted in, so that nothing is signed twice. */
export function writeSigners(
  { decidedHeight, round }: Simulation,
  nodes: readonly NodeView[],
): readonly ScenarioStep[] {
  const content =
    round === 0
      ? signerStateJson(decidedHeight, 0, 3)
      : signerStateJson(decidedHeight + 1, round - 1, 3);
  return nodes.length === 0 ? [] : [act(nodes, { write_file: { path: SIGNER_STATE, content } })];
}

/** Whether a signer that starts now could sign anew what was decided; one without its file does not start. */
export function forgets(sim: Simulation, { name }: NodeView): boolean {
  try {
    const content = sim.file(name, SIGNER_STATE);
    return rememberedPlace(content).height < sim.decidedHeight;
  } catch (error) {
    if (error instanceof HaltError) return true;
    throw error;
  }
}
