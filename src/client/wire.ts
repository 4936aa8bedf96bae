/** Messages on the port between a page and the worker that runs the simulation. */

/** Page → worker. A call is answered once, with its number; a word is not answered. */
export type ToWorker =
  | {
      readonly call: number;
      readonly method: string;
      readonly request: unknown;
      /** Height of the query; 0: the newest. Ignored by calls that change something. */
      readonly height?: number;
    }
  /** `here` is the first message of a page that attaches to a node, whatever it calls then. */
  | { readonly word: "leave" | "here" };

/**
 * Worker → page. `ready` is a worker's first message: earlier messages to it, while its script was
 * still loading, would be lost. `fatal` is the last.
 */
export type ToPage =
  | { readonly ready: true }
  | { readonly call: number; readonly response: unknown }
  | { readonly call: number; readonly error: WireError }
  | { readonly fatal: string };

export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly path: string;
}
