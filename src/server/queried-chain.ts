import type { Caller } from "../session/caller.ts";
import type { Reading } from "../view/lab/reading.ts";
import type { WorldQueries } from "../view/lab/world-queries.ts";
import type { Namespace } from "../view/namespaces.ts";
import type { CheckedTx } from "../view/tx/check-tx.ts";

/** The chain behind the servers, wherever it runs. */
export interface QueriedChain {
  /** Names under which it answers. */
  readonly namespace: Namespace;
  /** Queries the played world, and opens the history that a reading needs. */
  query<T>(question: (queries: WorldQueries) => T | Reading<T>, caller?: Caller): Promise<T>;
  /** Receives a transaction; an accepted one is saved when it resolves. */
  broadcast(tx: Uint8Array): Promise<CheckedTx>;
  /** Settings for wallets; absent without an RPC, which they need. */
  readonly wallets?: { readonly rpc: string; readonly minGasPrices: string } | undefined;
  /** All metrics as text. */
  metrics(): Promise<string>;
  /** Reports a bug; the client is told only that it is one. */
  reportBug(error: unknown): void;
}
