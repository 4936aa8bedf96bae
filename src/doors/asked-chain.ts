import type { WorldQueries } from "../api/lab/world-queries.ts";
import type { Namespace } from "../api/namespaces.ts";
import type { CheckedTx } from "../api/tx/check-tx.ts";

import type { LabAnswer, LabRequest } from "../gen/lab/v1/lab_plain.ts";

/** The chain behind the doors, wherever it runs. */
export interface AskedChain {
  /** Names under which it answers. */
  readonly namespace: Namespace;
  /** Asks the world that is played, again once more of its past was brought that it needs. */
  ask<T>(question: (queries: WorldQueries) => T): Promise<T>;
  /** Receives a transaction; what was accepted is saved when it resolves. */
  broadcast(tx: Uint8Array): Promise<CheckedTx>;
  /** What was done in the world that is played, as a scenario. */
  record(): Promise<LabAnswer<"recordScenario">>;
  /** Where two worlds that are kept differ, or two heights of one. Rejects with a StatusError. */
  compare(request: LabRequest<"compareWorlds">): Promise<LabAnswer<"compareWorlds">>;
  find(request: LabRequest<"findDifference">): Promise<LabAnswer<"findDifference">>;
  /** Some heights of its chain as a file, part by part. */
  export(request: LabRequest<"exportChain">): Promise<LabAnswer<"exportChain">>;
  /** What wallets are told of a node; absent where there is no RPC, without which they cannot do. */
  readonly wallets?: { readonly rpc: string; readonly minGasPrices: string } | undefined;
  /** All metrics as text. */
  metrics(): Promise<string>;
  /** Reports a bug, of which a client is told only that it is one. */
  reportBug(error: unknown): void;
}
