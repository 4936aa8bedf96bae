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

/** The keepers that evidence needs of staking and slashing. */
export const forEvidence = (
  staking: StakingKeeper,
  slashing: SlashingKeeper,
): { readonly staking: EvidenceStaking; readonly slashing: SlashingKeeper } => ({
  staking: {
    validatorByConsAddr: (ctx, address) => staking.validatorByConsAddr(ctx, address),
  },
  slashing,
});

/** The contents of gov v1beta1 by which a plan is scheduled and cancelled. */
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

/** The keepers that governance needs of bank and staking. */
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
