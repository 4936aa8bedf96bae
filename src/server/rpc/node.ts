import type { TxView } from "../../engine/simulation/views.ts";
import type { Reading } from "../../view/lab/reading.ts";
import type { WorldQueries } from "../../view/lab/world-queries.ts";
import type { Namespace } from "../../view/namespaces.ts";
import type { CheckedTx } from "../../view/tx/check-tx.ts";

/** The node behind a JSON-RPC server: its world, and its addresses. */
export interface RpcNode {
  /** Resolves when it is a request's turn. Rejects with a StatusError if too many wait. */
  turn(): Promise<void>;
  /** Queries the played world, and opens the history that a reading needs. */
  query<T>(question: (queries: WorldQueries) => T | Reading<T>): Promise<T>;
  /**
   * Counts the characters of a batch's answers until they are sent. Throws a StatusError if those
   * of all batches are too many.
   */
  hold?(characters: number): void;
  /** Receives a transaction; an accepted one is on disk when it resolves. */
  broadcast(tx: Uint8Array): Promise<CheckedTx>;
  /** The transaction with a hash once a block contains it; undefined after a timeout. */
  committed(hash: Uint8Array): Promise<TxView | undefined>;
  /** Reports a bug; the client is told only that it is one. */
  reportBug(error: unknown): void;
  readonly namespace: Namespace;
  /** Minimum gas price; none if absent or empty. */
  readonly minGasPrices?: string;
  /** Listen address, e.g. `tcp://127.0.0.1:26657`. */
  readonly address: string;
}
