import { compare, equal } from "../../../base/bytes.ts";
import type { ValidatorUpdate } from "../../consensus/validator-changes.ts";
import {
  byPower,
  type Validator,
  ValidatorList,
  validatorOf,
} from "../../consensus/validator-list.ts";

/** A list that votes on all heights of a range. */
export interface ListInForce {
  readonly from: number;
  readonly to: number;
  readonly list: ValidatorList;
}

/** Validators of a page as plain data; public keys are concatenated. */
export interface SavedValidators {
  readonly hash: Uint8Array;
  readonly keys: Uint8Array;
  readonly powers: Float64Array;
  readonly newcomers: Uint8Array;
  readonly heights: readonly number[];
  readonly who: readonly number[];
  readonly changed: readonly number[];
}

const KEY_SIZE = 32;
const ADDRESS_SIZE = 20;

/**
 * Validators of consecutive heights: the list at the first, and later power changes. Lists in
 * between are rebuilt on request.
 */
export class PageValidators {
  readonly base: ValidatorList;
  /** Validators that joined after the first height, in order of joining. */
  readonly #newcomers: Validator[];
  /**
   * Columns of each change: height, validator (index in the base list, newcomers after it), power.
   */
  readonly #heights: number[] = [];
  readonly #who: number[] = [];
  readonly #changed: number[] = [];

  constructor(base: ValidatorList, newcomers: readonly Validator[] = []) {
    this.base = base;
    this.#newcomers = [...newcomers];
  }

  copy(): PageValidators {
    const copy = new PageValidators(this.base, this.#newcomers);
    copy.#heights.push(...this.#heights);
    copy.#who.push(...this.#who);
    copy.#changed.push(...this.#changed);
    return copy;
  }

  /** Records the changes between the list of a height and the previous one. */
  append(height: number, changes: readonly ValidatorUpdate[]): void {
    for (const { pubKey, power } of changes) {
      this.#heights.push(height);
      this.#who.push(this.#indexOf(pubKey));
      this.#changed.push(power);
    }
  }

  #indexOf(pubKey: Uint8Array): number {
    const validator = validatorOf(pubKey, 0);
    const { size } = this.base;
    const place = this.base.indexOf(validator.address);
    if (place >= 0) return place;
    const known = this.#newcomers.findIndex((newcomer) => equal(newcomer.pubKey, pubKey));
    return known >= 0 ? size + known : size + this.#newcomers.push(validator) - 1;
  }

  /**
   * Returns the list that votes on a height, and the heights of the page, from `first` to `last`,
   * at which it votes.
   */
  listAt(height: number, first: number, last: number): ListInForce {
    const count = this.#changesUpTo(height);
    const from = this.#heights[count - 1] ?? first;
    const to = (this.#heights[count] ?? last + 1) - 1;
    if (count === 0) return { from, to, list: this.base };
    const powers = this.#powersAfter(count);
    const members = this.#everyone.flatMap((validator, i) => {
      const power = powers[i] ?? 0;
      return power === 0 ? [] : [{ ...validator, power }];
    });
    return { from, to, list: new ValidatorList(members.sort(byPower)) };
  }

  get #everyone(): readonly Validator[] {
    return [...this.base.addresses.map((_, i) => this.base.at(i)), ...this.#newcomers];
  }

  /** Counts the changes up to and including a height. */
  #changesUpTo(height: number): number {
    let count = this.#heights.length;
    while (count > 0 && (this.#heights[count - 1] as number) > height) count -= 1;
    return count;
  }

  #powersAfter(count: number): Float64Array {
    const powers = new Float64Array(this.base.size + this.#newcomers.length);
    powers.set(this.base.powers);
    for (let i = 0; i < count; i++) powers[this.#who[i] as number] = this.#changed[i] as number;
    return powers;
  }

  /**
   * Returns a validator's index in set order from each of these heights on, ascending; −1 for none.
   */
  indexesOf(address: Uint8Array, first: number): readonly { from: number; place: number }[] {
    const everyone = this.#everyone;
    const index = everyone.findIndex((validator) => equal(validator.address, address));
    const own = everyone[index];
    if (own === undefined) return [{ from: first, place: -1 }];
    const powers = this.#powersAfter(0);
    const place = (): number => {
      const power = powers[index] as number;
      if (power === 0) return -1;
      let before = 0;
      for (let i = 0; i < powers.length; i++) {
        const other = powers[i] as number;
        const ahead = other === power && compare((everyone[i] as Validator).address, address) < 0;
        if (other > power || ahead) before += 1;
      }
      return before;
    };
    const places = [{ from: first, place: place() }];
    for (let i = 0; i < this.#heights.length; i++) {
      const from = this.#heights[i] as number;
      powers[this.#who[i] as number] = this.#changed[i] as number;
      if (this.#heights[i + 1] !== from) places.push({ from, place: place() });
    }
    return places;
  }

  /** Returns the members of all lists of the page. */
  members(): Members {
    const addresses = this.#everyone.map(({ address }) => address).sort(compare);
    return joined(addresses, ADDRESS_SIZE);
  }

  /** Approximate bytes of the changes in memory. */
  get size(): number {
    return 24 * this.#heights.length + 600 * this.#newcomers.length;
  }

  save(): SavedValidators {
    const { base } = this;
    return {
      hash: base.hash(),
      keys: joined(base.pubKeys, KEY_SIZE),
      powers: base.powers,
      newcomers: joined(
        this.#newcomers.map(({ pubKey }) => pubKey),
        KEY_SIZE,
      ),
      heights: this.#heights,
      who: this.#who,
      changed: this.#changed,
    };
  }

  /** @param known lists to reuse, one of which may be the first list of the page */
  static restore(saved: SavedValidators, known: Iterable<ValidatorList>): PageValidators {
    const base = sameIn(known, saved) ?? listOf(saved);
    const newcomers = chunksOf(saved.newcomers, KEY_SIZE).map((pubKey) => validatorOf(pubKey, 0));
    const restored = new PageValidators(base, newcomers);
    restored.#heights.push(...saved.heights);
    restored.#who.push(...saved.who);
    restored.#changed.push(...saved.changed);
    return restored;
  }
}

function sameIn(
  known: Iterable<ValidatorList>,
  { hash }: SavedValidators,
): ValidatorList | undefined {
  for (const list of known) if (equal(list.hash(), hash)) return list;
  return undefined;
}

const listOf = ({ keys, powers }: SavedValidators): ValidatorList =>
  new ValidatorList(
    chunksOf(keys, KEY_SIZE).map((pubKey, i) => validatorOf(pubKey, powers[i] as number)),
  );

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const out = new Uint8Array(parts.length * size);
  parts.forEach((part, i) => {
    out.set(part, i * size);
  });
  return out;
}

const chunksOf = (bytes: Uint8Array, size: number): Uint8Array[] =>
  Array.from({ length: bytes.length / size }, (_, i) => bytes.slice(i * size, (i + 1) * size));

/** Consensus addresses, ascending and concatenated. */
export type Members = Uint8Array;

export function isMember(members: Members, address: Uint8Array): boolean {
  for (let at = 0; at < members.length; at += ADDRESS_SIZE) {
    if (equal(members.subarray(at, at + ADDRESS_SIZE), address)) return true;
  }
  return false;
}

/** Returns the updates that turn one list into another. */
export function changesBetween(before: ValidatorList, after: ValidatorList): ValidatorUpdate[] {
  const changes: ValidatorUpdate[] = [];
  const size = Math.max(before.size, after.size);
  for (let i = 0; i < size; i++) {
    const [was, is] = [before.pubKeys[i], after.pubKeys[i]];
    // Most keep their index: only the others are looked up by address.
    if (was === is && before.powers[i] === after.powers[i]) continue;
    if (is !== undefined) {
      const { address, power } = after.at(i);
      if (before.powers[before.indexOf(address)] !== power) changes.push({ pubKey: is, power });
    }
    if (was !== undefined && after.indexOf(before.at(i).address) < 0) {
      changes.push({ pubKey: was, power: 0 });
    }
  }
  return changes;
}
