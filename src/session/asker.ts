import { STATUS, StatusError } from "../engine/framework/errors.ts";

/** Who asks. */
export interface Asker {
  /** Whether the one who asks may steer, and so have scenarios run and any world opened. */
  readonly steers: boolean;
  /** Whether that one has gone meanwhile. */
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
