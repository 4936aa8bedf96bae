import type { ValidatorList } from "../../consensus/validator-list.ts";
import type { CommitInfo } from "../../framework/context.ts";

/** Returns the commit of a validator list, without the validators at some indexes. */
export const commitOf = (list: ValidatorList, absent: readonly number[]): CommitInfo =>
  new ListCommit(list, absent);

/** A class, since one is created per block: methods are shared. */
class ListCommit implements CommitInfo {
  readonly absent: readonly number[];
  readonly #list: ValidatorList;

  constructor(list: ValidatorList, absent: readonly number[]) {
    this.#list = list;
    this.absent = absent;
  }

  get size(): number {
    return this.#list.size;
  }

  validatorsHash(): Uint8Array {
    return this.#list.hash();
  }

  address(i: number): Uint8Array {
    return this.#list.at(i).address;
  }

  power(i: number): number {
    return this.#list.powers[i] ?? 0;
  }
}

/** Empty commit, for a height without a block. */
export const NO_COMMIT: CommitInfo = {
  size: 0,
  validatorsHash: () => new Uint8Array(),
  absent: [],
  address: () => new Uint8Array(),
  power: () => 0,
};
