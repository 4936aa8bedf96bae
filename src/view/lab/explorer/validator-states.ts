import { equal } from "../../../base/bytes.ts";
import { formatProtoTime, type Time } from "../../../base/time.ts";
import type { Event } from "../../../engine/framework/events.ts";
import { getSigningInfo } from "../../../engine/modules/slashing/signing-info.ts";
import { minSigned } from "../../../engine/modules/slashing/types.ts";
import type { Validator } from "../../../engine/modules/staking/types.ts";
import type { HistoryRanges } from "../../../engine/simulation/history-range.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { ValidatorStateView } from "../../../gen/lab/v1/lab_plain.ts";
import { BlockTimes } from "../frame/block-times.ts";
import type { Observer } from "../frame/observer.ts";
import { readOr, validatorsOf } from "../frame/read-state.ts";
import type { TrackedValidator } from "../frame/validators.ts";
import { openBlocks } from "../reading.ts";
import { evidenceOf, openEvidence } from "./evidence.ts";

/** Explains each state of a validator that is not just bonded; undefined for an unknown name. */
export function validatorStatesOf(
  sim: Simulation,
  observer: Observer,
  name: string,
): readonly ValidatorStateView[] | undefined {
  const known = observer.validators.list.find((one) => one.name === name);
  if (known === undefined) return undefined;
  // Found by its key: another operator may have created a validator with it again.
  const validator = validatorsOf(sim).find(({ consensusAddress }) =>
    equal(consensusAddress, known.address),
  );
  const info = readOr(sim, undefined, (ctx) => getSigningInfo(ctx, known.address));
  const states: ValidatorStateView[] = [];
  if (info?.tombstoned) states.push(tombstoned(sim, observer, known));
  else if (validator?.jailed) {
    states.push(jailed(sim, observer, known, validator, info?.jailedUntil));
  }
  const bond = bondState(sim, validator);
  return bond === undefined ? states : [...states, bond];
}

/** Opens the blocks that `validatorStatesOf` reads. */
export function* openValidatorStates(
  sim: Simulation,
  observer: Observer,
  name: string,
): HistoryRanges {
  const known = observer.validators.list.find((one) => one.name === name);
  if (known === undefined) return;
  const info = readOr(sim, undefined, (ctx) => getSigningInfo(ctx, known.address));
  if (info?.tombstoned) yield* openEvidence(sim, observer);
  const slashed = lastSlash(observer, known.consensusAddress);
  if (slashed > 0) yield* openBlocks(slashed);
  const validator = validatorsOf(sim).find(({ consensusAddress }) =>
    equal(consensusAddress, known.address),
  );
  for (const until of [info?.jailedUntil, validator?.unbondingTime]) {
    if (until) yield* new BlockTimes(sim).searchFirst(until);
  }
}

const NOTHING = {
  ...{ cause: "", block: 0, height: 0, evidence: "", missed: 0, window: 0, allowed: 0 },
  ...{ burned: "0", until: "", untilHeight: 0, over: false, maxValidators: 0 },
};

/** Its newest stored evidence is the one that it was punished for: later evidence is ignored. */
function tombstoned(sim: Simulation, observer: Observer, { name }: TrackedValidator) {
  const line = evidenceOf(sim, observer).find(
    ({ validators, outcome }) => outcome === "punished" && validators.includes(name),
  );
  if (line === undefined) return { ...NOTHING, state: "tombstoned", cause: "evidence" };
  const { kind: cause, block, height, hash: evidence, burned } = line;
  return { ...NOTHING, state: "tombstoned", cause, block, height, evidence, burned };
}

function jailed(
  sim: Simulation,
  observer: Observer,
  { consensusAddress }: TrackedValidator,
  { unbondingHeight }: Validator,
  until: Time | undefined,
): ValidatorStateView {
  const slashed = lastSlash(observer, consensusAddress);
  const events = slashed > 0 ? (sim.block(slashed)?.events ?? []) : [];
  // If it was slashed before it left the set for another reason, it has been unjailed since.
  if (slashed < unbondingHeight || !isDowntime(events, consensusAddress)) {
    return { ...NOTHING, state: "jailed", cause: "self_delegation", block: unbondingHeight };
  }
  const window = readOr(sim, { window: 0, allowed: 0 }, (ctx, { slashing }) => {
    const params = slashing.getParams(ctx);
    const { signedBlocksWindow } = params;
    return { window: signedBlocksWindow, allowed: signedBlocksWindow - minSigned(params) };
  });
  return {
    ...{ ...NOTHING, state: "jailed", cause: "downtime", block: slashed, ...window },
    missed: missedIn(events, consensusAddress),
    burned: String(observer.burns.inBlock(consensusAddress, slashed)),
    ...untilOf(sim, until),
  };
}

/** Height of the last block that slashed it; 0 if none did. */
function lastSlash(observer: Observer, address: string): number {
  const heights = observer.burns
    .state()
    .byBlock.map(([key]) => key.split("@"))
    .filter(([slashed]) => slashed === address);
  return Number(heights.at(-1)?.[1] ?? 0);
}

const attributeOf = ({ attributes }: Event, name: string): string =>
  attributes.find(({ key }) => key === name)?.value ?? "";

const isDowntime = (events: readonly Event[], address: string): boolean =>
  events.some(
    (event) =>
      event.type === "slash" &&
      attributeOf(event, "address") === address &&
      attributeOf(event, "reason") === "missing_signature",
  );

const missedIn = (events: readonly Event[], address: string): number =>
  Number(
    events
      .filter((event) => event.type === "liveness" && attributeOf(event, "address") === address)
      .map((event) => attributeOf(event, "missed_blocks"))
      .at(-1) ?? 0,
  );

function untilOf(sim: Simulation, until: Time | undefined) {
  if (until === undefined) return {};
  const untilHeight = new BlockTimes(sim).firstAt(until);
  return { until: formatProtoTime(until), untilHeight, over: sim.time >= until };
}

/** Undefined while it is bonded. */
function bondState(
  sim: Simulation,
  validator: Validator | undefined,
): ValidatorStateView | undefined {
  if (validator === undefined) return { ...NOTHING, state: "removed" };
  const { status, unbondingHeight, unbondingTime, jailed: isJailed } = validator;
  if (status === "bonded") return undefined;
  const maxValidators = readOr(sim, 0, (ctx, { staking }) => staking.getParams(ctx).maxValidators);
  const view = { ...NOTHING, state: status, maxValidators };
  if (unbondingHeight === 0) return { ...view, cause: "new" };
  if (status === "unbonded") {
    return { ...view, cause: "over", until: formatProtoTime(unbondingTime), over: true };
  }
  const cause = isJailed ? "jailed" : "weak";
  return { ...view, cause, block: unbondingHeight, ...untilOf(sim, unbondingTime) };
}
