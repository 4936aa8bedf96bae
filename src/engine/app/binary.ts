import type { StoreUpgrades } from "../store/store-upgrades.ts";

/**
 * Behaviour of a binary's upgrade handler in addition to running migrations; defects exist for
 * teaching (rules/upgrade 7.4).
 */
export type MigrationBehaviour =
  | { readonly kind: "ok" }
  | { readonly kind: "error"; readonly text: string }
  | { readonly kind: "panic"; readonly text: string }
  /** Each node writes something different: the app hashes diverge. */
  | { readonly kind: "nondeterministic" }
  /** It returns this version map regardless of the migrations; `migrates`: whether it runs them. */
  | {
      readonly kind: "returns";
      readonly versions: Readonly<Record<string, number>>;
      readonly migrates: boolean;
    };

/** A software version: all properties of a binary that affect a chain. Immutable data. */
export interface BinarySpec {
  readonly name: string;
  /** Consensus version by module; a name without code in the engine is a generic module. */
  readonly modules: Readonly<Record<string, number>>;
  /** Plan names for which it has an UpgradeHandler. */
  readonly handlers: readonly string[];
  /** Store upgrades of its StoreLoader, by plan name. */
  readonly stores: Readonly<Record<string, StoreUpgrades>>;
  readonly migration: MigrationBehaviour;
}

/** Store upgrades of a binary for a plan. Plan names may equal inherited object properties. */
export const storeUpgradesOf = ({ stores }: BinarySpec, plan: string): StoreUpgrades | undefined =>
  Object.hasOwn(stores, plan) ? stores[plan] : undefined;

/** Current modules at current versions: the binary that every world has. */
export const V1: BinarySpec = {
  name: "v1",
  modules: { bank: 4, evidence: 1, gov: 5, slashing: 4, staking: 5, upgrade: 2 },
  handlers: [],
  stores: {},
  migration: { kind: "ok" },
};
