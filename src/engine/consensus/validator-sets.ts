import type { ValidatorList } from "./validator-list.ts";
import type { ValidatorSet, ValidatorUpdate } from "./validator-set.ts";

/**
 * The sets of a chain between two heights: `last` signed the previous block, `current` votes on
 * this height, `next` on the following one. So changes returned at height H take effect at H+2.
 *
 * `advance` works in place: while no validator joins, leaves or changes power it allocates nothing
 * and reuses the array that is no longer needed. A set read from here is valid until the next
 * `advance`; for longer use, store a `copy()` or the immutable `list`.
 */
export class ValidatorSets {
  /** Null at the initial height of a new chain, which has no last commit. */
  last: ValidatorList | null;
  current: ValidatorSet;
  next: ValidatorSet;

  private constructor(last: ValidatorList | null, current: ValidatorSet, next: ValidatorSet) {
    this.last = last;
    this.current = current;
    this.next = next;
  }

  /** Sets at the initial height; `next` is one increment further. */
  static genesis(set: ValidatorSet): ValidatorSets {
    const next = set.copy();
    next.incrementProposerPriority(1);
    return new ValidatorSets(null, set, next);
  }

  /** Sets at the initial height of a chain that continues an exported one. */
  static continued(
    last: ValidatorList | null,
    current: ValidatorSet,
    next: ValidatorSet,
  ): ValidatorSets {
    return new ValidatorSets(last, current, next);
  }

  /**
   * Advances to the next height, with the updates that the application returned at the last one.
   * Throws Error like `withUpdates`, without changing anything.
   */
  advance(updates: readonly ValidatorUpdate[]): void {
    const { list } = this.current;
    const following = this.#following(updates);
    following.incrementProposerPriority(1);
    this.last = list;
    this.current = this.next;
    this.next = following;
  }

  copy(): ValidatorSets {
    return new ValidatorSets(this.last, this.current.copy(), this.next.copy());
  }

  #following(updates: readonly ValidatorUpdate[]): ValidatorSet {
    if (updates.length > 0) return this.next.withUpdates(updates);
    if (this.current.list !== this.next.list) return this.next.copy();
    this.current.assign(this.next);
    return this.current;
  }
}
