import { BoundedLog } from "../../../base/bounded-log.ts";
import type { Time } from "../../../base/time.ts";
import type { Bitset } from "../../consensus/bitset.ts";
import type { ValidatorList } from "../../consensus/validator-list.ts";
import type { RoundFaults } from "../faults/faults.ts";
import type { Absence } from "./absence.ts";
import type { RoundVotes } from "./round.ts";

/**
 * Record of one round. Its parts are shared with the voting group and with other rounds, so a round
 * in which every validator voted costs one small object.
 */
export interface RoundRecord {
  readonly height: number;
  readonly round: number;
  /** Simulated clock when it started. */
  readonly startTime: Time;
  readonly voting: ValidatorList;
  /** Index of the proposer in the voting set. */
  readonly proposer: number;
  /** Undefined if there was no voting group. */
  readonly votes: RoundVotes | undefined;
  readonly absences: readonly Absence[];
  readonly faults: RoundFaults;
}

/** Maximum number of rounds in memory; older ones are only available by replay. */
const MAX_RECORDS = 512;

/** The newest rounds of a chain. */
export class RoundRecords {
  #records = new BoundedLog<RoundRecord>(MAX_RECORDS);

  /** State stored in keyframes: one column per field, since most rounds have the same values. */
  get persisted() {
    const records = this.#records.newest();
    const column = <T>(of: (record: RoundRecord) => T): T[] => records.map(of);
    return [
      Float64Array.from(records, ({ height }) => height),
      Uint32Array.from(records, ({ round }) => round),
      Uint32Array.from(records, ({ proposer }) => proposer),
      column(({ startTime }) => startTime),
      column(({ voting }) => voting),
      column(({ absences }) => absences),
      column(({ faults }) => faults),
      column(({ votes }) => votes?.outcome),
      column(({ votes }) => votes?.participating),
      column(({ votes }) => votes?.prevotedFor),
      column(({ votes }) => votes?.signers),
      column(({ votes }) => votes?.waited),
      this.#records.seq,
    ] as const;
  }
  set persisted([heights, rounds, proposers, began, voting, absences, faults, outcomes, ...rest]) {
    const [participating, prevotedFor, signers, waited, seq] = rest;
    const votesAt = (i: number): RoundVotes | undefined => {
      const outcome = outcomes[i];
      if (outcome === undefined) return undefined;
      return {
        outcome,
        participating: participating[i] as Bitset,
        prevotedFor: prevotedFor[i],
        signers: signers[i] as Bitset,
        waited: waited[i] as boolean,
      };
    };
    const records = began.map((began, i): RoundRecord => {
      return {
        height: heights[i] as number,
        round: rounds[i] as number,
        startTime: began,
        voting: voting[i] as ValidatorList,
        proposer: proposers[i] as number,
        votes: votesAt(i),
        absences: absences[i] as readonly Absence[],
        faults: faults[i] as RoundFaults,
      };
    });
    this.#records.persisted = [records, seq];
  }

  /** Becomes a copy of another chain's records. */
  copyFrom(other: RoundRecords): void {
    this.#records = other.#records.copy();
  }

  add(record: RoundRecord): void {
    this.#records.push(record);
  }

  /** Newest record; undefined before the first. */
  get last(): RoundRecord | undefined {
    return this.#records.last;
  }

  /** Stored rounds of a height, in order. */
  of(height: number): readonly RoundRecord[] {
    return this.#records.newest().filter((record) => record.height === height);
  }
}
