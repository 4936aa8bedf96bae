import { STATUS, StatusError } from "../engine/framework/errors.ts";

/** The caller of a query. */
export interface Caller {
  /** True if the caller may control the session: run scenarios and open any world. */
  readonly mayControl: boolean;
  /** Returns true once the caller has disconnected. */
  readonly gone?: (() => boolean) | undefined;
  /** Resolves when the answer may continue after its data was loaded; at once if absent. */
  readonly resume?: () => Promise<void>;
}

/** A caller that may only query. */
export const QUERIES_ONLY: Caller = { mayControl: false };

/** Throws a StatusError once the caller has disconnected. */
export function checkThere({ gone }: Caller): void {
  if (gone?.()) throw new StatusError(STATUS.cancelled, "the question was given up");
}
