import type { Context } from "../../framework/context.ts";
import type { SlashingKeeper } from "./keeper.ts";
import { addressKey, PREFIX, SLASHING } from "./keys.ts";
import { note } from "./steps.ts";
import { newSigningInfo } from "./types.ts";
import { lookAtEveryVote } from "./vote-count.ts";

/** Hooks of slashing on staking (rules/slashing 5.1, 5.2); for the last one see vote-count.ts. */
export const stakingHooks = (k: SlashingKeeper) => ({
  afterValidatorCreated(ctx: Context, operator: Uint8Array): void {
    const validator = k.staking.validator(ctx, operator);
    k.addPubkey(ctx, validator);
    const { consensusAddress } = validator;
    if (!k.isTombstoned(ctx, consensusAddress) || ctx.profile.tombstonedKey !== "jailed") return;
    note(ctx, "tombstoned_key", { address: consensusAddress }, "refused");
    k.jail(ctx, consensusAddress);
  },

  /** The signing info is not deleted: a tombstoned key remains tombstoned forever. */
  afterValidatorRemoved(ctx: Context, address: Uint8Array): void {
    ctx.store(SLASHING).delete(addressKey(PREFIX.pubkey, address));
    lookAtEveryVote(ctx);
  },

  afterValidatorBonded(ctx: Context, address: Uint8Array): void {
    const known = k.getSigningInfo(ctx, address);
    const info = known && { ...known, startHeight: ctx.height };
    k.setSigningInfo(ctx, address, info ?? newSigningInfo(ctx.height));
  },

  afterJailedChanged: lookAtEveryVote,
});
