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
export class HeldBytes {
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
  get taken(): number {
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
    take(bytes: number): boolean;
    give(bytes: number): void;
    release(): void;
  } {
    let own = 0;
    const isBounded = share < 1;
    const give = (bytes: number): void => {
      const given = Math.min(bytes, own);
      own -= given;
      if (isBounded) this.#bounded -= given;
      Atomics.sub(this.#all, this.#own, given);
    };
    const release = (): void => give(own);
    response.once("close", release);
    return {
      take: (bytes) => {
        own += bytes;
        Atomics.add(this.#all, this.#own, bytes);
        if (isBounded) this.#bounded += bytes;
        const fits = !isBounded || this.#bounded <= SERVER.requestBytes * share;
        return fits && this.taken <= SERVER.requestBytes;
      },
      give,
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
  readonly #held: ReturnType<HeldBytes["of"]>;
  readonly #most: () => number;
  /** Bytes since the last complete message. */
  #unfinished = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param most maximum bytes of its next message */
  constructor(socket: WebSocket, stream: Duplex, bytes: HeldBytes, most: () => number) {
    this.#socket = socket;
    this.#held = bytes.of(socket, OF_SOCKETS);
    this.#most = most;
    // Before the library reads them.
    stream.prependListener("data", (part: Buffer) => this.#came(part.length));
    for (const kind of ["ping", "pong"]) socket.on(kind, ({ length }) => this.#control(length));
    socket.once("close", () => this.#stopTimer());
  }

  /** Handles a control frame. */
  #control(length: number): void {
    const bytes = Math.min(length + FRAME_BYTES, this.#unfinished);
    this.#unfinished -= bytes;
    this.#held.give(bytes);
    if (this.#unfinished === 0) this.#stopTimer();
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #came(bytes: number): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#unfinished += bytes;
    this.#timer ??= setTimeout(
      () => this.letGo(POLICY_VIOLATION, `expected a whole message in ${SERVER.requestMs} ms`),
      SERVER.requestMs,
    );
    if (this.#unfinished > this.#most() + PART_BYTES) this.#tooBig();
    else if (!this.#held.take(bytes)) this.letGo(TRY_AGAIN_LATER, HeldBytes.TOO_MANY);
  }

  /**
   * Records a complete message. Returns a function that releases its bytes; undefined if it is too
   * long and its sender was disconnected.
   */
  whole(length: number): (() => void) | undefined {
    this.#stopTimer();
    const bytes = this.#unfinished;
    this.#unfinished = 0;
    if (length <= this.#most()) return () => this.#held.give(bytes);
    this.#tooBig();
    return undefined;
  }

  #tooBig(): void {
    this.letGo(TOO_BIG, `expected a message of at most ${this.#most()} bytes`);
  }

  /** Stops reading, and closes the connection with a reason. */
  letGo(code: number, reason: string): void {
    const socket = this.#socket;
    if (socket.readyState !== socket.OPEN) return;
    socket.pause();
    socket.close(code, reason);
    setTimeout(() => socket.terminate(), LAST_WORD_MS).unref();
  }
}
