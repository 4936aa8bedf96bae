import { moduleAddress } from "../../base/address.ts";
import { moduleAccount } from "../../base/bech32.ts";
import { utf8 } from "../../base/bytes.ts";
import { Panic, plainError } from "../framework/errors.ts";
import { runMigrations } from "../framework/migrations.ts";
import type { Module } from "../framework/module.ts";
import type { ServiceRouter } from "../framework/router.ts";
import type { BankKeeper } from "../modules/bank/keeper.ts";
import { createBankModule } from "../modules/bank/module.ts";
import type { EvidenceKeeper } from "../modules/evidence/keeper.ts";
import { createEvidenceModule } from "../modules/evidence/module.ts";
import type { GovKeeper } from "../modules/gov/keeper.ts";
import { createGovModule } from "../modules/gov/module.ts";
import type { SlashingKeeper } from "../modules/slashing/keeper.ts";
import { createSlashingModule } from "../modules/slashing/module.ts";
import type { StakingKeeper } from "../modules/staking/keeper.ts";
import { createStakingModule } from "../modules/staking/module.ts";
import type { UpgradeKeeper } from "../modules/upgrade/keeper.ts";
import { createUpgradeModule } from "../modules/upgrade/module.ts";
import type { UpgradeHandler } from "../modules/upgrade/types.ts";
import type { BinarySpec } from "./binary.ts";
import type { ChainConfig } from "./chain-config.ts";
import { createGenericModule } from "./generic-module.ts";
import { forEvidence, forGov, upgradeContents } from "./needs.ts";

/** Keepers of the modules that every binary has; they read the modules' stores. */
export interface Keepers {
  readonly bank: BankKeeper;
  readonly staking: StakingKeeper;
  readonly slashing: SlashingKeeper;
  readonly gov: GovKeeper;
  readonly evidence: EvidenceKeeper;
  readonly upgrade: UpgradeKeeper;
}

/** Modules of a binary, wired, and the orders in which they run (rules/consensus 8.1). */
export interface Modules {
  readonly all: readonly Module[];
  readonly genesisOrder: readonly Module[];
  readonly preBlockOrder: readonly Module[];
  readonly beginBlockOrder: readonly Module[];
  readonly endBlockOrder: readonly Module[];
  readonly keepers: Keepers;
}

/** Creates a binary's modules; each gets the keepers declared in its needs.ts. */
export function createModules(
  binary: BinarySpec,
  config: ChainConfig,
  router: ServiceRouter,
): Modules {
  const authority = moduleAccount("gov");
  const version = (name: string): number => {
    const found = binary.modules[name];
    if (found === undefined) throw new Panic(`binary ${binary.name} has no module ${name}`);
    return found;
  };

  // Messages must not send to the pools; governance's account accepts coins.
  const blocked = ["bonded_tokens_pool", "not_bonded_tokens_pool"].map(moduleAddress);
  const bank = createBankModule({ consensusVersion: version("bank"), blocked });
  const staking = createStakingModule({
    bank: bank.keeper,
    authority,
    consensusVersion: version("staking"),
  });
  const slashing = createSlashingModule({
    staking: staking.keeper,
    authority,
    consensusVersion: version("slashing"),
  });
  staking.keeper.setHooks(slashing.hooks);
  const evidence = createEvidenceModule({
    ...forEvidence(staking.keeper, slashing.keeper),
    verifyVote: config.verifyVote,
    routes: config.evidenceRoutes,
    types: config.evidenceTypes ?? [],
    consensusVersion: version("evidence"),
  });
  const upgrade = createUpgradeModule({
    authority,
    consensusVersion: version("upgrade"),
  });
  const gov = createGovModule({
    ...forGov(bank.keeper, staking.keeper),
    authority,
    router,
    legacyContents: upgradeContents(upgrade.keeper),
    consensusVersion: version("gov"),
  });
  const all: Module[] = [bank, staking, slashing, gov, evidence];
  all.push(upgrade);
  const known = new Set(all.map((module) => module.name));
  for (const name of Object.keys(binary.modules).sort()) {
    if (!known.has(name)) all.push(createGenericModule(name, version(name)));
  }
  for (const name of binary.handlers) {
    upgrade.keeper.setUpgradeHandler(name, upgradeHandler(binary, all));
  }
  return {
    all,
    genesisOrder: all,
    preBlockOrder: [upgrade],
    beginBlockOrder: [slashing, evidence, staking],
    endBlockOrder: [gov, staking],
    keepers: {
      bank: bank.keeper,
      staking: staking.keeper,
      slashing: slashing.keeper,
      gov: gov.keeper,
      evidence: evidence.keeper,
      upgrade: upgrade.keeper,
    },
  };
}

/**
 * Returns the upgrade Handler of a binary: the migrations of its modules, or the defect configured
 * for it.
 */
const upgradeHandler =
  ({ migration }: BinarySpec, modules: readonly Module[]): UpgradeHandler =>
  (ctx, _plan, fromVM) => {
    if (migration.kind === "error") throw plainError(migration.text);
    if (migration.kind === "panic") throw new Panic(migration.text);
    if (migration.kind === "returns") {
      if (migration.migrates) runMigrations(ctx, modules, fromVM);
      return new Map(Object.entries(migration.versions));
    }
    const versions = runMigrations(ctx, modules, fromVM);
    if (migration.kind === "nondeterministic") {
      ctx.store("upgrade").set(utf8("built on"), utf8(ctx.env.node.name));
    }
    return versions;
  };
