import type { TxView } from "../../engine/simulation/views.ts";
import type { Reading } from "../lab/reading.ts";
import type { WorldQueries } from "../lab/world-queries.ts";
import type { Namespace } from "../namespaces.ts";
import type { CheckedTx } from "../tx/check-tx.ts";

/** The node that a JSON-RPC speaks for: its world, and how it is reached. */
export interface RpcNode {
  /** Resolves when a request has its turn. Rejects with a StatusError where too many wait. */
  turn(): Promise<void>;
  /** Asks the world that is played, and opens what a reading reads. */
  ask<T>(question: (queries: WorldQueries) => T | Reading<T>): Promise<T>;
  /** Receives a transaction; what was accepted is on disk when it resolves. */
  broadcast(tx: Uint8Array): Promise<CheckedTx>;
  /** The transaction of a hash once a block has it; undefined if none has soon. */
  committed(hash: Uint8Array): Promise<TxView | undefined>;
  /** Takes note of a bug, of which a client reads only that it is one. */
  reportBug(error: unknown): void;
  readonly namespace: Namespace;
  /** The least price of a unit of gas that it takes; none if absent or empty. */
  readonly minGasPrices?: string;
  /** Listen address, e.g. `tcp://127.0.0.1:26657`. */
  readonly address: string;
}
