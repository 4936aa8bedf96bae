/** Whose turn it is on the chain's thread: that of its blocks, or that of a request, whatever protocol brings it. */
import { performance } from "node:perf_hooks";
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import { SERVER } from "../../input/limits.ts";
import { HeldBytes } from "./held-bytes.ts";

/** Milliseconds that requests may be ahead of blocks that are due. */
const AHEAD_MS = 2;
/** Milliseconds for which turns are given before sockets are looked at again. */
const AT_ONCE_MS = 4;
/** Milliseconds of the longest slice of blocks: what others took is given back in several. */
const LONGEST_SLICE_MS = 50;

/** Clocks of a thread, in milliseconds. */
interface Clocks {
  now(): number;
  /** The time for which it has not been idle. */
  busy(): number;
}

const OWN_CLOCKS: Clocks = {
  now: () => performance.now(),
  busy: () => performance.eventLoopUtilization().active,
};

interface Waiting {
  readonly resolve: () => void;
  readonly gone: (() => boolean) | undefined;
}

/**
 * The one queue of a node's requests. While blocks are due they have as much of the thread's time as all else has: a
 * request has its turn once that was given back to them. Requests wait in the order in which they came, and beyond a
 * number of them are refused.
 */
export class Admission {
  /** Bytes of the requests of all servers of the node. */
  readonly bytes = new HeldBytes();
  readonly #clocks: Clocks;
  #waiting: Waiting[] = [];
  /** Those that had a turn before, and have waited for something since. */
  #begun: (() => void)[] = [];
  /** Time at which blocks are due. */
  #due = Number.POSITIVE_INFINITY;
  /** The time that all but blocks has taken since none was due any more, less what they have had since. */
  #debt = 0;
  /** The part of it that was taken before the first turn after a slice that gave all back: by the loop itself, and no request. */
  #spared = 0;
  #isPaid = false;
  /** True if requests have arrived, or waited, since the last slice. */
  #isAsked = false;
  /** The thread's busy time up to which all is counted. */
  #counted: number;
  #posted = false;
  #closed = false;

  constructor(clocks = OWN_CLOCKS) {
    this.#clocks = clocks;
    this.#counted = clocks.busy();
  }

  /** Requests that wait for their turn. */
  get waiting(): number {
    return this.#waiting.length + this.#begun.length;
  }

  /**
   * Resolves when a request has its turn, also where its client has gone meanwhile. Rejects with RESOURCE_EXHAUSTED where
   * too many wait.
   */
  turn(gone?: () => boolean): Promise<void> {
    this.#isAsked = true;
    if (this.waiting === 0 && this.#mayTake()) return TAKEN;
    if (this.waiting >= SERVER.waiting) {
      // Those who have gone wait no longer.
      for (const { resolve, gone } of this.#waiting) if (gone?.()) resolve();
      this.#waiting = this.#waiting.filter(({ gone }) => !gone?.());
      if (this.waiting >= SERVER.waiting) return Promise.reject(busy());
    }
    return new Promise((resolve) => {
      this.#waiting.push({ resolve, gone });
      this.#post();
    });
  }

  /**
   * Resolves when a request that had its turn, and has waited for something since, may go on: many that have waited for
   * the same would otherwise all work at once. It goes before those that have not begun, and is not refused.
   */
  goOn(): Promise<void> {
    this.#isAsked = true;
    // Those that have waited for the same ask before any of them works: none goes on at once.
    return new Promise((resolve) => {
      this.#begun.push(resolve);
      this.#post();
    });
  }

  /** Notes that blocks are due in so many milliseconds. */
  blocksIn(ms: number): void {
    this.#due = Math.min(this.#due, this.#clocks.now() + ms);
  }

  /** Begins a slice of blocks. Returns for how many milliseconds it may go on. @param least of them */
  beginSlice(least: number): number {
    this.#count();
    // The loop's own work is owed by no one.
    if (!this.#isAsked) this.#debt = 0;
    this.#isAsked = this.waiting > 0;
    this.#due = Number.POSITIVE_INFINITY;
    // While no request waits, the next one is not delayed either.
    return this.waiting === 0 ? least : Math.min(Math.max(least, this.#debt), LONGEST_SLICE_MS);
  }

  /** Ends it. */
  endSlice(): void {
    const busy = this.#clocks.busy();
    // Blocks that are not due have no claim to the time of others.
    this.#debt = this.#isDue ? Math.max(this.#debt - (busy - this.#counted), 0) : 0;
    this.#counted = busy;
    this.#isPaid = this.#debt < AHEAD_MS;
    this.#spared = 0;
    this.#post();
  }

  /** Lets all go on: no more blocks are made. */
  close(): void {
    this.#closed = true;
    this.#post();
  }

  get #isDue(): boolean {
    return this.#due <= this.#clocks.now();
  }

  #count(): void {
    const busy = this.#clocks.busy();
    this.#debt += busy - this.#counted;
    this.#counted = busy;
  }

  #mayTake(): boolean {
    if (this.#closed) return true;
    this.#count();
    if (this.#isPaid) this.#spared = this.#debt;
    // From its first turn on what requests take counts, also before blocks are due.
    this.#isPaid = false;
    return !this.#isDue || this.#debt - this.#spared < AHEAD_MS;
  }

  #post(): void {
    if (this.#posted || this.waiting === 0) return;
    this.#posted = true;
    setImmediate(() => this.#give(this.#clocks.now() + AT_ONCE_MS));
  }

  /** Gives turns, one after the other: what one takes without waiting for anything is known when the next is given. */
  #give(until: number): void {
    // While blocks are due, the end of their slice calls this again.
    const may = this.waiting > 0 && this.#mayTake();
    if (may) (this.#begun.shift() ?? this.#waiting.shift()?.resolve)?.();
    if (may && this.#clocks.now() < until) {
      // All that was promised is done before the next tick, and ticks that follow one another before it.
      queueMicrotask(() => process.nextTick(() => this.#give(until)));
      return;
    }
    this.#posted = false;
    if (may) this.#post();
  }
}

const TAKEN = Promise.resolve();

const busy = (): StatusError =>
  new StatusError(
    STATUS.resourceExhausted,
    `${SERVER.waiting} requests wait for their turn on this node; ask again later`,
  );
