import type { BankKeeper } from "../modules/bank/keeper.ts";
import type {
  StakingKeeper as EvidenceStaking,
  SlashingKeeper,
} from "../modules/evidence/needs.ts";
import type { BankKeeper as GovBank, StakingKeeper as GovStaking } from "../modules/gov/needs.ts";
import type { StakingKeeper } from "../modules/staking/keeper.ts";

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
