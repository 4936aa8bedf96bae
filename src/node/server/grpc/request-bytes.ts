import { Code, ConnectError } from "@connectrpc/connect";
import type { connectNodeAdapter } from "@connectrpc/connect-node";
import { errorText } from "../../../base/error-text.ts";
import { ByteBudget } from "../byte-budget.ts";

type Call = Parameters<ReturnType<typeof connectNodeAdapter>>;

/** Chunks read from a stream, and whether it has ended. */
interface ReadChunks {
  readonly chunks: readonly Buffer[];
  readonly ended: boolean;
}

/**
 * Limits the bytes of unanswered requests, and makes each wait for its turn if the chain's own
 * thread reads it.
 */
export class RequestBytes {
  readonly #budget: ByteBudget;
  /** Resolves when it is a request's turn; rejects if too many wait. */
  readonly #turn: (gone: () => boolean) => Promise<void>;
  readonly #chunks = new WeakMap<object, ReadChunks>();

  constructor(held: ByteBudget, turn: (gone: () => boolean) => Promise<void> = async () => {}) {
    this.#budget = held;
    this.#turn = turn;
  }

  /** Counts the bytes of one request until its answer ends. */
  of(response: Parameters<ByteBudget["of"]>[0]): ReturnType<ByteBudget["of"]> {
    return this.#budget.of(response);
  }

  /** Prepends the chunks that were already read from a stream to its request. */
  prepend(stream: object, chunks: ReadChunks): void {
    this.#chunks.set(stream, chunks);
  }

  /**
   * Counts the bytes of a request until its answer ends; reading rejects with a ConnectError above
   * the limit.
   */
  count(...[request, response]: Call): void {
    const rest = request.iterator.bind(request, { destroyOnReturn: false });
    const held = this.#budget.of(response);
    const { chunks, ended } = ("stream" in request && this.#chunks.get(request.stream)) || NOTHING;
    const read = async function* (): AsyncGenerator<Buffer> {
      yield* chunks;
      if (!ended) yield* rest();
    };
    const turn = async (): Promise<void> => {
      try {
        await this.#turn(() => response.destroyed);
      } catch (error) {
        throw new ConnectError(errorText(error), Code.ResourceExhausted);
      }
    };
    request[Symbol.asyncIterator] = async function* () {
      let isWhole = false;
      try {
        for await (const chunk of read()) {
          if (!held.reserve(chunk.length)) {
            throw new ConnectError(ByteBudget.TOO_MANY, Code.ResourceExhausted);
          }
          await turn();
          yield chunk;
        }
        isWhole = true;
      } finally {
        if (!isWhole) {
          held.release();
          // The rest of the request is discarded: it would block other calls on its connection.
          request.resume();
        }
      }
    };
  }
}

const NOTHING: ReadChunks = { chunks: [], ended: false };
