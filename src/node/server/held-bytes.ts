import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { SERVER } from "../../input/limits.ts";

/** Places of each thread's count. */
const CHAIN = 0;
const FRONT = 1;
/** More than a message that comes in one part with others. */
const PART_BYTES = 65_536;
/** Of a frame of a client that is short: its head and its mask. */
const FRAME_BYTES = 6;
/** The share of all bytes that messages of WebSockets may take, so that other requests find room beside them. */
const OF_SOCKETS = 0.5;
/** Milliseconds that one who is let go has to read why. */
const LAST_WORD_MS = 1_000;

const TOO_BIG = 1009;
const TRY_AGAIN_LATER = 1013;
const POLICY_VIOLATION = 1008;

/** Counts the bytes of the requests that a node has taken and not answered, in all of its servers and threads. */
export class HeldBytes {
  static readonly TOO_MANY =
    `requests that are not answered yet have more than ${SERVER.requestBytes} bytes; ask again later`;
  readonly #all: Int32Array;
  readonly #own: number;
  /** Bytes of those that may take a share alone. */
  #bounded = 0;

  /** @param shared what another thread counts by, where this one serves gRPC for it */
  constructor(shared?: Int32Array) {
    this.#all = shared ?? new Int32Array(new SharedArrayBuffer(8));
    this.#own = shared ? FRONT : CHAIN;
  }

  /** Counts by which the thread that serves gRPC takes part, from the moment that it begins. */
  forFront(): Int32Array {
    Atomics.store(this.#all, FRONT, 0);
    return this.#all;
  }

  /** Bytes of all requests that are not answered. */
  get taken(): number {
    return Atomics.load(this.#all, CHAIN) + Atomics.load(this.#all, FRONT);
  }

  /**
   * Counts those of one request until its answer ends. `take` returns false where there are too many of all.
   * @param share of all bytes that those with less than all may take together
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

/** Counts what comes through a WebSocket, also of a message that is not whole yet, and lets go of one who sends too much. */
export class SocketBytes {
  readonly #socket: WebSocket;
  readonly #held: ReturnType<HeldBytes["of"]>;
  readonly #most: () => number;
  /** Bytes since the last whole message. */
  #unfinished = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param most bytes of its next message */
  constructor(socket: WebSocket, stream: Duplex, bytes: HeldBytes, most: () => number) {
    this.#socket = socket;
    this.#held = bytes.of(socket, OF_SOCKETS);
    this.#most = most;
    // Before the library has read it.
    stream.prependListener("data", (part: Buffer) => this.#came(part.length));
    for (const kind of ["ping", "pong"]) socket.on(kind, ({ length }) => this.#control(length));
    socket.once("close", () => this.#stopTimer());
  }

  /** A frame that is no part of a message. */
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

  /** Notes that a message is whole. Returns what gives its bytes back; undefined if it is too long, and its sender let go. */
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

  /** Reads nothing more of it, and ends it with a reason. */
  letGo(code: number, reason: string): void {
    const socket = this.#socket;
    if (socket.readyState !== socket.OPEN) return;
    socket.pause();
    socket.close(code, reason);
    setTimeout(() => socket.terminate(), LAST_WORD_MS).unref();
  }
}
