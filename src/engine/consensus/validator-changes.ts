import { compare, equal, toHexUpper } from "../../base/bytes.ts";
import { MAX_TOTAL_VOTING_POWER } from "./quorum.ts";
import { type Validator, type ValidatorList, validatorOf } from "./validator-list.ts";

/**
 * Validator update that the application returns at the end of a block; power 0 removes the
 * validator. Power is an integer number of voting power units.
 */
export interface ValidatorUpdate {
  readonly pubKey: Uint8Array;
  readonly power: number;
}

/** Changes that are invalid for the validator set. */
export class ValidatorSetError extends Error {}

export interface CheckedChanges {
  /** Additions and new powers, by address. */
  readonly updates: ReadonlyMap<string, Validator>;
  readonly removals: ReadonlySet<string>;
  /**
   * Total power after the updates but before the removals: the basis of a new validator's priority.
   */
  readonly totalBeforeRemovals: number;
}

/**
 * Checks a list of changes against the set, in CometBFT's order and with its texts (rules/consensus
 * 4.1). Throws a ValidatorSetError, without changing anything, if one of them is refused.
 */
export function checkChanges(
  current: ValidatorList,
  updates: readonly ValidatorUpdate[],
): CheckedChanges {
  const sorted = updates.map((u) => validatorOf(u.pubKey, u.power));
  sorted.sort((a, b) => compare(a.address, b.address));
  refuseBadEntries(sorted);

  const removed = sorted.filter((v) => v.power === 0);
  const updated = sorted.filter((v) => v.power !== 0);
  const added = updated.filter((v) => current.indexOf(v.address) < 0);
  if (added.length === 0 && removed.length === current.size) {
    throw new ValidatorSetError("applying the validator changes would result in empty set");
  }
  const removedPower = removed.reduce((sum, v) => sum + powerToRemove(current, v), 0);
  const deltas = updated.map((v) => v.power - (current.find(v.address)?.power ?? 0));
  let after = current.totalPower - removedPower;
  for (const delta of deltas.sort((a, b) => a - b)) {
    after += delta;
    if (after > MAX_TOTAL_VOTING_POWER) {
      throw new ValidatorSetError(
        `total voting power of resulting valset exceeds max ${MAX_TOTAL_VOTING_POWER}`,
      );
    }
  }
  return {
    updates: new Map(updated.map((v) => [toHexUpper(v.address), v])),
    removals: new Set(removed.map((v) => toHexUpper(v.address))),
    totalBeforeRemovals: after + removedPower,
  };
}

function refuseBadEntries(sorted: readonly Validator[]): void {
  sorted.forEach((v, i) => {
    const previous = sorted[i - 1];
    if (previous !== undefined && equal(previous.address, v.address)) {
      throw new ValidatorSetError(`duplicate entry ${text(v)} in [${sorted.map(text).join(" ")}]`);
    }
    if (v.power < 0) throw new ValidatorSetError(`voting power can't be negative: ${v.power}`);
    if (v.power > MAX_TOTAL_VOTING_POWER) {
      throw new ValidatorSetError(
        `to prevent clipping/overflow, voting power can't be higher than ${MAX_TOTAL_VOTING_POWER}, got ${v.power}`,
      );
    }
    if (!Number.isInteger(v.power))
      throw new ValidatorSetError(`voting power must be whole: ${v.power}`);
  });
}

function powerToRemove(current: ValidatorList, removal: Validator): number {
  const found = current.find(removal.address);
  if (found === null) {
    throw new ValidatorSetError(
      `failed to find validator ${toHexUpper(removal.address)} to remove`,
    );
  }
  return found.power;
}

function text(v: Validator): string {
  return `Validator{${toHexUpper(v.address)} PubKeyEd25519{${toHexUpper(v.pubKey)}} VP:${v.power} A:0}`;
}
