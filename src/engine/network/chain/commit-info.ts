import type { ValidatorList } from "../../consensus/validator-list.ts";
import type { CommitInfo } from "../../framework/context.ts";

/** The commit of a list of validators without those whose indexes are given. */
export const commitOf = (list: ValidatorList, absent: readonly number[]): CommitInfo => ({
  size: list.size,
  validatorsHash: () => list.hash(),
  absent,
  address: (i) => list.at(i).address,
  power: (i) => list.powers[i] ?? 0,
});

/** Where there is no block, there is no commit. */
export const NO_COMMIT: CommitInfo = {
  size: 0,
  validatorsHash: () => new Uint8Array(),
  absent: [],
  address: () => new Uint8Array(),
  power: () => 0,
};
