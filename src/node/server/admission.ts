/** Schedules the chain's thread between its blocks and requests of any protocol. */
import { performance } from "node:perf_hooks";
import { SERVER } from "../../base/limits.ts";
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import { ByteBudget } from "./byte-budget.ts";

/** Milliseconds that requests may be ahead of due blocks. */
const AHEAD_MS = 2;
/** Milliseconds for which turns are granted before sockets are polled again. */
const AT_ONCE_MS = 4;
/** Longest slice of blocks in ms: a larger debt is repaid in several slices. */
const LONGEST_SLICE_MS = 50;

/** Clocks of a thread, in milliseconds. */
interface Clocks {
  now(): number;
  /** Time during which it was not idle. */
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
 * The only queue of a node's requests. While blocks are due they get as much of the thread's time
 * as everything else: a request has its turn once that debt is repaid. Requests wait in order of
 * arrival, and beyond a maximum number are refused.
 */
export class Admission {
  /** Bytes of the requests of all servers of the node. */
  readonly bytes = new ByteBudget();
  /** Bytes of the answers that batches have so far. */
  readonly answers = new ByteBudget();
  readonly #clocks: Clocks;
  #waiting: Waiting[] = [];
  /** Requests that had a turn before, and then waited for something. */
  #resumed: (() => void)[] = [];
  /** Time at which blocks are due. */
  #due = Number.POSITIVE_INFINITY;
  /** Time used by everything but blocks while some are due, less the time that blocks got since. */
  #debt = 0;
  /**
   * The part of the debt from before the first turn after a slice that repaid all: caused by the
   * event loop, not by a request.
   */
  #spared = 0;
  #isPaid = false;
  /** True if requests have arrived, or waited, since the last slice. */
  #hasRequests = false;
  /** The thread's busy time up to which everything is counted. */
  #counted: number;
  #posted = false;
  #closed = false;

  constructor(clocks = OWN_CLOCKS) {
    this.#clocks = clocks;
    this.#counted = clocks.busy();
  }

  /** Number of requests that wait for their turn. */
  get waiting(): number {
    return this.#waiting.length + this.#resumed.length;
  }

  /**
   * Resolves when it is a request's turn, also if its client has disconnected meanwhile. Rejects
   * with RESOURCE_EXHAUSTED if too many wait.
   */
  turn(gone?: () => boolean): Promise<void> {
    this.#hasRequests = true;
    if (this.waiting === 0 && this.#mayRun()) return TAKEN;
    if (this.waiting >= SERVER.waiting) {
      // Requests of disconnected clients stop waiting.
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
   * Resolves when a request that had its turn, and then waited for something, may continue:
   * otherwise many that waited for the same would all run at once. It precedes new requests, and is
   * never refused.
   */
  resume(): Promise<void> {
    this.#hasRequests = true;
    // Requests that waited for the same event all queue before any of them runs: none continues at
    // once.
    return new Promise((resolve) => {
      this.#resumed.push(resolve);
      this.#post();
    });
  }

  /** Records the milliseconds until blocks are due. */
  blocksIn(ms: number): void {
    this.#due = Math.min(this.#due, this.#clocks.now() + ms);
  }

  /** Starts a slice of blocks. Returns its maximum duration in ms. @param least minimum of that */
  beginSlice(least: number): number {
    this.#count();
    // The event loop's own work is not owed to blocks.
    if (!this.#hasRequests) this.#debt = 0;
    this.#hasRequests = this.waiting > 0;
    this.#due = Number.POSITIVE_INFINITY;
    // While no request waits, the next one is not delayed either.
    return this.waiting === 0 ? least : Math.min(Math.max(least, this.#debt), LONGEST_SLICE_MS);
  }

  endSlice(): void {
    const busy = this.#clocks.busy();
    // Blocks that are not due are owed nothing.
    this.#debt = this.#isDue ? Math.max(this.#debt - (busy - this.#counted), 0) : 0;
    this.#counted = busy;
    this.#isPaid = this.#debt < AHEAD_MS;
    this.#spared = 0;
    this.#post();
  }

  /** Releases all requests: no more blocks are made. */
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

  #mayRun(): boolean {
    if (this.#closed) return true;
    this.#count();
    if (this.#isPaid) this.#spared = this.#debt;
    // From the first turn on the time of requests counts, also before blocks are due.
    this.#isPaid = false;
    return !this.#isDue || this.#debt - this.#spared < AHEAD_MS;
  }

  #post(): void {
    if (this.#posted || this.waiting === 0) return;
    this.#posted = true;
    setImmediate(() => this.#grant(this.#clocks.now() + AT_ONCE_MS));
  }

  /**
   * Grants turns one at a time: the synchronous work of one is measured before the next is granted.
   */
  #grant(until: number): void {
    // While blocks are due, the end of their slice calls this again.
    const may = this.waiting > 0 && this.#mayRun();
    if (may) (this.#resumed.shift() ?? this.#waiting.shift()?.resolve)?.();
    if (may && this.#clocks.now() < until) {
      // Runs after all promise callbacks and earlier ticks.
      queueMicrotask(() => process.nextTick(() => this.#grant(until)));
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
