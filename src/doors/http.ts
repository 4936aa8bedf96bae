/** A request and its answer as plain data, which go through sockets and ports alike. */

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
