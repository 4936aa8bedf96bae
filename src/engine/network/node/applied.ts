import type { AppliedOutcome } from "../../app/app.ts";
import type { CommittedState } from "../../store/multi-store.ts";

/** Applied block: one object shared by all nodes with the same results. */
export interface Applied {
  readonly height: number;
  /** App hash that the next header must contain. */
  readonly appHash: Uint8Array;
  /**
   * State on which the next block executes: the same, except for stores that a StoreLoader added or
   * removed.
   */
  readonly state: CommittedState;
  /** Merkle root of the transaction results, for the next header. */
  readonly resultsHash: Uint8Array;
  readonly binary: string;
  /**
   * True if applied without skip heights or a halt: any node with this binary gets the same
   * results.
   */
  readonly defaultFlags: boolean;
  /** Outcome of the execution; undefined for the genesis state. */
  readonly outcome: AppliedOutcome | undefined;
}
