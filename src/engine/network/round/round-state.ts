import { atMostLast, type Duration, type Time } from "../../../base/time.ts";
import { type RoundFailure, roundDuration, stepTimeout } from "../../consensus/timeouts.ts";
import type { ValidatorSet } from "../../consensus/validator-set.ts";

/** Consensus state of a chain: the current round of the next height, its proposer, the clock. */
export class RoundState {
  #clock: Time;
  #nextTime: Time;
  #round = 0;
  /** The validator set with the proposer priorities of this round; undefined in round 0. */
  #priorities: ValidatorSet | undefined;

  constructor(genesisTime: Time) {
    this.#clock = genesisTime;
    this.#nextTime = genesisTime;
  }

  /** State stored in keyframes. */
  get persisted() {
    return [this.#clock, this.#nextTime, this.#round, this.#priorities] as const;
  }
  set persisted(persisted) {
    [this.#clock, this.#nextTime, this.#round, this.#priorities] = persisted;
  }

  /** Simulated clock. It stops at the last representable time. */
  get clock(): Time {
    return this.#clock;
  }

  /** Time of the next block, determined by the precommits of the last one. */
  get nextTime(): Time {
    return this.#nextTime;
  }

  /** Current round of the next height. */
  get round(): number {
    return this.#round;
  }

  /** Validator index of the proposer of this round. */
  proposer(voting: ValidatorSet): number {
    return (this.#priorities ?? voting).proposer();
  }

  /** Advances the clock to a time, unless it is in the past. */
  advanceClock(time: Time): void {
    if (time > this.#clock) this.#clock = time;
  }

  /** Advances the clock by the precommit timeout of this round (rules/consensus 5.6). */
  waitForPrecommits(): void {
    this.#pass(stepTimeout("precommit", this.#round));
  }

  /**
   * Advances the clock by the regular interval between two blocks, which is exact unless rounds
   * failed meanwhile.
   */
  passBlockTime(blockTime: Duration): void {
    this.#pass(blockTime);
  }

  #pass(duration: Duration): void {
    this.#clock = atMostLast(this.#clock + duration);
  }

  /** Ends a round without a block: the next proposer follows. */
  fail(failure: RoundFailure, voting: ValidatorSet): void {
    this.#pass(roundDuration(failure, this.#round));
    this.#round += 1;
    this.#priorities ??= voting.copy();
    this.#priorities.incrementProposerPriority(1);
  }

  /** Starts the next height; `time` is the time of its block. */
  beginHeight(time: Time): void {
    this.#nextTime = time;
    this.#round = 0;
    this.#priorities = undefined;
  }

  copy(): RoundState {
    const copy = new RoundState(this.#clock);
    copy.resume(this);
    return copy;
  }

  /** Copies round, proposer and block time from another state; the clock is unchanged. */
  resume(other: RoundState): void {
    this.#nextTime = other.#nextTime;
    this.#round = other.#round;
    this.#priorities = other.#priorities?.copy();
  }
}
