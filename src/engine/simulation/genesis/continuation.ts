/**
 * The state besides the modules' genesis that a chain needs to make the same blocks after an import
 * (rules/consensus 9.4).
 */
import { create } from "@bufbuild/protobuf";
import {
  type Continuation,
  ContinuationSchema,
  type PrioritizedSet,
  PrioritizedSetSchema,
} from "../../../gen/lab/v1/continuation_pb.ts";
import { ValidatorList, validatorOf } from "../../consensus/validator-list.ts";
import { ValidatorSet } from "../../consensus/validator-set.ts";
import { ValidatorSets } from "../../consensus/validator-sets.ts";
import type { ValidatorUpdate } from "../../framework/module.ts";
import type { UpgradeState } from "../../modules/upgrade/types.ts";
import type { Beginning } from "../../network/chain/ledger.ts";
import { toHex } from "../../primitives/bytes.ts";

export function writeContinuation(
  { plan, done, protocolVersion }: UpgradeState,
  { last, current, next }: ValidatorSets,
  absent: readonly number[],
): Continuation {
  return create(ContinuationSchema, {
    ...(plan === undefined ? {} : { plan }),
    done: done.map(({ name, height }) => ({ name, height: BigInt(height) })),
    protocolVersion: BigInt(protocolVersion),
    validators: writeSet(current),
    nextValidators: writeSet(next),
    lastCommit: (last?.pubKeys ?? []).map((pubKey, i) => ({
      pubKey,
      power: BigInt(last?.powers[i] ?? 0),
      absent: absent.includes(i),
    })),
  });
}

export const upgradesIn = ({ plan, done, protocolVersion }: Continuation): UpgradeState => ({
  plan,
  done: done.map(({ name, height }) => ({ name, height: Number(height) })),
  protocolVersion: Number(protocolVersion),
});

/** The initial state of a chain with these validators. Throws if they are not those of the continuation. */
export function beginningOf(
  validators: readonly ValidatorUpdate[],
  continuation: Continuation | undefined,
): Beginning {
  const fresh = ValidatorSet.create(validators);
  if (continuation === undefined) {
    return { sets: ValidatorSets.genesis(fresh), lastAbsent: [] };
  }
  const current = readSet(continuation.validators);
  const next = readSet(continuation.nextValidators);
  if (toHex(next.hash()) !== toHex(fresh.hash())) {
    throw new Error("the validators to continue with are not those of the state");
  }
  const { lastCommit: votes } = continuation;
  return {
    sets: ValidatorSets.continued(votes.length > 0 ? readList(votes) : null, current, next),
    lastAbsent: votes.flatMap(({ absent }, i) => (absent ? [i] : [])),
  };
}

const writeSet = (set: ValidatorSet) => ({
  validators: set.pubKeys.map((pubKey, i) => ({
    pubKey,
    power: BigInt(set.powers[i] ?? 0),
    proposerPriority: BigInt(set.priorities[i] ?? 0),
  })),
  proposer: set.proposer(),
});

function readSet(
  { validators, proposer }: PrioritizedSet = create(PrioritizedSetSchema),
): ValidatorSet {
  const list = readList(validators);
  const priorities = Float64Array.from(validators, (v) => Number(v.proposerPriority));
  return ValidatorSet.restore(list, priorities, proposer);
}

const readList = (
  validators: readonly { readonly pubKey: Uint8Array; readonly power: bigint }[],
): ValidatorList =>
  new ValidatorList(validators.map(({ pubKey, power }) => validatorOf(pubKey, Number(power))));
