import { Code, ConnectError } from "@connectrpc/connect";
import type { connectNodeAdapter } from "@connectrpc/connect-node";
import { SERVER } from "../../../input/limits.ts";

type Call = Parameters<ReturnType<typeof connectNodeAdapter>>;

/**
 * Limits the bytes of the requests that a server has taken and not answered: each of them is small enough, and there
 * may be very many.
 */
export class RequestBytes {
  #held = 0;

  /** Counts what is read of a request until its answer ends; reading rejects with a ConnectError where it is too much. */
  count(...[request, response]: Call): void {
    const read = request.iterator.bind(request, { destroyOnReturn: false });
    let own = 0;
    const take = (bytes: number): void => {
      own += bytes;
      this.#held += bytes;
      if (this.#held > SERVER.requestBytes)
        throw new ConnectError(TOO_MANY, Code.ResourceExhausted);
    };
    const release = (): void => {
      this.#held -= own;
      own = 0;
    };
    response.once("close", release);
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

const TOO_MANY = `requests that are not answered yet have more than ${SERVER.requestBytes} bytes; ask again later`;
