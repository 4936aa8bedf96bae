/**
 * Reads the state outside the modules' genesis that a chain needs to produce the same blocks after
 * an import (rules/consensus 9.4).
 */
import { create } from "@bufbuild/protobuf";
import { toHex } from "../../../base/bytes.ts";
import {
  type Continuation,
  type PrioritizedSet,
  PrioritizedSetSchema,
} from "../../../gen/lab/v1/continuation_pb.ts";
import { MAX_TOTAL_VOTING_POWER } from "../../consensus/quorum.ts";
import { byPower, ValidatorList, validatorOf } from "../../consensus/validator-list.ts";
import { ValidatorSet } from "../../consensus/validator-set.ts";
import { ValidatorSets } from "../../consensus/validator-sets.ts";
import type { ValidatorUpdate } from "../../framework/module.ts";
import type { UpgradeState } from "../../modules/upgrade/types.ts";
import type { InitialState } from "../../network/chain/ledger.ts";

type Path = readonly (string | number)[];

/** Error in a continuation. `path` is its location, in JSON field names. */
export class ContinuationError extends Error {
  readonly path: Path;

  constructor(path: Path, text: string) {
    super(text);
    this.name = "ContinuationError";
    this.path = path;
  }
}

/**
 * Bound on proposer priorities. They are centred and at most twice the total power apart before an
 * increment, which adds the total once more. With priorities within this distance of 0, their
 * spread is exact in a double.
 */
const MAX_PRIORITY = 3 * MAX_TOTAL_VOTING_POWER;

/**
 * Returns the upgrade module's state of a chain exported after `height`. Throws a
 * ContinuationError.
 */
export function upgradesIn(
  { plan, done, protocolVersion }: Continuation,
  height: number,
): UpgradeState {
  return {
    plan,
    done: done.map(({ name, height: at }, i) => ({
      name,
      height: within(at, 1, height, ["done", i, "height"]),
    })),
    protocolVersion: within(protocolVersion, 0, Number.MAX_SAFE_INTEGER, ["protocol_version"]),
  };
}

/**
 * Returns the initial state of a chain with these validators. Throws a ContinuationError if the
 * continuation's validators differ from those of the state, or are impossible in any chain.
 * @param keys consensus keys of the nodes, in hex
 */
export function initialStateOf(
  validators: readonly ValidatorUpdate[],
  continuation: Continuation | undefined,
  keys: ReadonlySet<string>,
): InitialState {
  const fresh = ValidatorSet.create(validators);
  if (continuation === undefined) {
    return { sets: ValidatorSets.genesis(fresh), lastAbsent: [] };
  }
  const current = readSet(continuation.validators, keys, ["validators"]);
  const next = readSet(continuation.nextValidators, keys, ["next_validators"]);
  if (toHex(next.hash()) !== toHex(fresh.hash())) {
    throw new ContinuationError(
      ["next_validators"],
      "expected the validators that are bonded in app_state.staking, with their powers",
    );
  }
  const { lastCommit: votes } = continuation;
  const last = votes.length > 0 ? readList(votes, keys, ["last_commit"]) : null;
  return {
    sets: ValidatorSets.continued(last, current, next),
    lastAbsent: votes.flatMap(({ absent }, i) => (absent ? [i] : [])),
  };
}

function readSet(
  { validators, proposer }: PrioritizedSet = create(PrioritizedSetSchema),
  keys: ReadonlySet<string>,
  path: Path,
): ValidatorSet {
  const inList = [...path, "validators"];
  const list = readList(validators, keys, inList);
  const priorities = Float64Array.from(validators, ({ proposerPriority }, i) =>
    within(proposerPriority, -MAX_PRIORITY, MAX_PRIORITY, [...inList, i, "proposer_priority"]),
  );
  within(BigInt(proposer), 0, list.size - 1, [...path, "proposer"]);
  return ValidatorSet.restore(list, priorities, proposer);
}

function readList(
  entries: readonly { readonly pubKey: Uint8Array; readonly power: bigint }[],
  keys: ReadonlySet<string>,
  path: Path,
): ValidatorList {
  if (entries.length === 0) throw new ContinuationError(path, "expected at least one validator");
  const validators = entries.map(({ pubKey, power }, i) => {
    if (!keys.has(toHex(pubKey))) {
      throw new ContinuationError(
        [...path, i, "pub_key"],
        `expected the consensus key of a node, 32 bytes, found ${toHex(pubKey) || "none"}`,
      );
    }
    return validatorOf(pubKey, within(power, 1, MAX_TOTAL_VOTING_POWER, [...path, i, "power"]));
  });
  const list = new ValidatorList(validators);
  validators.forEach((validator, i) => {
    const previous = validators[i - 1];
    const isOrdered = previous === undefined || byPower(previous, validator) < 0;
    if (isOrdered && list.indexOf(validator.address) === i) return;
    throw new ContinuationError(
      [...path, i],
      "expected validators in set order: by power descending, then by address, each of them once",
    );
  });
  within(BigInt(list.totalPower), 1, MAX_TOTAL_VOTING_POWER, path, "a total power");
  return list;
}

/** Returns the number if it is in the range. Throws a ContinuationError if not. */
function within(
  value: bigint,
  least: number,
  most: number,
  path: Path,
  what = "a whole number",
): number {
  if (value >= BigInt(least) && value <= BigInt(most)) return Number(value);
  throw new ContinuationError(path, `expected ${what} from ${least} to ${most}, found ${value}`);
}
