import type { Context } from "../../framework/context.ts";
import {
  scheduleMembership,
  scheduleRemovalCheck,
  startWhenUnjailed,
  stopWhenJailed,
} from "./clock.ts";
import type { SlashingKeeper } from "./keeper.ts";
import { addressKey, MEMBERSHIP, PREFIX, SLASHING } from "./keys.ts";
import { note } from "./steps.ts";
import { newSigningInfo } from "./types.ts";

/** What slashing does when staking changes. Staking facts §1.7; the clock's part is clock.ts. */
export const stakingHooks = (k: SlashingKeeper) => ({
  afterValidatorCreated(ctx: Context, operator: Uint8Array): void {
    const validator = k.staking.validator(ctx, operator);
    k.addPubkey(ctx, validator);
    const { consensusAddress } = validator;
    if (ctx.profile.tombstonedKey !== "jailed" || !k.isTombstoned(ctx, consensusAddress)) return;
    note(ctx, "tombstoned_key", { address: consensusAddress }, "refused");
    k.jail(ctx, consensusAddress);
  },

  /** The signing info stays: a tombstoned key stays tombstoned for ever. */
  afterValidatorRemoved(ctx: Context, address: Uint8Array): void {
    ctx.store(SLASHING).delete(addressKey(PREFIX.pubkey, address));
    scheduleRemovalCheck(ctx, address);
  },

  afterValidatorBonded(ctx: Context, address: Uint8Array): void {
    const known = k.getSigningInfo(ctx, address);
    const info = known && { ...known, startHeight: ctx.height };
    k.setSigningInfo(ctx, address, info ?? newSigningInfo(ctx.height));
    scheduleMembership(ctx, address, MEMBERSHIP.joins);
  },

  afterValidatorBeginUnbonding(ctx: Context, address: Uint8Array): void {
    scheduleMembership(ctx, address, MEMBERSHIP.leaves);
  },

  afterValidatorJailed(ctx: Context, address: Uint8Array): void {
    stopWhenJailed(k.consensusVersion, ctx, address);
  },

  afterValidatorUnjailed(ctx: Context, address: Uint8Array): void {
    startWhenUnjailed(ctx, address);
  },
});
