import type { Reading } from "../api/lab/reading.ts";
import type { WorldQueries } from "../api/lab/world-queries.ts";
import type { Namespace } from "../api/namespaces.ts";
import type { CheckedTx } from "../api/tx/check-tx.ts";
import type { Asker } from "../session/asker.ts";

/** The chain behind the doors, wherever it runs. */
export interface AskedChain {
  /** Names under which it answers. */
  readonly namespace: Namespace;
  /** Asks the world that is played, and opens what a reading reads. */
  ask<T>(question: (queries: WorldQueries) => T | Reading<T>, asker?: Asker): Promise<T>;
  /** Receives a transaction; what was accepted is saved when it resolves. */
  broadcast(tx: Uint8Array): Promise<CheckedTx>;
  /** Settings for wallets; absent where there is no RPC, which they need. */
  readonly wallets?: { readonly rpc: string; readonly minGasPrices: string } | undefined;
  /** All metrics as text. */
  metrics(): Promise<string>;
  /** Reports a bug, of which a client is told only that it is one. */
  reportBug(error: unknown): void;
}
