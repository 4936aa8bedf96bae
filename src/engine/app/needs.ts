import { create } from "@bufbuild/protobuf";
import {
  CancelSoftwareUpgradeProposalSchema,
  PlanSchema,
  SoftwareUpgradeProposalSchema,
} from "../../gen/chain/upgrade/v1beta1/upgrade_pb.ts";
import type { BankKeeper } from "../modules/bank/keeper.ts";
import type {
  StakingKeeper as EvidenceStaking,
  SlashingKeeper,
} from "../modules/evidence/needs.ts";
import type {
  BankKeeper as GovBank,
  StakingKeeper as GovStaking,
  LegacyContent,
} from "../modules/gov/needs.ts";
import type { StakingKeeper } from "../modules/staking/keeper.ts";
import type { UpgradeKeeper } from "../modules/upgrade/keeper.ts";

/** Keepers of staking and slashing that evidence needs. */
export const forEvidence = (
  staking: StakingKeeper,
  slashing: SlashingKeeper,
): { readonly staking: EvidenceStaking; readonly slashing: SlashingKeeper } => ({
  staking: {
    validatorByConsAddr: (ctx, address) => staking.validatorByConsAddr(ctx, address),
  },
  slashing,
});

/** Contents of gov v1beta1 that schedule and cancel a plan. */
export const upgradeContents = (upgrade: UpgradeKeeper): readonly LegacyContent[] => {
  const schedule: LegacyContent<typeof SoftwareUpgradeProposalSchema> = {
    schema: SoftwareUpgradeProposalSchema,
    route: "upgrade",
    handle: (ctx, { plan }) => upgrade.scheduleUpgrade(ctx, plan ?? create(PlanSchema)),
  };
  const cancel: LegacyContent<typeof CancelSoftwareUpgradeProposalSchema> = {
    schema: CancelSoftwareUpgradeProposalSchema,
    route: "upgrade",
    handle: (ctx) => upgrade.clearUpgradePlan(ctx),
  };
  return [schedule as LegacyContent, cancel as LegacyContent];
};

/** Keepers of bank and staking that governance needs. */
export const forGov = (
  bank: BankKeeper,
  staking: StakingKeeper,
): { readonly bank: GovBank; readonly staking: GovStaking } => ({
  bank,
  staking: {
    *iterateBondedValidatorsByPower(ctx) {
      for (const { operator, tokens, delegatorShares } of staking.bondedValidatorsByPower(ctx)) {
        yield { operator, bondedTokens: tokens, delegatorShares };
      }
    },
    delegationsOf: (ctx, delegator) => staking.delegatorDelegations(ctx, delegator),
    totalBondedTokens: (ctx) => staking.totalBondedTokens(ctx),
  },
});
