import { SERVER } from "../../input/limits.ts";

/** Counts the bytes of the requests that a server has taken and not answered. */
export class HeldBytes {
  static readonly TOO_MANY =
    `requests that are not answered yet have more than ${SERVER.requestBytes} bytes; ask again later`;
  #all = 0;

  /** Counts those of one request until its answer ends. @param refuse called where there are too many of all */
  of(
    response: { once(event: "close", listener: () => void): unknown },
    refuse: () => never,
  ): { take(bytes: number): void; release(): void } {
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
        if (this.#all > SERVER.requestBytes) refuse();
      },
      release,
    };
  }
}
