import { acceptSignedTxs } from "../engine/app/signed-tx.ts";
import { type CheckedTx, type CheckOptions, checkTx } from "../view/tx/check-tx.ts";
import type { Session } from "./session.ts";

/**
 * Checks a signed transaction and queues it for the next block if it is valid. Resolves when it is
 * in the journal; a caller that acknowledges it first waits until that is saved.
 */
export async function broadcastTx(
  session: Session,
  bytes: Uint8Array,
  options?: CheckOptions,
): Promise<CheckedTx> {
  acceptSignedTxs();
  await session.restored;
  const checked = await session.query(function* ({ sim }) {
    const command = { type: "signed_tx", bytes: bytes.slice() } as const;
    let result = checkTx(sim, bytes, options);
    if (result.code !== 0) return result;
    const { revision } = sim;
    yield* sim.readBy(command);
    // The world may have continued while its history was loaded.
    if (sim.revision !== revision) result = checkTx(sim, bytes, options);
    if (result.code === 0) sim.apply(command);
    return result;
  });
  session.player.changed();
  return checked;
}
