/** What clients call, and how they are answered. */

/** A call, which is answered once, with its number. */
export interface Call {
  readonly call: number;
  readonly method: string;
  readonly request: unknown;
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
