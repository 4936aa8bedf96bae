import { fromValAddress } from "../../../base/bech32.ts";
import { equal } from "../../../base/bytes.ts";
import { formatRfc3339 } from "../../../base/time.ts";
import type { ModuleStep } from "../../../engine/app/steps.ts";
import { getSigningInfo } from "../../../engine/modules/slashing/signing-info.ts";
import { minSigned } from "../../../engine/modules/slashing/types.ts";
import { POWER_REDUCTION, type Validator } from "../../../engine/modules/staking/types.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { Reason } from "../../../gen/lab/v1/explain_plain.ts";
import { validatorStatesOf } from "../explorer/validator-states.ts";
import type { Observer } from "../frame/observer.ts";
import { readOr, validatorsOf } from "../frame/read-state.ts";
import type { TrackedValidator } from "../frame/validators.ts";
import { type Explained, forgottenAt, reason, reasonOf, rememberedSteps } from "./reasons.ts";

/** Explains a validator's status; undefined for an unknown name. */
export function explainValidator(
  sim: Simulation,
  observer: Observer,
  name: string,
): Explained | undefined {
  const known = observer.validators.list.find((one) => one.name === name);
  const states = validatorStatesOf(sim, observer, name);
  if (known === undefined || states === undefined) return undefined;
  const operator = fromValAddress(known.operatorAddress);
  const reasons: Reason[] = [];
  const missed: Reason[] = [];
  const isIts = (step: ModuleStep): boolean => isAbout(step, known, operator);
  for (const [height, steps, all] of rememberedSteps(sim, isIts)) {
    const items = new Set(steps.flatMap(({ item }) => item ?? []));
    for (const [i, step] of all.entries()) {
      // Includes all decisions about evidence against it, and the amount of its slash.
      const isPart =
        step.item === undefined ? isAmountOf(all.slice(i), isIts) : items.has(step.item);
      if (!isIts(step) && !isPart) continue;
      const explained = reasonOf(height, step, all);
      reasons.push(explained);
      if (step.kind === "liveness") missed.push(explained);
    }
  }
  // The last missed votes are enough.
  const old = new Set(missed.slice(0, -MISSED));
  const words = states.map(({ state }) => state).join(" and ");
  return {
    because: `At block ${sim.height}, ${name} is ${words || "bonded"}.`,
    reasons: [...reasons.filter((one) => !old.has(one)), ...now(sim, known)],
    forgotten: Math.max(0, ...states.map(({ block }) => forgottenAt(sim, block))),
  };
}

const MISSED = 5;

/** Found by its key: another operator may have created a validator with it again. */
const recordOf = (sim: Simulation, { address }: TrackedValidator) =>
  validatorsOf(sim).find(({ consensusAddress }) => equal(consensusAddress, address));

function isAbout(step: ModuleStep, { address }: TrackedValidator, operator: Uint8Array) {
  const data = step.data as { readonly address?: Uint8Array; readonly operator?: Uint8Array };
  return (
    (data.address !== undefined && equal(data.address, address)) ||
    (data.operator !== undefined && equal(data.operator, operator))
  );
}

/**
 * True if the first step is the slash amount of the next slashed validator, and that is the given
 * one.
 */
const isAmountOf = (
  [step, ...after]: readonly ModuleStep[],
  isIts: (step: ModuleStep) => boolean,
): boolean => {
  const slashed = after.find(({ kind }) => kind === "slash_validator");
  return step?.kind === "slash_amount" && slashed !== undefined && isIts(slashed);
};

/** The validator's current state. */
function now(sim: Simulation, known: TrackedValidator): Reason[] {
  const validator = recordOf(sim, known);
  const at = (what: string, found: string, rule: string): Reason =>
    reason(sim.height, what, found, rule, "info", { where: "state" });
  if (validator === undefined)
    return [at("validator", "staking has none with this key any more", "rules/staking 5.4")];
  const strongest = validatorsOf(sim)
    .filter(({ jailed }) => !jailed)
    // Ties are listed by ascending address.
    .sort((a, b) => Number(powerOf(b) - powerOf(a)));
  const rank = strongest.findIndex(({ operator }) => equal(operator, validator.operator)) + 1;
  const most = readOr(sim, 0, (ctx, { staking }) => staking.getParams(ctx).maxValidators);
  const place =
    rank === 0
      ? "jailed: not among those that can be in the set"
      : `number ${rank} by power ${powerOf(validator)}, of at most ${most} in the set`;
  return [at("place", place, "rules/staking 5.3"), ...livenessOf(sim, known, at)];
}

const powerOf = ({ tokens }: Validator): bigint => tokens / POWER_REDUCTION;

function livenessOf(
  sim: Simulation,
  { address }: TrackedValidator,
  at: (what: string, found: string, rule: string) => Reason,
): Reason[] {
  return readOr(sim, [], (ctx, { slashing }) => {
    const info = getSigningInfo(ctx, address);
    if (info === undefined) return [];
    const params = slashing.getParams(ctx);
    const allowed = params.signedBlocksWindow - minSigned(params);
    const missed = `${info.missedBlocksCounter} of ${params.signedBlocksWindow}; ${allowed} may be missed`;
    const until = formatRfc3339(info.jailedUntil);
    return [
      at("missed blocks", missed, "rules/slashing 4.1"),
      ...(info.tombstoned
        ? [at("tombstone", "its key never validates again", "rules/slashing 2.3")]
        : []),
      ...(info.jailedUntil > 0n && !info.tombstoned
        ? [at("jailed until", until, "rules/slashing 6.1")]
        : []),
    ];
  });
}
