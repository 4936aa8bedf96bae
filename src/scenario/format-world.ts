/** Converts a world's genesis to scenario format: the inverse of genesis.ts and binaries.ts. */

import { toHexUpper } from "../base/bytes.ts";
import { sha256 } from "../base/sha256.ts";
import { formatRfc3339 } from "../base/time.ts";
import { type BinarySpec, V1 } from "../engine/app/binary.ts";
import { EVIDENCE_TYPES } from "../engine/app/chain-config.ts";
import { ROUTE_COUNTERFACTUAL } from "../engine/modules/evidence/counterfactual.ts";
import { ROUTE_EQUIVOCATION } from "../engine/modules/evidence/equivocation.ts";
import { ROUTE_SCRIPTED } from "../engine/modules/evidence/scripted.ts";
import { equalValidators, newWorldSpec } from "../engine/simulation/genesis/new-world.ts";
import {
  type ModuleParams,
  type ParamsModule,
  parametersOf,
  worldParams,
} from "../engine/simulation/genesis/params.ts";
import type { ValidatorSpec, WorldSpec } from "../engine/simulation/genesis/world-spec.ts";
import { migrationToJson } from "../view/genesis.ts";
import { durationText, formatParams } from "./genesis-params.ts";

type SourceObject = Readonly<Record<string, unknown>>;

/** Routes of the evidence types built into every chain. */
export const BUILT_IN_ROUTES: readonly string[] = [
  ROUTE_EQUIVOCATION,
  ROUTE_COUNTERFACTUAL,
  ROUTE_SCRIPTED,
  ...EVIDENCE_TYPES.map(({ route }) => route),
];

/**
 * The `genesis` section of a new chain, without defaults. Throws an Error with the part that
 * scenarios cannot express.
 */
export function formatGenesis(spec: WorldSpec): SourceObject {
  const denom = spec.staking.bondDenom;
  const { validators, accounts } = spec;
  const types = spec.evidenceRoutes.filter((route) => !BUILT_IN_ROUTES.includes(route));
  const equal = equalValidators(validators.length);
  return {
    ...unlike(chainOf(spec), chainOf(newWorldSpec())),
    ...(types.length > 0 ? { evidence_types: types } : {}),
    ...filled("slashing", paramsUnlike("slashing", spec, denom)),
    ...filled("staking", paramsUnlike("staking", spec, denom)),
    ...filled("gov", {
      ...paramsUnlike("gov", spec, denom),
      ...unlike(safetyOf(spec), safetyOf(newWorldSpec())),
    }),
    ...filled(
      "accounts",
      Object.fromEntries(accounts.map(({ name, amount }) => [name, `${amount}${denom}`])),
    ),
    validators: same(validators.map(formatValidator), equal.map(formatValidator))
      ? validators.length
      : validators.map(formatValidator),
  };
}

/**
 * The genesis values of a world by their paths in a scenario file, including defaults. For an
 * exported state these are the settings that the file may add to it.
 */
export function genesisValues(spec: WorldSpec): ReadonlyMap<string, string> {
  const { seed, validators, accounts, binaries, start } = spec;
  const chain = Object.entries(chainOf(spec));
  const modules = (["slashing", "staking", "gov"] as const).flatMap((module) =>
    Object.entries(formatParams<ParamsModule>(module, spec[module])).map(
      ([key, value]) => [`${module}.${key}`, value] as const,
    ),
  );
  const values: (readonly [string, unknown])[] = [
    ["seed", seed],
    ...chain.map(([key, value]) => [`genesis.${key}`, value] as const),
    ...modules.map(([key, value]) => [`genesis.${key}`, value] as const),
    ["genesis.gov.safety_delta", durationText(spec.safetyDelta)],
    ...accounts.map(({ name, amount }) => [`genesis.accounts.${name}`, `${amount}`] as const),
    ...validators.map(
      ({ name, stake, binary }) => [`genesis.validators.${name}`, `${stake}, ${binary}`] as const,
    ),
    ...binaries.map(({ name, ...binary }) => [`binaries.${name}`, JSON.stringify(binary)] as const),
    ...Object.entries(start?.appState ?? {}).map(
      ([module, bytes]) => [`genesis.import.${module}`, toHexUpper(sha256(bytes))] as const,
    ),
  ];
  return new Map(
    values.map(([key, value]) => [key, Array.isArray(value) ? value.join(", ") : `${value}`]),
  );
}

/** The `binaries` section. Throws an Error with the part that scenarios cannot express. */
export const formatBinaries = (binaries: readonly BinarySpec[]): SourceObject =>
  Object.fromEntries(
    binaries.flatMap((binary) =>
      binary.name === V1.name ? [] : [[binary.name, formatBinary(binary)]],
    ),
  );

const chainOf = (spec: WorldSpec): SourceObject => ({
  chain_id: spec.chainId,
  ...(spec.prefix === undefined ? {} : { prefix: spec.prefix }),
  genesis_time: formatRfc3339(spec.genesisTime),
  initial_height: spec.initialHeight,
  profile: spec.profile,
  block_time: durationText(spec.blockTime),
  denom: spec.staking.bondDenom,
  max_evidence_age: durationText(spec.maxEvidenceAge),
  max_evidence_age_blocks: spec.maxEvidenceAgeBlocks,
  ...(spec.maxEvidenceBytes === undefined ? {} : { max_evidence_bytes: spec.maxEvidenceBytes }),
  evidence_routes: [...spec.evidenceRoutes],
  commits: spec.commits,
});

const safetyOf = ({ safetyDelta }: WorldSpec): SourceObject => ({
  safety_delta: durationText(safetyDelta),
});

/** The parameters that differ from their defaults. */
function paramsUnlike<M extends ParamsModule>(
  module: M,
  spec: WorldSpec,
  denom: string,
): SourceObject {
  const params: ModuleParams[M] = spec[module];
  const following = parametersOf(module).filter(({ rule }) => rule.defaultText !== undefined);
  const input = Object.fromEntries(
    Object.entries(params).filter(
      ([key]) => key !== "$typeName" && !following.some(({ field }) => field.localName === key),
    ),
  );
  const derived = worldParams(denom, { [module]: input })[module];
  const usual = worldParams(denom)[module];
  const own = formatParams(module, params);
  const ofDerived = formatParams(module, derived);
  const ofUsual = formatParams(module, usual);
  const follows = new Set(following.map(({ field }) => field.name));
  return Object.fromEntries(
    Object.entries(own).filter(
      ([key, value]) => !same(value, (follows.has(key) ? ofDerived : ofUsual)[key]),
    ),
  );
}

const formatValidator = ({ name, stake, binary }: ValidatorSpec): SourceObject => ({
  name,
  stake: stake <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(stake) : `${stake}`,
  ...(binary === V1.name ? {} : { binary }),
});

function formatBinary({ name, modules, handlers, stores, migration }: BinarySpec): SourceObject {
  const missing = Object.keys(V1.modules).find((module) => modules[module] === undefined);
  if (missing !== undefined) {
    throw new Error(`binary ${name} lacks ${missing}, which every chain of a scenario needs`);
  }
  return {
    ...filled("modules", unlike(modules, V1.modules)),
    ...(handlers.length > 0 ? { handlers: [...handlers] } : {}),
    ...filled(
      "stores",
      Object.fromEntries(
        Object.entries(stores).map(([plan, { added, renamed, deleted }]) => [
          plan,
          {
            ...(added.length > 0 ? { added: [...added] } : {}),
            ...(renamed.length > 0
              ? { renamed: renamed.map((one) => ({ old_key: one.oldKey, new_key: one.newKey })) }
              : {}),
            ...(deleted.length > 0 ? { deleted: [...deleted] } : {}),
          },
        ]),
      ),
    ),
    ...(migration.kind === "ok" ? {} : { migration: migrationToJson(migration) }),
  };
}

/** The entries of a map that differ from another map. */
const unlike = (map: SourceObject, usual: SourceObject): SourceObject =>
  Object.fromEntries(Object.entries(map).filter(([key, value]) => !same(value, usual[key])));

const filled = (key: string, map: SourceObject): SourceObject =>
  Object.keys(map).length > 0 ? { [key]: map } : {};

const same = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
