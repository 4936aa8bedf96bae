import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { SERVER } from "../../base/limits.ts";

/** Indexes of each thread's counter. */
const CHAIN = 0;
const FRONT = 1;
/** More than a message that arrives in one chunk with others. */
const PART_BYTES = 65_536;
/** Bytes of a short client frame's head and mask. */
const FRAME_BYTES = 6;
/** Share of all bytes that WebSocket messages may use, which leaves room for other requests. */
const OF_SOCKETS = 0.5;
/** Time in ms for a disconnected client to read the reason. */
const LAST_WORD_MS = 1_000;

const TOO_BIG = 1009;
const TRY_AGAIN_LATER = 1013;
const POLICY_VIOLATION = 1008;

/**
 * Counts the bytes of a node's unanswered requests, in all of its servers and threads; or of
 * answers that are not sent yet.
 */
export class ByteBudget {
  static readonly TOO_MANY =
    `requests that are not answered yet have more than ${SERVER.requestBytes} bytes; ask again later`;
  static readonly TOO_MANY_ANSWERS =
    `answers of batches that are not sent yet have more than ${SERVER.requestBytes} bytes; ask again later, or for less`;
  readonly #all: Int32Array;
  readonly #own: number;
  /** Bytes of the requests that are limited to a share. */
  #bounded = 0;

  /** @param shared counters of another thread, if this one serves gRPC for it */
  constructor(shared?: Int32Array) {
    this.#all = shared ?? new Int32Array(new SharedArrayBuffer(8));
    this.#own = shared ? FRONT : CHAIN;
  }

  /** Counters that include the gRPC thread, from its start. */
  forFront(): Int32Array {
    Atomics.store(this.#all, FRONT, 0);
    return this.#all;
  }

  /** Bytes of all unanswered requests. */
  get reserved(): number {
    return Atomics.load(this.#all, CHAIN) + Atomics.load(this.#all, FRONT);
  }

  /**
   * Counts the bytes of one request until its answer ends. `take` returns false if the total is too
   * high.
   * @param share of all bytes that requests with less than the full share may use together
   */
  of(
    response: { once(event: "close", listener: () => void): unknown },
    share = 1,
  ): {
    reserve(bytes: number): boolean;
    free(bytes: number): void;
    release(): void;
  } {
    let own = 0;
    const isBounded = share < 1;
    const give = (bytes: number): void => {
      const input = Math.min(bytes, own);
      own -= input;
      if (isBounded) this.#bounded -= input;
      Atomics.sub(this.#all, this.#own, input);
    };
    const release = (): void => give(own);
    response.once("close", release);
    return {
      reserve: (bytes) => {
        own += bytes;
        Atomics.add(this.#all, this.#own, bytes);
        if (isBounded) this.#bounded += bytes;
        const fits = !isBounded || this.#bounded <= SERVER.requestBytes * share;
        return fits && this.reserved <= SERVER.requestBytes;
      },
      free: give,
      release,
    };
  }
}

/**
 * Counts the bytes from a WebSocket, including incomplete messages, and disconnects clients that
 * send too much.
 */
export class SocketBytes {
  readonly #socket: WebSocket;
  readonly #budget: ReturnType<ByteBudget["of"]>;
  readonly #most: () => number;
  /** Bytes since the last complete message. */
  #incomplete = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param most maximum bytes of its next message */
  constructor(socket: WebSocket, stream: Duplex, bytes: ByteBudget, most: () => number) {
    this.#socket = socket;
    this.#budget = bytes.of(socket, OF_SOCKETS);
    this.#most = most;
    // Before the library reads them.
    stream.prependListener("data", (part: Buffer) => this.#received(part.length));
    for (const kind of ["ping", "pong"]) socket.on(kind, ({ length }) => this.#control(length));
    socket.once("close", () => this.#stopTimer());
  }

  /** Handles a control frame. */
  #control(length: number): void {
    const bytes = Math.min(length + FRAME_BYTES, this.#incomplete);
    this.#incomplete -= bytes;
    this.#budget.free(bytes);
    if (this.#incomplete === 0) this.#stopTimer();
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #received(bytes: number): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#incomplete += bytes;
    this.#timer ??= setTimeout(
      () => this.disconnect(POLICY_VIOLATION, `expected a whole message in ${SERVER.requestMs} ms`),
      SERVER.requestMs,
    );
    if (this.#incomplete > this.#most() + PART_BYTES) this.#tooBig();
    else if (!this.#budget.reserve(bytes)) this.disconnect(TRY_AGAIN_LATER, ByteBudget.TOO_MANY);
  }

  /**
   * Records a complete message. Returns a function that releases its bytes; undefined if it is too
   * long and its sender was disconnected.
   */
  complete(length: number): (() => void) | undefined {
    this.#stopTimer();
    const bytes = this.#incomplete;
    this.#incomplete = 0;
    if (length <= this.#most()) return () => this.#budget.free(bytes);
    this.#tooBig();
    return undefined;
  }

  #tooBig(): void {
    this.disconnect(TOO_BIG, `expected a message of at most ${this.#most()} bytes`);
  }

  /** Stops reading, and closes the connection with a reason. */
  disconnect(code: number, reason: string): void {
    const socket = this.#socket;
    if (socket.readyState !== socket.OPEN) return;
    socket.pause();
    socket.close(code, reason);
    setTimeout(() => socket.terminate(), LAST_WORD_MS).unref();
  }
}
