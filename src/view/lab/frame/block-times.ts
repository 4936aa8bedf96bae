import { atMostLast, type Duration, type Time } from "../../../base/time.ts";
import type { HistoryRanges } from "../../../engine/simulation/history-range.ts";
import { atOnce } from "../reading.ts";

/** Source of times; a Simulation is one. */
export interface Clockwork {
  readonly spec: { readonly blockTime: Duration };
  readonly initialHeight: number;
  readonly decidedHeight: number;
  readonly clock: Time;
  /** Time of the next block, which the last precommits have fixed. */
  readonly nextTime: Time;
  timeAt(height: number): Time | undefined;
}

/**
 * Times of blocks: actual ones of past blocks, predicted ones of later blocks as if each were
 * decided in its first round.
 */
export class BlockTimes {
  readonly #chain: Clockwork;

  constructor(chain: Clockwork) {
    this.#chain = chain;
  }

  /** Height of the block that is decided next. */
  get next(): number {
    return this.#chain.decidedHeight + 1;
  }

  at(height: number): Time {
    const { nextTime, clock, spec } = this.#chain;
    if (height < this.next) return this.#chain.timeAt(height) ?? nextTime;
    const later = BigInt(height - this.next);
    if (later === 0n) return nextTime;
    // Rounds that have failed meanwhile delay the block after the next.
    return atMostLast((clock > nextTime ? clock : nextTime) + later * spec.blockTime);
  }

  /** The first height whose block is not before a time. */
  firstAt(time: Time): number {
    return atOnce(this.searchFirst(time));
  }

  /** The same; yields the blocks that it reads, newest first. */
  *searchFirst(time: Time): HistoryRanges<number> {
    let low = this.#chain.initialHeight;
    let high = this.#beyond(time);
    for (let step = 1, at = this.next - 1; at >= low; at -= step, step *= 2) {
      yield { kind: "blocks", from: at, to: at };
      if (this.at(at) < time) low = at + 1;
      else high = at;
    }
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      yield { kind: "blocks", from: middle, to: middle };
      if (this.at(middle) >= time) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The last height whose block is not after a time; 0 if even the first is. */
  lastAt(time: Time): number {
    const height = this.firstAt(time);
    if (this.at(height) === time) return height;
    return height > this.#chain.initialHeight ? height - 1 : 0;
  }

  /** A height whose block is certainly not before a time. */
  #beyond(time: Time): number {
    const { nextTime, spec } = this.#chain;
    const ahead = time > nextTime ? (time - nextTime) / spec.blockTime : 0n;
    return this.next + Number(ahead) + 1;
  }
}
