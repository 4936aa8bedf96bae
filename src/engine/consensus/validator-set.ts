import { toHexUpper } from "../../base/bytes.ts";
import { checkChanges, type ValidatorUpdate } from "./validator-changes.ts";
import { byPower, ValidatorList, writeValidator } from "./validator-list.ts";
import type { ProtoWriter } from "./wire.ts";

export type { ValidatorUpdate } from "./validator-changes.ts";

const NO_VALIDATORS = new ValidatorList([]);

/** Maximum spread of the priorities, as a multiple of the total power. */
const PRIORITY_WINDOW_SIZE_FACTOR = 2;

/**
 * CometBFT's validator set: a shared, immutable list of validators, and their proposer priorities
 * (rules/consensus 4.1, 4.2).
 *
 * Priorities are integers in doubles; MAX_TOTAL_VOTING_POWER ensures that every intermediate result
 * is exact. An increment adds the total power and subtracts it again, so the sum does not change: a
 * set that was centred at its last change remains centred, and the centring that CometBFT repeats
 * every time is needed only after a rescale. So a single pass does the additions, finds the
 * proposer, and records the spread for the next increment.
 */
export class ValidatorSet {
  readonly list: ValidatorList;
  readonly priorities: Float64Array;
  #proposer: number;
  #spread: number;

  private constructor(
    list: ValidatorList,
    priorities: Float64Array,
    proposer: number,
    spread: number,
  ) {
    this.list = list;
    this.priorities = priorities;
    this.#proposer = proposer;
    this.#spread = spread;
  }

  /**
   * Creates the set of a new chain: the changes applied to an empty set, then one increment. Throws
   * Error like `withUpdates`.
   */
  static create(updates: readonly ValidatorUpdate[]): ValidatorSet {
    const refused = updates.filter((u) => u.power === 0);
    if (refused.length > 0) throw new Error("cannot process validators with voting power 0");
    if (updates.length === 0) throw new Error("validator set is nil or empty");
    const set = new ValidatorSet(NO_VALIDATORS, new Float64Array(), -1, 0).withUpdates(updates);
    set.incrementProposerPriority(1);
    return set;
  }

  /** Restores a set from its list, the priorities in the list's order, and the proposer's index. */
  static restore(list: ValidatorList, priorities: Float64Array, proposer: number): ValidatorSet {
    if (priorities.length !== list.size || proposer >= list.size) {
      throw new Error("the priorities or the proposer are not those of the validator set");
    }
    return new ValidatorSet(list, priorities, proposer, spreadOf(priorities));
  }

  get size(): number {
    return this.list.size;
  }
  get addresses(): readonly Uint8Array[] {
    return this.list.addresses;
  }
  get pubKeys(): readonly Uint8Array[] {
    return this.list.pubKeys;
  }
  get powers(): Float64Array {
    return this.list.powers;
  }
  get totalPower(): number {
    return this.list.totalPower;
  }

  indexOf(address: Uint8Array): number {
    return this.list.indexOf(address);
  }

  hash(): Uint8Array {
    return this.list.hash();
  }

  /**
   * Index of the proposer: the one picked by the last increment, or after a change the one with the
   * greatest priority.
   */
  proposer(): number {
    if (this.#proposer < 0) this.#proposer = greatest(this.list, this.priorities);
    return this.#proposer;
  }

  copy(): ValidatorSet {
    return new ValidatorSet(this.list, this.priorities.slice(), this.#proposer, this.#spread);
  }

  /** Copies the priorities of another set over the same list, without allocating. */
  assign(other: ValidatorSet): void {
    if (other.list !== this.list) throw new Error("assign between different validator lists");
    this.priorities.set(other.priorities);
    this.#proposer = other.#proposer;
    this.#spread = other.#spread;
  }

  /**
   * Increments the proposer priorities `times` ≥ 1 times, in place: rescale if too far apart, then
   * add, pick, subtract.
   */
  incrementProposerPriority(times: number): void {
    if (this.size === 0) throw new Error("empty validator set");
    if (!(times >= 1)) {
      throw new Error("Cannot call IncrementProposerPriority with non-positive times");
    }
    if (rescale(this.priorities, this.#spread, this.totalPower)) centre(this.priorities);
    for (let i = 0; i < times; i++) this.#pass();
  }

  #pass(): void {
    const { powers, addressRank, totalPower } = this.list;
    const priorities = this.priorities;
    let top = Number.NEGATIVE_INFINITY;
    let second = Number.NEGATIVE_INFINITY;
    let bottom = Number.POSITIVE_INFINITY;
    let topIndex = -1;
    for (let i = 0; i < priorities.length; i++) {
      const priority = (priorities[i] as number) + (powers[i] as number);
      priorities[i] = priority;
      if (priority < bottom) bottom = priority;
      if (
        priority > top ||
        (priority === top && (addressRank[i] as number) < (addressRank[topIndex] as number))
      ) {
        second = top;
        top = priority;
        topIndex = i;
      } else if (priority > second) second = priority;
    }
    const reduced = top - totalPower;
    priorities[topIndex] = reduced;
    this.#proposer = topIndex;
    this.#spread = Math.max(second, reduced) - Math.min(bottom, reduced);
  }

  /**
   * Returns the set after the application's changes: new validators start at −1.125 times the total
   * power (so leaving and rejoining gains nothing), the others keep their priority, then removals,
   * rescaling, centring. This set is unchanged. Throws Error with CometBFT's text for a duplicate,
   * a negative or excessive power, an unknown removal, or an empty result.
   */
  withUpdates(updates: readonly ValidatorUpdate[]): ValidatorSet {
    if (updates.length === 0) return this.copy();
    const changes = checkChanges(this.list, updates);
    const total = changes.totalBeforeRemovals;
    const newcomer = -(total + Math.floor(total / 8));
    const members = this.addresses.flatMap((address, i) => {
      const key = toHexUpper(address);
      if (changes.removals.has(key)) return [];
      const priority = this.priorities[i] as number;
      return [{ ...(changes.updates.get(key) ?? this.list.at(i)), priority }];
    });
    for (const validator of changes.updates.values()) {
      if (this.indexOf(validator.address) < 0) members.push({ ...validator, priority: newcomer });
    }
    members.sort(byPower);
    const list = new ValidatorList(members.map(({ priority: _, ...validator }) => validator));
    const priorities = Float64Array.from(members, ({ priority }) => priority);
    rescale(priorities, spreadOf(priorities), list.totalPower);
    centre(priorities);
    return new ValidatorSet(list, priorities, -1, spreadOf(priorities));
  }
}

/**
 * Index of the proposer in a round of this set's height; each later round is one more increment.
 */
export function proposerOfRound(set: ValidatorSet, round: number): number {
  if (round === 0) return set.proposer();
  const later = set.copy();
  for (let r = 0; r < round; r++) later.incrementProposerPriority(1);
  return later.proposer();
}

/** ValidatorSet{1 validators, 2 proposer}; CometBFT omits the total (3) when hashing. */
export function writeValidatorSet(w: ProtoWriter, set: ValidatorSet): ProtoWriter {
  const write = (field: number, index: number): void => {
    const mark = w.open(field);
    writeValidator(w, set.list.at(index), set.priorities[index] as number).close(mark);
  };
  for (let i = 0; i < set.size; i++) write(1, i);
  write(2, set.proposer());
  return w;
}

/**
 * Divides, truncating toward zero, until the spread fits the window. Returns whether it divided.
 */
function rescale(priorities: Float64Array, spread: number, totalPower: number): boolean {
  const window = PRIORITY_WINDOW_SIZE_FACTOR * totalPower;
  if (spread <= window) return false;
  const above = spread + window - 1;
  const ratio = (above - (above % window)) / window;
  for (let i = 0; i < priorities.length; i++) {
    const priority = priorities[i] as number;
    priorities[i] = (priority - (priority % ratio)) / ratio;
  }
  return true;
}

/**
 * Subtracts the average, rounded down. The sum may exceed 2⁵³, hence the bigint; called only when a
 * set changes or rescales.
 */
function centre(priorities: Float64Array): void {
  let sum = 0n;
  for (const priority of priorities) sum += BigInt(priority);
  const count = BigInt(priorities.length);
  const remainder = ((sum % count) + count) % count;
  const average = Number((sum - remainder) / count);
  for (let i = 0; i < priorities.length; i++) {
    priorities[i] = (priorities[i] as number) - average;
  }
}

function spreadOf(priorities: Float64Array): number {
  let top = Number.NEGATIVE_INFINITY;
  let bottom = Number.POSITIVE_INFINITY;
  for (const priority of priorities) {
    if (priority > top) top = priority;
    if (priority < bottom) bottom = priority;
  }
  return top - bottom;
}

function greatest(list: ValidatorList, priorities: Float64Array): number {
  let best = 0;
  for (let i = 1; i < priorities.length; i++) {
    const difference = (priorities[i] as number) - (priorities[best] as number);
    const first = (list.addressRank[i] as number) < (list.addressRank[best] as number);
    if (difference > 0 || (difference === 0 && first)) best = i;
  }
  return best;
}
