import { parseRfc3339, SECOND } from "../../../base/time.ts";
import { type BinarySpec, V1 } from "../../app/binary.ts";
import { DEFAULT_CONSENSUS_PARAMS } from "../../consensus/params.ts";
import { type ParamOverrides, worldParams } from "./params.ts";
import type { ValidatorSpec, WorldSpec } from "./world-spec.ts";

/** Defaults of a world, except its modules' parameters. */
export const WORLD_DEFAULTS = {
  seed: 1,
  chainId: "lab-1",
  genesisTime: parseRfc3339("2026-01-01T00:00:00Z"),
  initialHeight: 1,
  profile: "documented",
  blockTime: 5n * SECOND,
  denom: "stake",
  maxEvidenceAge: DEFAULT_CONSENSUS_PARAMS.evidence.maxAgeDuration,
  maxEvidenceAgeBlocks: DEFAULT_CONSENSUS_PARAMS.evidence.maxAgeNumBlocks,
  evidenceRoutes: ["equivocation", "counterfactual"],
  commits: "compact",
  safetyDelta: 60n * SECOND,
  validators: 4,
  /** Stake of each validator in the smallest unit; power 100. */
  stake: 100_000_000n,
} as const;

/** Returns validators val-0, val-1 … with equal stake, on v1. */
export const equalValidators = (count: number): readonly ValidatorSpec[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `val-${index}`,
    stake: WORLD_DEFAULTS.stake,
    binary: V1.name,
  }));

/** Overrides for a new chain; parameters may be partial. */
export type NewWorld = Partial<Omit<WorldSpec, "start" | keyof ParamOverrides>> &
  ParamOverrides & { readonly denom?: string };

/** Returns the spec of a new chain; defaults apply to fields that are absent. */
export function newWorldSpec({ denom = WORLD_DEFAULTS.denom, ...input }: NewWorld = {}): WorldSpec {
  const { validators, stake, denom: _, ...defaults } = WORLD_DEFAULTS;
  return {
    ...defaults,
    accounts: [],
    validators: equalValidators(validators),
    binaries: [V1] as readonly BinarySpec[],
    ...input,
    ...worldParams(denom, input),
  };
}
