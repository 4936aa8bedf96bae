/** Window over which the rate is averaged. */
const RATE_WINDOW_MS = 2000;

export const MAX_SPEED = 10_000;
/** Initial speed of a new world. */
export const FIRST_SPEED = 1;

/** Schedules rounds and measures the block rate. Times are milliseconds of any clock. */
export class Pace {
  /** Largest delay that later rounds catch up. */
  mostLagMs = 250;
  /** Rounds per second; 0 is as fast as possible. */
  speed = FIRST_SPEED;
  /** Rounds per second of the running story or steps, whatever the speed of other rounds. */
  storySpeed: number | undefined;
  /** Measured blocks per second. */
  rate = 0;
  #due = 0;
  /** Start of the window (time, height, true if a block started it), and the newest height seen. */
  #measured:
    | { readonly at: number; readonly height: number; readonly block: boolean; newest: number }
    | undefined;

  /**
   * Milliseconds until the next round is due, at no more than `atMost` rounds per second (0: no
   * bound).
   */
  wait(now: number, atMost: number): number {
    const speed = this.#bounded(atMost);
    if (speed === 0) return 0;
    // A due time set at another speed, or before a pause, must not delay the first round.
    this.#due = Math.min(this.#due, now + 1000 / speed);
    return Math.max(this.#due - now, 0);
  }

  /** Records that a round was run. */
  took(now: number, atMost: number): void {
    const speed = this.#bounded(atMost);
    if (speed === 0) return;
    const late = now - this.#due > this.mostLagMs;
    this.#due = (late ? now : this.#due) + 1000 / speed;
  }

  #bounded(atMost: number): number {
    const speed = this.storySpeed ?? this.speed;
    if (speed === 0 || atMost === 0) return Math.max(speed, atMost);
    return Math.min(speed, atMost);
  }

  /**
   * Measures once per window, from block to block: a window that ended between two would be off by
   * one. True if the rate has changed.
   */
  measure(now: number, height: number): boolean {
    const last = this.#measured;
    if (last === undefined || height < last.height) {
      this.#measured = { at: now, height, block: false, newest: height };
      return false;
    }
    const came = height > last.newest;
    // A window that starts between two blocks would count one too many.
    if (came && !last.block) {
      this.#measured = { at: now, height, block: true, newest: height };
      return false;
    }
    last.newest = height;
    const elapsed = now - last.at;
    // The rate of a halted chain is updated too.
    if (elapsed < (came ? RATE_WINDOW_MS : 2 * RATE_WINDOW_MS)) return false;
    const rate = Math.round(((height - last.height) * 10_000) / elapsed) / 10;
    const changed = rate !== this.rate;
    this.rate = rate;
    this.#measured = { at: now, height, block: came, newest: height };
    return changed;
  }

  /** Resets the measurement while nothing runs. True if the rate has changed. */
  rest(): boolean {
    const changed = this.rate > 0;
    this.rate = 0;
    this.#measured = undefined;
    return changed;
  }
}
