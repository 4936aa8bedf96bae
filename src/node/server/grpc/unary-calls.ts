/**
 * Unary calls of gRPC as most clients make them, answered on the stream itself: without the headers, signals and
 * iterators that the library makes for each call, one takes a fraction of the time.
 */
import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from "node:http2";
import type { Message } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  type Compression,
  compressionNegotiate,
  createMethodSerializationLookup,
  encodeEnvelope,
  envelopeCompress,
  type validateReadWriteMaxBytes,
} from "@connectrpc/connect/protocol";
import {
  contentTypeProto,
  grpcStatusOk,
  headerAcceptEncoding,
  setTrailerStatus,
} from "@connectrpc/connect/protocol-grpc";
import type { Answered, CallContext } from "../../../doors/services.ts";
import { HEIGHT_HEADER } from "../../../input/height-header.ts";
import type { Serve } from "../../../session/call.ts";
import { withPlainMessage } from "./plain-message.ts";
import type { RequestBytes } from "./request-bytes.ts";

/** A stream of HTTP/2 as a server is told of it. */
export type StreamCall = readonly [
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  flags: number,
  rawHeaders: readonly string[],
];

/** What answers the unary methods of a chain, and within which limits; how calls are read and written is not its part. */
export interface ServedMethods {
  readonly methods: readonly Answered[];
  /** How the one steers who sends these headers. */
  steerBy(headers: IncomingHttpHeaders): Serve;
  readonly limits: ReturnType<typeof validateReadWriteMaxBytes>;
  /** The first that a client takes is used. */
  readonly compressions: Compression[];
  readonly bytes: RequestBytes;
}

/** A message with its length, and nothing else. */
const PREFIX = 5;

/** Reads and writes the messages of a method. */
interface Method {
  parse(bytes: Uint8Array): Message;
  serialize(message: Message): Uint8Array;
  handle(request: Message, context: CallContext): Promise<Message>;
}

export class UnaryCalls {
  readonly #methods = new Map<string, Method>();
  readonly #served: ServedMethods;
  readonly #handOn: (call: StreamCall) => void;

  /** @param handOn answers every other call, and what is no call */
  constructor(served: ServedMethods, handOn: (call: StreamCall) => void) {
    this.#served = served;
    this.#handOn = handOn;
    for (const { method, handle } of served.methods) {
      const { getI, getO } = createMethodSerializationLookup(
        method,
        undefined,
        undefined,
        served.limits,
      );
      const path = `/${method.parent.typeName}/${method.name}`;
      const [input, output] = [getI(true), getO(true)];
      this.#methods.set(path, { parse: input.parse, serialize: output.serialize, handle });
    }
  }

  answer(call: StreamCall): void {
    const [stream, headers] = call;
    const method = isPlain(headers) ? this.#methods.get(headers[":path"] ?? "") : undefined;
    if (method === undefined) this.#handOn(call);
    else this.#read(call, (message) => this.#respond(stream, headers, method, message));
  }

  /** Reads the one message of a call. A request that is anything else is handed on with what was read of it. */
  #read(call: StreamCall, then: (message: Uint8Array) => void): void {
    const [stream] = call;
    const { bytes } = this.#served;
    const held = bytes.of(stream);
    const chunks: Buffer[] = [];
    const done = (): void => {
      stream.off("readable", readOn);
      stream.off("end", end);
    };
    const handOn = (ended: boolean): void => {
      done();
      held.release();
      bytes.begun(stream, { chunks, ended });
      this.#handOn(call);
    };
    const readOn = (): void => {
      const chunk: Buffer | null = stream.read();
      if (chunk === null) return;
      chunks.push(chunk);
      if (chunks.length > 1 || !isMessage(chunk) || !held.take(chunk.length)) handOn(false);
    };
    const end = (): void => {
      const [message] = chunks;
      done();
      if (message === undefined) handOn(true);
      else then(message.subarray(PREFIX));
    };
    stream.on("readable", readOn);
    stream.on("end", end);
    // Who has gone is told nothing.
    stream.on("error", () => {});
  }

  async #respond(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    method: Method,
    message: Uint8Array,
  ): Promise<void> {
    const { compressions, limits, steerBy } = this.#served;
    const { response: compression } = compressionNegotiate(
      compressions,
      null,
      textOf(headers["grpc-accept-encoding"]) ?? null,
      headerAcceptEncoding,
    );
    const header: OutgoingHttpHeaders = { ":status": 200, "content-type": contentTypeProto };
    if (compression) header["grpc-encoding"] = compression.name;
    let body: Uint8Array | undefined;
    let trailer: OutgoingHttpHeaders = { "grpc-status": grpcStatusOk };
    try {
      const answer = await method.handle(method.parse(message), {
        height: textOf(headers[HEIGHT_HEADER]),
        steer: steerBy(headers),
        answeredFor: (height) => {
          header[HEIGHT_HEADER] = String(height);
        },
        gone: () => stream.destroyed,
      });
      const data = method.serialize(answer);
      const envelope = await envelopeCompress(
        { flags: 0, data },
        compression,
        limits.compressMinBytes,
      );
      body = encodeEnvelope(envelope.flags, envelope.data);
    } catch (error) {
      trailer = errorTrailer(error);
    }
    if (stream.destroyed || stream.closed) return;
    stream.once("wantTrailers", () => stream.sendTrailers(trailer));
    stream.respond(header, { waitForTrailers: true });
    stream.end(body);
  }
}

/** Whether a call is one that says nothing of itself that is not usual. */
const isPlain = (headers: IncomingHttpHeaders): boolean =>
  headers[":method"] === "POST" &&
  TYPES.includes(headers["content-type"]) &&
  headers["grpc-timeout"] === undefined &&
  headers.expect === undefined &&
  ENCODINGS.includes(headers["grpc-encoding"]);

const TYPES: readonly unknown[] = ["application/grpc", contentTypeProto];
const ENCODINGS: readonly unknown[] = [undefined, "identity"];

/** Whether bytes are a message, not compressed, to its end. */
const isMessage = (bytes: Buffer): boolean =>
  bytes.length >= PREFIX && bytes[0] === 0 && bytes.readUInt32BE(1) === bytes.length - PREFIX;

const textOf = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === "object" ? value.join(", ") : value;

const errorTrailer = (error: unknown): OutgoingHttpHeaders => {
  const told =
    error instanceof ConnectError ? error : new ConnectError("internal error", Code.Internal);
  return withPlainMessage(Object.fromEntries(setTrailerStatus(new Headers(), told)));
};
