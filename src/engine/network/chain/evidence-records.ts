import type { Evidence } from "../../consensus/evidence.ts";
import type { LightClientAttackEvidence } from "../../consensus/light-client-attack.ts";
import { type Validator, ValidatorList } from "../../consensus/validator-list.ts";
import { ValidatorSet } from "../../consensus/validator-set.ts";

/** A validator set as plain data. */
interface SavedSet {
  readonly validators: readonly Validator[];
  readonly priorities: Float64Array;
  readonly proposer: number;
}

type SavedAttack = Omit<LightClientAttackEvidence, "conflictingBlock"> & {
  readonly conflictingBlock: Omit<LightClientAttackEvidence["conflictingBlock"], "validators"> & {
    readonly validators: SavedSet;
  };
};

/** Evidence as plain data. */
export type SavedEvidence = Exclude<Evidence, LightClientAttackEvidence> | SavedAttack;

export function saveEvidence(evidence: Evidence): SavedEvidence {
  if (evidence.kind === "duplicate-vote") return evidence;
  const { conflictingBlock } = evidence;
  const { list, priorities } = conflictingBlock.validators;
  const validators = {
    validators: list.addresses.map((_, i) => list.at(i)),
    priorities,
    proposer: conflictingBlock.validators.proposer(),
  };
  return { ...evidence, conflictingBlock: { ...conflictingBlock, validators } };
}

export function restoreEvidence(saved: SavedEvidence): Evidence {
  if (saved.kind === "duplicate-vote") return saved;
  const { conflictingBlock } = saved;
  const { validators, priorities, proposer } = conflictingBlock.validators;
  const set = ValidatorSet.restore(new ValidatorList(validators), priorities, proposer);
  return { ...saved, conflictingBlock: { ...conflictingBlock, validators: set } };
}
