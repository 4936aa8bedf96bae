/** Calls of clients and their answers. */

/** A numbered call, which is answered once. */
export interface Call {
  readonly call: number;
  readonly method: string;
  readonly request: unknown;
  /** Height at whose end the query is answered; absent or 0: the newest. */
  readonly height?: number | undefined;
  /** Returns true once the caller has disconnected; never crosses a port. */
  readonly gone?: (() => boolean) | undefined;
}

/** A response, or a gRPC status code with its message. */
export type Answer =
  | { readonly call: number; readonly response: unknown }
  | { readonly call: number; readonly error: CallError };

/** Answers a call once, by `post`. */
export type Serve = (call: Call, post: (answer: Answer) => void) => Promise<void>;

export interface CallError {
  readonly code: number;
  readonly message: string;
  /** Path of the error in the request; empty if it has none. */
  readonly path: string;
}

/** True for a height (a non-negative safe integer) or undefined. */
export const isHeight = (input: unknown): input is number | undefined =>
  input === undefined || (Number.isSafeInteger(input) && (input as number) >= 0);
