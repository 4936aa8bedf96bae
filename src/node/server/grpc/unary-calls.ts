/**
 * A fast path for usual unary gRPC calls, which are read and answered on the stream itself: without
 * the headers, signals and iterators that the library creates for each call, one takes a fraction
 * of the time.
 */
import {
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import {
  compressionNegotiate,
  encodeEnvelope,
  envelopeCompress,
} from "@connectrpc/connect/protocol";
import {
  contentTypeProto,
  grpcStatusOk,
  headerAcceptEncoding,
} from "@connectrpc/connect/protocol-grpc";
import { HEIGHT_HEADER } from "../../../base/height-header.ts";
import { reportBug } from "../log.ts";
import { COMPRESSIONS, LIMITS } from "./limits.ts";
import type { RequestBytes } from "./request-bytes.ts";

/** A stream of HTTP/2 as received by a server. */
export type StreamCall = readonly [
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  flags: number,
  rawHeaders: readonly string[],
];

/** A call, as forwarded to the chain. */
export interface UnaryCall {
  readonly path: string;
  readonly message: Uint8Array;
  /** Address of the client. */
  readonly address?: string | undefined;
  /** Headers that may affect the answer. */
  readonly headers: Pick<
    IncomingHttpHeaders,
    "authorization" | "host" | "origin" | typeof HEIGHT_HEADER
  >;
}

/** A chain's answer: a message, or the trailers with the error. */
export interface UnaryAnswer {
  readonly message?: Uint8Array;
  readonly trailers?: OutgoingHttpHeaders;
  /** The height of the answer. */
  readonly height?: number;
}

/** Handlers of calls. */
interface Answering {
  /** True if such a unary method exists. */
  has(path: string): boolean;
  /** @param stream closed when its client has disconnected */
  forward(call: UnaryCall, stream: ServerHttp2Stream): Promise<UnaryAnswer>;
  /** Bytes of the unanswered calls. */
  readonly bytes: RequestBytes;
  /** Handles every other call, and invalid ones. */
  handOn(call: StreamCall): void;
}

/** A message with its length, and nothing else. */
const PREFIX = 5;

export class UnaryCalls {
  readonly #answering: Answering;

  constructor(answering: Answering) {
    this.#answering = answering;
  }

  answer(call: StreamCall): void {
    const [, headers] = call;
    const path = headers[":path"] ?? "";
    if (OTHER_CODEC.test(headers["content-type"] ?? "")) headers["content-type"] = contentTypeProto;
    if (isPlain(headers) && this.#answering.has(path))
      this.#read(call, (message) =>
        this.#respond(call, {
          path,
          message,
          address: addressOf(call[0]),
          headers: forwarded(headers),
        }),
      );
    else this.#answering.handOn(call);
  }

  /**
   * Reads the only message of a call. Any other request is passed on with the bytes already read.
   */
  #read(call: StreamCall, then: (message: Uint8Array) => Promise<void>): void {
    const [stream] = call;
    const { bytes } = this.#answering;
    let answered = Promise.resolve();
    // A cancelled call is still pending at the chain, and counts until it is answered there.
    const held = bytes.of({
      once: (event, release) => stream.once(event, () => void answered.then(release, release)),
    });
    const chunks: Buffer[] = [];
    const done = (): void => {
      stream.off("readable", readOn);
      stream.off("end", end);
    };
    const handOn = (ended: boolean): void => {
      done();
      held.release();
      bytes.prepend(stream, { chunks, ended });
      this.#answering.handOn(call);
    };
    const readOn = (): void => {
      const chunk: Buffer | null = stream.read();
      if (chunk === null) return;
      chunks.push(chunk);
      if (chunks.length > 1 || !isMessage(chunk) || !held.reserve(chunk.length)) handOn(false);
    };
    const end = (): void => {
      const [message] = chunks;
      done();
      // A view of a larger buffer would be sent with all of it.
      if (message === undefined) handOn(true);
      else
        answered = then(new Uint8Array(message.subarray(PREFIX))).catch((error) => {
          reportBug(error);
          stream.close(constants.NGHTTP2_INTERNAL_ERROR);
        });
    };
    stream.on("readable", readOn);
    stream.on("end", end);
    // A disconnected client is sent nothing.
    stream.on("error", () => {});
  }

  async #respond([stream, headers]: StreamCall, call: UnaryCall): Promise<void> {
    const { message, trailers = DONE, height } = await this.#answering.forward(call, stream);
    const { response: compression } = compressionNegotiate(
      COMPRESSIONS,
      null,
      textOf(headers["grpc-accept-encoding"]) ?? null,
      headerAcceptEncoding,
    );
    const envelope =
      message &&
      (await envelopeCompress({ flags: 0, data: message }, compression, LIMITS.compressMinBytes));
    if (stream.destroyed || stream.closed) return;
    stream.once("wantTrailers", () => stream.sendTrailers(trailers));
    stream.respond(
      {
        ":status": 200,
        "content-type": contentTypeProto,
        ...(compression && { "grpc-encoding": compression.name }),
        ...(height !== undefined && { [HEIGHT_HEADER]: String(height) }),
      },
      { waitForTrailers: true },
    );
    stream.end(envelope && encodeEnvelope(envelope.flags, envelope.data));
  }
}

/** Client address of a stream. */
export const addressOf = ({ session }: ServerHttp2Stream): string | undefined =>
  session?.socket?.remoteAddress;

const DONE: OutgoingHttpHeaders = { "grpc-status": grpcStatusOk };

const forwarded = (headers: IncomingHttpHeaders): UnaryCall["headers"] => ({
  authorization: headers.authorization,
  host: headers.host,
  origin: headers.origin,
  [HEIGHT_HEADER]: headers[HEIGHT_HEADER],
});

/** True if a call has only the usual headers. */
const isPlain = (headers: IncomingHttpHeaders): boolean =>
  headers[":method"] === "POST" &&
  TYPES.includes(headers["content-type"]) &&
  headers["grpc-timeout"] === undefined &&
  headers.expect === undefined &&
  ENCODINGS.includes(headers["grpc-encoding"]);

/** A codec of any name but JSON, which is read as protobuf (rules/clients 5.5). */
const OTHER_CODEC = /^application\/grpc(?!\+json\b|\+proto$)[+;]/i;
const TYPES: readonly unknown[] = ["application/grpc", contentTypeProto];
const ENCODINGS: readonly unknown[] = [undefined, "identity"];

/** True if bytes are exactly one message, uncompressed. */
const isMessage = (bytes: Buffer): boolean =>
  bytes.length >= PREFIX && bytes[0] === 0 && bytes.readUInt32BE(1) === bytes.length - PREFIX;

export const textOf = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === "object" ? value.join(", ") : value;
