import type { ValidatorList } from "../../consensus/validator-list.ts";
import type { Time } from "../../primitives/time.ts";
import type { RoundFaults } from "../faults/faults.ts";
import type { Absence } from "./absence.ts";
import type { RoundVotes } from "./round.ts";

/**
 * One round as it went. Everything in it is shared: with the votingGroup that voted, with other rounds, with
 * the calm. A round in which nobody was missing costs one small object.
 */
export interface RoundRecord {
  readonly height: number;
  readonly round: number;
  /** The simulated clock when it began. */
  readonly began: Time;
  readonly voting: ValidatorList;
  /** Place of the proposer in it. */
  readonly proposer: number;
  /** Undefined if nobody was there to vote. */
  readonly votes: RoundVotes | undefined;
  readonly away: readonly Absence[];
  readonly disturbance: RoundFaults;
}

/** How many rounds are kept; older ones come back only by replay. */
const KEPT = 512;

/** The last rounds, oldest overwritten first. */
export class RoundRecords {
  readonly #records: RoundRecord[] = [];
  #next = 0;

  copy(): RoundRecords {
    const copy = new RoundRecords();
    copy.#records.push(...this.#records);
    copy.#next = this.#next;
    return copy;
  }

  add(record: RoundRecord): void {
    this.#records[this.#next] = record;
    this.#next = (this.#next + 1) % KEPT;
  }

  /** The rounds of a height that are still kept, in order. */
  of(height: number): readonly RoundRecord[] {
    return this.#records
      .filter((record) => record.height === height)
      .sort((a, b) => a.round - b.round);
  }
}
