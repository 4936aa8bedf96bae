import { STATUS, StatusError } from "../engine/framework/errors.ts";

/** The caller of a query. */
export interface Asker {
  /** True if the caller may control the session: run scenarios and open any world. */
  readonly steers: boolean;
  /** Returns true once the caller has disconnected. */
  readonly gone?: (() => boolean) | undefined;
  /** Resolves when the answer may go on once what it has waited for is there; at once unless given. */
  readonly goOn?: () => Promise<void>;
}

/** One who may only ask. */
export const QUERIES_ONLY: Asker = { steers: false };

/** Throws a StatusError once the one who asks has gone. */
export function checkThere({ gone }: Asker): void {
  if (gone?.()) throw new StatusError(STATUS.cancelled, "the question was given up");
}
