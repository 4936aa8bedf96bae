import type { Dec } from "../../../base/dec.ts";
import { DAY, type Duration, type Time } from "../../../base/time.ts";

/** Module accounts with the staked tokens. */
export const BONDED_POOL = "bonded_tokens_pool";
export const NOT_BONDED_POOL = "not_bonded_tokens_pool";

/** Tokens per unit of voting power (rules/staking 1.1). */
export const POWER_REDUCTION = 1_000_000n;

export type BondStatus = "unbonded" | "unbonding" | "bonded";

export interface Description {
  readonly moniker: string;
  readonly identity: string;
  readonly website: string;
  readonly securityContact: string;
  readonly details: string;
}

export interface CommissionRates {
  readonly rate: Dec;
  readonly maxRate: Dec;
  readonly maxChangeRate: Dec;
}

/** A validator in staking. Immutable: every change creates a new one. */
export interface Validator {
  /** 20 bytes; also the operator's account address. */
  readonly operator: Uint8Array;
  /** ed25519, 32 bytes. */
  readonly consensusPubkey: Uint8Array;
  /** First 20 bytes of the key's SHA-256. */
  readonly consensusAddress: Uint8Array;
  readonly jailed: boolean;
  readonly status: BondStatus;
  /** In the bond denom's smallest unit. */
  readonly tokens: bigint;
  readonly delegatorShares: Dec;
  readonly description: Description;
  /** Height at which it left the set; 0 if never. */
  readonly unbondingHeight: number;
  /** End of its unbonding; the epoch if never started. */
  readonly unbondingTime: Time;
  readonly commission: CommissionRates & { readonly updateTime: Time };
  readonly minSelfDelegation: bigint;
}

export interface Delegation {
  readonly delegator: Uint8Array;
  readonly validator: Uint8Array;
  readonly shares: Dec;
}

interface Entry {
  /** Height at which it was created; it is slashed for infractions at or before this height. */
  readonly creationHeight: number;
  readonly completionTime: Time;
  /** Initial tokens: the basis of slashes. */
  readonly initialBalance: bigint;
}

export interface UnbondingEntry extends Entry {
  /** Tokens still to be paid out. */
  readonly balance: bigint;
}

export interface UnbondingDelegation {
  readonly delegator: Uint8Array;
  readonly validator: Uint8Array;
  readonly entries: readonly UnbondingEntry[];
}

export interface RedelegationEntry extends Entry {
  /** Shares at the destination received for the tokens. */
  readonly sharesDst: Dec;
}

export interface Redelegation {
  readonly delegator: Uint8Array;
  readonly validatorSrc: Uint8Array;
  readonly validatorDst: Uint8Array;
  readonly entries: readonly RedelegationEntry[];
}

export interface Params {
  readonly unbondingTime: Duration;
  readonly maxValidators: number;
  readonly maxEntries: number;
  readonly historicalEntries: number;
  readonly bondDenom: string;
  readonly minCommissionRate: Dec;
}

/** Parameters of a chain whose genesis has none (rules/staking 1.3). */
export const DEFAULT_PARAMS: Params = {
  unbondingTime: 21n * DAY,
  maxValidators: 100,
  maxEntries: 7,
  historicalEntries: 10_000,
  bondDenom: "stake",
  minCommissionRate: 0n,
};

/** Returns true if an entry has matured; equal times count (rules/staking 3.3). */
export const isMature = (entry: Pick<Entry, "completionTime">, now: Time): boolean =>
  entry.completionTime <= now;
