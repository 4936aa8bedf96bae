import type { Dec } from "../../../base/dec.ts";
import type { Time } from "../../../base/time.ts";
import type { Vote } from "../../../gen/chain/consensus/v1/types_pb.ts";
import type { Context } from "../../framework/context.ts";

/** Fields of a validator that evidence reads. */
export interface ValidatorState {
  /** Operator address; empty for a validator that staking does not manage. */
  readonly operator: Uint8Array;
  readonly jailed: boolean;
  readonly status: "bonded" | "unbonding" | "unbonded";
}

export interface StakingKeeper {
  /** The validator with this consensus address (20 bytes); undefined if staking has none. */
  validatorByConsAddr(ctx: Context, consensusAddress: Uint8Array): ValidatorState | undefined;
}

export interface SlashingKeeper {
  /** Stored public key of a consensus address; undefined if there is none. */
  getPubkey(ctx: Context, consensusAddress: Uint8Array): Uint8Array | undefined;
  hasValidatorSigningInfo(ctx: Context, consensusAddress: Uint8Array): boolean;
  isTombstoned(ctx: Context, consensusAddress: Uint8Array): boolean;
  slashFractionDoubleSign(ctx: Context): Dec;
  slashWithInfractionReason(
    ctx: Context,
    consensusAddress: Uint8Array,
    fraction: Dec,
    power: number,
    distributionHeight: number,
    infraction: "double_sign",
  ): void;
  jail(ctx: Context, consensusAddress: Uint8Array): void;
  jailUntil(ctx: Context, consensusAddress: Uint8Array, time: Time): void;
  tombstone(ctx: Context, consensusAddress: Uint8Array): void;
}

/** Verifies a vote's ed25519 signature over its canonical sign bytes. */
export type VerifyVote = (chainId: string, vote: Vote, pubKey: Uint8Array) => boolean;

export interface EvidenceNeeds {
  readonly staking: StakingKeeper;
  readonly slashing: SlashingKeeper;
  readonly verifyVote: VerifyVote;
}
