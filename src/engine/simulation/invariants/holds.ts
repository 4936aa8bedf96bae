/** Violated invariant. */
export class InvariantError extends Error {
  readonly invariant: string;
  readonly found: string;

  constructor(invariant: string, found: string) {
    super(`${invariant}: ${found}`);
    this.name = "InvariantError";
    this.invariant = invariant;
    this.found = found;
  }
}

/** Throws an InvariantError unless the condition is true. */
export function assertInvariant(
  invariant: string,
  condition: boolean,
  found: () => string,
): asserts condition {
  if (!condition) throw new InvariantError(invariant, found());
}
