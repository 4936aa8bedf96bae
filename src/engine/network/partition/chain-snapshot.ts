import type { ValidatorSet } from "../../consensus/validator-set.ts";
import type { Time } from "../../primitives/time.ts";
import type { VotedCommit } from "../chain/headers.ts";
import type { Ledger } from "../chain/ledger.ts";
import type { RoundRecords } from "../round/round-record.ts";

/** Where a chain stood at some moment: all that its next block is made from. Nothing in it changes any more. */
export interface ChainSnapshot {
  readonly ledger: Ledger;
  readonly rounds: RoundRecords;
  /** The round being tried for the next height, and the set whose turns have been passed on; undefined in round 0. */
  readonly round: number;
  readonly turns: ValidatorSet | undefined;
  /** Time of the next block. */
  readonly nextTime: Time;
  readonly lastCommit: VotedCommit | undefined;
}
