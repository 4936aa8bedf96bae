/** What clients call, and how they are answered. */

/** A call, which is answered once, with its number. */
export interface Call {
  readonly call: number;
  readonly method: string;
  readonly request: unknown;
  /** A question about the end of this height; absent or 0: about the newest. */
  readonly height?: number | undefined;
  /** Whether the one who calls has gone meanwhile; never crosses a port. */
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
  /** Of the error in the request; empty if it has none. */
  readonly path: string;
}

/** Whether what is there in place of a height, if anything, can be one. */
export const isHeight = (given: unknown): given is number | undefined =>
  given === undefined || (Number.isSafeInteger(given) && (given as number) >= 0);
