import { SERVER } from "../../input/limits.ts";

/** Counts the bytes of the requests that a server has taken and not answered. */
export class HeldBytes {
  static readonly TOO_MANY =
    `requests that are not answered yet have more than ${SERVER.requestBytes} bytes; ask again later`;
  #all = 0;

  /** Counts those of one request until its answer ends. `take` returns false where there are too many of all. */
  of(response: { once(event: "close", listener: () => void): unknown }): {
    take(bytes: number): boolean;
    release(): void;
  } {
    let own = 0;
    const release = (): void => {
      this.#all -= own;
      own = 0;
    };
    response.once("close", release);
    return {
      take: (bytes) => {
        own += bytes;
        this.#all += bytes;
        return this.#all <= SERVER.requestBytes;
      },
      release,
    };
  }
}
