import { equal } from "../../../base/bytes.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import { type Explained, forgottenAt, reasonOf, reasonsOfTx } from "./reasons.ts";

/** Explains a transaction; undefined for a hash that no block contains. */
export function explainTx(sim: Simulation, hash: Uint8Array): Explained | undefined {
  const tx = sim.tx(hash);
  const block = tx && sim.block(tx.height);
  if (tx === undefined || block === undefined) return undefined;
  const { height, code, codespace } = tx;
  const index = block.txs.findIndex((one) => equal(one.hash, hash));
  const { steps } = block;
  const own = steps.filter(({ phase, module }) => phase === `tx ${index}` && module !== "app");
  const outcome = code === 0 ? "Done" : `Refused with ${codespace} ${code}`;
  return {
    because: `${outcome} in block ${height}.`,
    reasons: [...own.map((step) => reasonOf(height, step, steps)), ...reasonsOfTx(tx, index)],
    forgotten: code === 0 ? 0 : forgottenAt(sim, height),
  };
}
