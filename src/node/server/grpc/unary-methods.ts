import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http2";
import type { Message } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { createMethodSerializationLookup } from "@connectrpc/connect/protocol";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { HEIGHT_HEADER } from "../../../base/height-header.ts";
import { StatusError } from "../../../engine/framework/errors.ts";
import type { Answered } from "../../../server/services.ts";
import type { Serve } from "../../../session/call.ts";
import { LIMITS } from "./limits.ts";
import { withPlainMessage } from "./plain-message.ts";
import { textOf, type UnaryAnswer, type UnaryCall } from "./unary-calls.ts";

/** Decodes and encodes the messages of a method. */
interface Method extends Pick<Answered, "handle"> {
  parse(bytes: Uint8Array): Message;
  serialize(message: Message): Uint8Array;
}

/** Returns the handler for a client with these headers and address. */
type ControlBy = (headers: IncomingHttpHeaders, address: string | undefined) => Serve;

type Admit = (headers: IncomingHttpHeaders, gone: () => boolean) => Promise<void>;

/** Answers the unary methods of a chain in bytes. */
export class UnaryMethods {
  readonly #methods = new Map<string, Method>();
  readonly #controlBy: ControlBy;
  readonly #admit: Admit;

  /**
   * @param steerBy returns the handler of a client with these headers
   * @param admit resolves when it is a call's turn; rejects with a StatusError if it gets none
   */
  constructor(methods: readonly Answered[], controlBy: ControlBy, admit: Admit) {
    this.#controlBy = controlBy;
    this.#admit = admit;
    for (const { method, handle } of methods) {
      const { getI, getO } = createMethodSerializationLookup(method, undefined, undefined, LIMITS);
      const path = `/${method.parent.typeName}/${method.name}`;
      const [input, output] = [getI(true), getO(true)];
      this.#methods.set(path, { parse: input.parse, serialize: output.serialize, handle });
    }
  }

  get paths(): ReadonlySet<string> {
    return new Set(this.#methods.keys());
  }

  /** @param gone returns true once the client has disconnected */
  async answer(
    { path, message, headers, address }: UnaryCall,
    gone: () => boolean,
  ): Promise<UnaryAnswer> {
    let about: { height?: number } = {};
    try {
      const method = this.#methods.get(path);
      if (method === undefined) throw new Error(`there is no ${path}`);
      await this.#admit(headers, gone);
      const answer = await method.handle(method.parse(message), {
        height: textOf(headers[HEIGHT_HEADER]),
        control: this.#controlBy(headers, address),
        gone,
        answeredFor: (height) => {
          about = { height };
        },
      });
      return { message: method.serialize(answer), ...about };
    } catch (error) {
      return { trailers: errorTrailers(error), ...about };
    }
  }
}

const errorTrailers = (error: unknown): OutgoingHttpHeaders => {
  const status =
    error instanceof ConnectError
      ? error
      : error instanceof StatusError
        ? new ConnectError(error.message, error.code)
        : new ConnectError("internal error", Code.Internal);
  return withPlainMessage(Object.fromEntries(setTrailerStatus(new Headers(), status)));
};
