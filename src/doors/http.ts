/** A request and its answer as plain data, which go through sockets and ports alike. */
import { STATUS, StatusError } from "../engine/framework/errors.ts";

export interface HttpRequest {
  readonly method: string;
  /** With its parameters, from the page's or the server's folder on: `/chain/bank/v1beta1/params`. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** An answer that is a text. */
export const textAnswer = (
  status: number,
  type: string,
  body: string,
  headers: HttpAnswer["headers"] = {},
): HttpAnswer => ({ status, headers: { "content-type": type, ...headers }, body });

/** Says why a request is not answered. */
export const refusal = (status: number, why: string): HttpAnswer =>
  textAnswer(status, "text/plain; charset=utf-8", `${why}\n`);

/** The words for a body that is too long. */
export const tooLong = (most: number): string => `expected a body of at most ${most} bytes`;

/** A request as it was posted: pages of other builds may post what they like. Throws a StatusError. */
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
