import { AnySchema } from "@bufbuild/protobuf/wkt";
import { type Dec, truncateInt } from "../../../base/dec.ts";
import type { Time } from "../../../base/time.ts";
import { PubKeySchema } from "../../../gen/chain/crypto/ed25519/keys_pb.ts";
import { packInit, protoCodec, unpackAny } from "../../framework/codec.ts";
import type { Context } from "../../framework/context.ts";
import { ChainError } from "../../framework/errors.ts";
import {
  errNoSigningInfoFound,
  errSelfDelegationTooLowToUnjail,
  errValidatorJailed,
  errValidatorNotJailed,
  errValidatorTombstoned,
} from "./errors.ts";
import { emitJailed, emitSlash, type Infraction } from "./events.ts";
import { addressKey, PARAMS_KEY, PREFIX, SLASHING } from "./keys.ts";
import type { StakingKeeper, Validator } from "./needs.ts";
import { getSigningInfo, setSigningInfo } from "./signing-info.ts";
import { note } from "./steps.ts";
import { DEFAULT_PARAMS, type Params, paramsCodec, type SigningInfo } from "./types.ts";

export const anyCodec = protoCodec(AnySchema);

/**
 * Slashes, jails, tombstones and unjails validators. Addresses are consensus addresses of 20 bytes
 * unless otherwise named.
 */
export class SlashingKeeper {
  readonly staking: StakingKeeper;
  readonly consensusVersion: number;

  constructor(staking: StakingKeeper, consensusVersion: number) {
    this.staking = staking;
    this.consensusVersion = consensusVersion;
  }

  getParams(ctx: Context): Params {
    return ctx.store(SLASHING).read(PARAMS_KEY, paramsCodec) ?? DEFAULT_PARAMS;
  }

  setParams(ctx: Context, params: Params): void {
    ctx.store(SLASHING).write(PARAMS_KEY, paramsCodec, params);
  }

  slashFractionDoubleSign(ctx: Context): Dec {
    return this.getParams(ctx).slashFractionDoubleSign;
  }

  /** The ed25519 key of a consensus address; undefined if there is none. */
  getPubkey(ctx: Context, address: Uint8Array): Uint8Array | undefined {
    const any = ctx.store(SLASHING).read(addressKey(PREFIX.pubkey, address), anyCodec);
    return unpackAny(PubKeySchema, any)?.key;
  }

  addPubkey(ctx: Context, { consensusAddress, consensusPubkey }: Validator): void {
    const any = packInit(PubKeySchema, { key: consensusPubkey });
    ctx.store(SLASHING).write(addressKey(PREFIX.pubkey, consensusAddress), anyCodec, any);
  }

  getSigningInfo(ctx: Context, address: Uint8Array): SigningInfo | undefined {
    return getSigningInfo(ctx, address);
  }

  setSigningInfo(ctx: Context, address: Uint8Array, info: SigningInfo): void {
    setSigningInfo(this.consensusVersion, ctx, address, info);
  }

  hasValidatorSigningInfo(ctx: Context, address: Uint8Array): boolean {
    return getSigningInfo(ctx, address) !== undefined;
  }

  isTombstoned(ctx: Context, address: Uint8Array): boolean {
    return getSigningInfo(ctx, address)?.tombstoned ?? false;
  }

  /** Slashes through staking; emits the `slash` event only if that returns (rules/slashing 2.1). */
  slashWithInfractionReason(
    ctx: Context,
    address: Uint8Array,
    fraction: Dec,
    power: number,
    distributionHeight: number,
    infraction: Infraction,
  ): void {
    const burned = this.staking.slash(ctx, address, distributionHeight, power, fraction);
    emitSlash(ctx, address, power, infraction, burned);
    note(ctx, "slash", { address, fraction, power, infraction }, "ok");
  }

  /**
   * Jails through staking. An already jailed validator is not an error here; the event is still
   * emitted.
   */
  jail(ctx: Context, address: Uint8Array): void {
    try {
      this.staking.jail(ctx, address);
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      note(ctx, "jail_refused", { error: error.message }, "ignored");
    }
    emitJailed(ctx, address);
  }

  /** Throws slashing 8 without signing info. */
  jailUntil(ctx: Context, address: Uint8Array, time: Time): void {
    const info = this.#infoOr(
      ctx,
      address,
      "cannot jail validator that does not have any signing information",
    );
    this.setSigningInfo(ctx, address, { ...info, jailedUntil: time });
    note(ctx, "jail_until", { address, until: time }, "ok");
  }

  /** Throws slashing 8 without signing info, 9 if already tombstoned. */
  tombstone(ctx: Context, address: Uint8Array): void {
    const info = this.#infoOr(
      ctx,
      address,
      "cannot tombstone validator that does not have any signing information",
    );
    if (info.tombstoned) {
      throw errValidatorTombstoned.wrap("cannot tombstone validator that is already tombstoned");
    }
    this.setSigningInfo(ctx, address, { ...info, tombstoned: true });
    note(ctx, "tombstone", { address }, "ok");
  }

  /** Unjails a validator, or throws the first reason against it (rules/slashing 6.1). */
  unjail(ctx: Context, operator: Uint8Array): void {
    const validator = this.staking.validator(ctx, operator);
    const { shares } = this.staking.delegation(ctx, operator, operator);
    const tokens = truncateInt(this.staking.tokensFromShares(validator, shares));
    if (tokens < validator.minSelfDelegation) {
      const minimum = validator.minSelfDelegation;
      note(ctx, "low_self_delegation", { tokens, minimum }, "refused");
      throw errSelfDelegationTooLowToUnjail.wrap(`${tokens} less than ${minimum}`);
    }
    if (!validator.jailed) {
      note(ctx, "not_jailed", {}, "refused");
      throw errValidatorNotJailed.bare();
    }
    const info = getSigningInfo(ctx, validator.consensusAddress);
    if (info?.tombstoned) {
      note(ctx, "tombstoned", {}, "refused");
      throw errValidatorJailed.bare();
    }
    if (info !== undefined && ctx.time < info.jailedUntil) {
      note(ctx, "jail_not_over", { until: info.jailedUntil, now: ctx.time }, "refused");
      throw errValidatorJailed.bare();
    }
    this.staking.unjail(ctx, validator.consensusAddress);
  }

  #infoOr(ctx: Context, address: Uint8Array, words: string): SigningInfo {
    const info = getSigningInfo(ctx, address);
    if (info === undefined) throw errNoSigningInfoFound.wrap(words);
    return info;
  }
}
