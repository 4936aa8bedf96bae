import type { ValidatorList } from "./validator-list.ts";
import type { ValidatorSet, ValidatorUpdate } from "./validator-set.ts";

/**
 * The sets a chain holds between two heights: `last` signed the block before, `current` votes on this height,
 * `next` on the one after. Changes returned at height H therefore act at H+2.
 *
 * `advance` works in place: while no validator joins, leaves or changes power it allocates nothing and reuses
 * the array that fell out. A set taken from here is valid until the next `advance`; keep a `copy()`, or the
 * immutable `list`, beyond it.
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

  /** At the initial height; `next` is one increment further. */
  static genesis(set: ValidatorSet): ValidatorSets {
    const next = set.copy();
    next.incrementProposerPriority(1);
    return new ValidatorSets(null, set, next);
  }

  /** At the initial height of a chain that continues an exported one. */
  static continued(
    last: ValidatorList | null,
    current: ValidatorSet,
    next: ValidatorSet,
  ): ValidatorSets {
    return new ValidatorSets(last, current, next);
  }

  /**
   * Moves to the next height, given the updates that the application returned at the height just made. Throws
   * Error as `withUpdates`, unchanged.
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
