import type { StoreUpgrades } from "../store/store-upgrades.ts";

/**
 * Behaviour of a binary's upgrade Handler besides running migrations; defects exist for teaching
 * (rules/upgrade 7.4).
 */
export type MigrationBehaviour =
  | { readonly kind: "ok" }
  | { readonly kind: "error"; readonly text: string }
  | { readonly kind: "panic"; readonly text: string }
  /** Each node writes something different: the app hashes diverge. */
  | { readonly kind: "nondeterministic" }
  /** It returns this version map, whatever the migrations made of the modules; `migrates`: whether it runs them. */
  | {
      readonly kind: "returns";
      readonly versions: Readonly<Record<string, number>>;
      readonly migrates: boolean;
    };

/** A software version: everything about a binary that matters to a chain. Immutable data. */
export interface BinarySpec {
  readonly name: string;
  /** Consensus version by module; a name without code in the engine is a generic module. */
  readonly modules: Readonly<Record<string, number>>;
  /** Plan names for which it carries an UpgradeHandler. */
  readonly handlers: readonly string[];
  /** The store upgrades of its StoreLoader, by plan name. */
  readonly stores: Readonly<Record<string, StoreUpgrades>>;
  readonly migration: MigrationBehaviour;
}

/** A binary's store upgrades for a plan, whose name may be that of anything an object inherits. */
export const storeUpgradesOf = ({ stores }: BinarySpec, plan: string): StoreUpgrades | undefined =>
  Object.hasOwn(stores, plan) ? stores[plan] : undefined;

/** Today's modules at today's versions: the binary every world has. */
export const V1: BinarySpec = {
  name: "v1",
  modules: { bank: 4, evidence: 1, gov: 5, slashing: 4, staking: 5, upgrade: 2 },
  handlers: [],
  stores: {},
  migration: { kind: "ok" },
};
