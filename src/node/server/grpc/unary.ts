/**
 * Queries over HTTP/2 without the library's streams, which cost several times what a query does: the chain's blocks
 * come from the same thread. All else is the library's.
 */
import {
  constants,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Stream,
} from "node:http2";
import { type DescMethodUnary, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import type { AskedChain } from "../../../doors/asked-chain.ts";
import { connectError } from "../../../doors/errors.ts";
import type { Query } from "../../../doors/services.ts";
import { errorText } from "../../../input/error-text.ts";
import { SERVER } from "../../../input/limits.ts";
import { withPlainMessage } from "./plain-message.ts";

/** Flags and length before a message. */
const PREFIX = 5;
const TYPE = /^application\/grpc(\+proto)?$/;

/** Answers a request if it is one for one of the queries, whole and not compressed; else returns false. */
export function answerUnary(
  queries: ReadonlyMap<string, Query>,
  chain: AskedChain,
  request: Http2ServerRequest,
  response: Http2ServerResponse,
): boolean {
  const { stream } = response;
  const { headers, url, method: verb } = request;
  const query = queries.get(url);
  const isPlain = (headers["grpc-encoding"] ?? "identity") === "identity";
  const isOurs = verb === "POST" && isPlain && TYPE.test(headers["content-type"] ?? "");
  if (query === undefined || !isOurs) return false;
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= SERVER.callBytes + PREFIX) chunks.push(chunk);
    else if (!stream.headersSent) {
      const most = `message is larger than ${SERVER.callBytes} bytes`;
      refuse(stream, new ConnectError(most, Code.ResourceExhausted));
    }
  });
  stream.once("end", () => {
    if (!stream.headersSent) void answer(response, query, chain, request, Buffer.concat(chunks));
  });
  stream.setTimeout(SERVER.requestMs, () => stream.close(constants.NGHTTP2_CANCEL));
  // The client has gone: its stream is closed, and the answer is not waited for.
  stream.on("error", () => {});
  return true;
}

async function answer(
  response: Http2ServerResponse,
  { method, handle }: Query,
  chain: AskedChain,
  { headers }: Http2ServerRequest,
  body: Buffer,
): Promise<void> {
  const { stream } = response;
  try {
    const message = messageIn(method, body);
    const responseHeader = new Headers();
    const given = Object.entries(headers).filter(([name]) => !name.startsWith(":"));
    const requestHeader = new Headers(given.map(([name, value]) => [name, String(value)]));
    const content = toBinary(
      method.output,
      await handle(message, { requestHeader, responseHeader }),
    );
    if (stream.destroyed) return;
    const frame = Buffer.allocUnsafe(PREFIX + content.length);
    frame.writeUInt8(0);
    frame.writeUInt32BE(content.length, 1);
    frame.set(content, PREFIX);
    response.writeHead(200, { ...TYPE_HEADER, ...Object.fromEntries(responseHeader) });
    response.addTrailers({ "grpc-status": "0" });
    response.end(frame);
  } catch (error) {
    if (!stream.destroyed) refuse(stream, connectError(error, chain));
  }
}

const TYPE_HEADER = { "content-type": "application/grpc+proto" };

/** Status and end are one frame: an answer without a message ends with its headers. */
function refuse(stream: ServerHttp2Stream, error: ConnectError): void {
  const trailers = new Headers();
  setTrailerStatus(trailers, error);
  stream.respond(
    { ":status": 200, ...TYPE_HEADER, ...withPlainMessage(Object.fromEntries(trailers)) },
    { endStream: true },
  );
  stream.resume();
}

/** The one message of a request. Throws a ConnectError. */
function messageIn({ input }: DescMethodUnary, body: Buffer): Message {
  const isWhole = body.length >= PREFIX && body.readUInt32BE(1) === body.length - PREFIX;
  if (!isWhole || body[0] !== 0) {
    throw new ConnectError("expected one message, not compressed", Code.InvalidArgument);
  }
  try {
    return fromBinary(input, body.subarray(PREFIX));
  } catch (error) {
    throw new ConnectError(`parse binary: ${errorText(error)}`, Code.Internal);
  }
}
