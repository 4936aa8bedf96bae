/** Streamed answers, requested part by part: with requests as data, no connection can stay open. */
import { STATUS, StatusError } from "../engine/framework/errors.ts";
import type { HttpAnswer, HttpRequest } from "./http.ts";

/** Timeout after which the answer is that there is no part yet, in ms. */
const PART_MS = 5_000;
/** A stream without requests for this long, in ms, has no reader any more. */
const UNREAD_MS = 60_000;

interface Open {
  readonly parts: AsyncIterator<Uint8Array>;
  readonly ended: AbortController;
  /** The pending part. */
  next: Promise<IteratorResult<Uint8Array>> | undefined;
  unread: number | undefined;
}

type Part = Pick<HttpAnswer, "body" | "more">;

const NOTHING = new Uint8Array();
const END: Part = { body: NOTHING };

export class OpenStreams {
  readonly #open = new Map<string, Open>();
  #count = 0;

  /** The first part of an answer. Ends when it is aborted. */
  open(parts: AsyncIterable<Uint8Array>, ended: AbortController): Promise<Part> {
    this.#count += 1;
    const id = `stream ${this.#count}`;
    const stream = {
      parts: parts[Symbol.asyncIterator](),
      ended,
      next: undefined,
      unread: undefined,
    };
    this.#open.set(id, stream);
    return this.#part(id, stream);
  }

  /**
   * The next part of an answer, or its end. Rejects with a StatusError for a stream that is not
   * open.
   */
  async next({ method, path: id }: HttpRequest): Promise<HttpAnswer> {
    const stream = this.#open.get(id);
    if (stream === undefined) throw new StatusError(STATUS.notFound, "no such answer goes on");
    clearTimeout(stream.unread);
    if (method === "DELETE") this.#end(id, stream);
    const part = method === "DELETE" ? END : await this.#part(id, stream);
    return { status: 200, headers: {}, ...part };
  }

  async #part(id: string, stream: Open): Promise<Part> {
    stream.next ??= stream.parts.next();
    let timer: number | undefined;
    const none = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, PART_MS, undefined);
    });
    try {
      const found = await Promise.race([stream.next, none]);
      if (found?.done) {
        this.#end(id, stream);
        return END;
      }
      if (found !== undefined) stream.next = undefined;
      stream.unread = setTimeout(() => this.#end(id, stream), UNREAD_MS);
      return { body: found?.value ?? NOTHING, more: id };
    } catch (error) {
      this.#end(id, stream);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #end(id: string, stream: Open): void {
    this.#open.delete(id);
    clearTimeout(stream.unread);
    stream.ended.abort();
    stream.parts.return?.().catch(() => {});
  }
}
