import type { AppliedOutcome } from "../../app/app.ts";
import type { CommittedState } from "../../store/multi-store.ts";

/** A block as applied: one object shared by all nodes for which it came out the same. */
export interface Applied {
  readonly height: number;
  /** What the next header must carry. */
  readonly appHash: Uint8Array;
  /** Where the next block starts from: the same state, but for what a StoreLoader added or removed. */
  readonly state: CommittedState;
  /** Merkle root of the transaction results, for the next header. */
  readonly resultsHash: Uint8Array;
  readonly binary: string;
  /** Applied without skip heights or a halt: any node with this binary gets the same. */
  readonly defaultFlags: boolean;
  /** What happened in it; undefined for the genesis state. */
  readonly outcome: AppliedOutcome | undefined;
}
