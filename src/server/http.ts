/** A request and its answer as plain data, which both sockets and ports can send. */
import { Code } from "@connectrpc/connect";
import { STATUS, StatusError } from "../engine/framework/errors.ts";
import { restText } from "../view/rest.ts";

export interface HttpRequest {
  readonly method: string;
  /**
   * With its parameters, relative to the page's or the server's folder:
   * `/chain/bank/v1beta1/params`.
   */
  readonly path: string;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Returns true once the client has disconnected; absent if that is unknown. */
  readonly gone?: (() => boolean) | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /**
   * Id of the rest of a streamed answer: used as the path it requests the next part, with DELETE it
   * ends the stream.
   */
  readonly more?: string;
}

export const textAnswer = (
  status: number,
  type: string,
  body: string,
  headers: HttpAnswer["headers"] = {},
): HttpAnswer => ({ status, headers: { "content-type": type, ...headers }, body });

/** gRPC codes of requests refused before parsing. */
const CODES: Readonly<Record<number, number>> = {
  403: Code.PermissionDenied,
  501: Code.Unimplemented,
  413: Code.ResourceExhausted,
  429: Code.ResourceExhausted,
};

/** Refuses a request with a reason, in the JSON of the SDK's gateway. */
export const refusal = (status: number, why: string): HttpAnswer =>
  textAnswer(
    status,
    "application/json",
    restText({
      status,
      body: { code: CODES[status] ?? STATUS.unknown, message: why, details: [] },
    }),
  );

/** The text for a body that is too long. */
export const tooLong = (most: number): string => `expected a body of at most ${most} bytes`;

/** Checks a posted request: pages of other builds may post anything. Throws a StatusError. */
export function readRequest(data: unknown): HttpRequest {
  const { method, path, headers, body } = Object(data) as Record<string, unknown>;
  const sound =
    typeof method === "string" &&
    typeof path === "string" &&
    body instanceof Uint8Array &&
    Object.values(Object(headers)).every((value) => typeof value === "string");
  if (!sound) throw new StatusError(STATUS.invalidArgument, "expected a request over HTTP");
  return { method, path, headers: headers as HttpRequest["headers"], body };
}
