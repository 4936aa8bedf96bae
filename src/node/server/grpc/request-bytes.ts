import { Code, ConnectError } from "@connectrpc/connect";
import type { connectNodeAdapter } from "@connectrpc/connect-node";
import { HeldBytes } from "../held-bytes.ts";

type Call = Parameters<ReturnType<typeof connectNodeAdapter>>;

/**
 * Limits the bytes of the requests that a server has taken and not answered: each of them is small enough, and there
 * may be very many.
 */
export class RequestBytes {
  readonly #held = new HeldBytes();

  /** Counts what is read of a request until its answer ends; reading rejects with a ConnectError where it is too much. */
  count(...[request, response]: Call): void {
    const read = request.iterator.bind(request, { destroyOnReturn: false });
    const { take, release } = this.#held.of(response, () => {
      throw new ConnectError(HeldBytes.TOO_MANY, Code.ResourceExhausted);
    });
    request[Symbol.asyncIterator] = async function* () {
      let isWhole = false;
      try {
        for await (const chunk of read()) {
          take(chunk.length);
          yield chunk;
        }
        isWhole = true;
      } finally {
        if (!isWhole) {
          release();
          // What still comes is dropped: it would hold up other calls of its connection.
          request.resume();
        }
      }
    };
  }
}
