import type { ValidatorList } from "../../consensus/validator-list.ts";
import { BoundedLog } from "../../primitives/bounded-log.ts";
import type { Time } from "../../primitives/time.ts";
import type { RoundFaults } from "../faults/faults.ts";
import type { Absence } from "./absence.ts";
import type { RoundVotes } from "./round.ts";

/**
 * One round as it went. Its parts are shared with the voting group and with other rounds, so that a
 * round in which every validator voted costs one small object.
 */
export interface RoundRecord {
  readonly height: number;
  readonly round: number;
  /** The simulated clock when it began. */
  readonly began: Time;
  readonly voting: ValidatorList;
  /** Index of the proposer in the voting set. */
  readonly proposer: number;
  /** Undefined if there was no voting group. */
  readonly votes: RoundVotes | undefined;
  readonly absences: readonly Absence[];
  readonly faults: RoundFaults;
}

/** How many rounds are kept; older ones come back only by replay. */
const KEPT = 512;

/** The newest rounds of a chain. */
export class RoundRecords {
  #records = new BoundedLog<RoundRecord>(KEPT);

  /** What a keyframe holds of it. */
  get kept() {
    return this.#records.kept;
  }
  set kept(kept) {
    this.#records.kept = kept;
  }

  /** Becomes a copy of another chain's records. */
  copyFrom(other: RoundRecords): void {
    this.#records = other.#records.copy();
  }

  add(record: RoundRecord): void {
    this.#records.push(record);
  }

  /** The rounds of a height that are still kept, in order. */
  of(height: number): readonly RoundRecord[] {
    return this.#records.newest().filter((record) => record.height === height);
  }
}
