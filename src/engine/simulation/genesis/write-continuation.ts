/**
 * Writes the state outside the modules' genesis that a chain needs to continue unchanged
 * (rules/consensus 9.4).
 */
import { create } from "@bufbuild/protobuf";
import { accAddress } from "../../../base/bech32.ts";
import { type Continuation, ContinuationSchema } from "../../../gen/lab/v1/continuation_pb.ts";
import type { ValidatorSet } from "../../consensus/validator-set.ts";
import { allAccounts } from "../../modules/bank/account-records.ts";
import type { ExportedGenesis } from "../views.ts";

/**
 * Returns the state outside the modules' genesis: the upgrade module's records, both validator
 * sets, the last commit and the accounts.
 */
export function writeContinuation({
  upgrades: { plan, done, protocolVersion },
  sets: { last, current, next },
  absent,
  state,
}: Pick<ExportedGenesis, "upgrades" | "sets" | "absent" | "state">): Continuation {
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
    accounts: Array.from(allAccounts(state), ({ address, number, sequence, pubKey }) => ({
      address: accAddress(address),
      number,
      sequence,
      pubKey,
    })),
  });
}

const writeSet = (set: ValidatorSet) => ({
  validators: set.pubKeys.map((pubKey, i) => ({
    pubKey,
    power: BigInt(set.powers[i] ?? 0),
    proposerPriority: BigInt(set.priorities[i] ?? 0),
  })),
  proposer: set.proposer(),
});
