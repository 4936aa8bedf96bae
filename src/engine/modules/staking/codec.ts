import {
  create,
  type DescMessage,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import {
  type Any,
  type Int64Value,
  Int64ValueSchema,
  StringValueSchema,
} from "@bufbuild/protobuf/wkt";
import { hash20 } from "../../../base/address.ts";
import { accAddress, fromAccAddress, fromValAddress, valAddress } from "../../../base/bech32.ts";
import { type Duration, fromTimestamp, type Time, toTimestamp } from "../../../base/time.ts";
import { PubKeySchema } from "../../../gen/chain/crypto/ed25519/keys_pb.ts";
import * as pb from "../../../gen/chain/staking/v1beta1/staking_pb.ts";
import { decodeMessage, encodeMessage, packInit, unpackAny } from "../../framework/codec.ts";
import { plainError } from "../../framework/errors.ts";
import type { Codec } from "../../store/kv-store.ts";
import type {
  BondStatus,
  CommissionRates,
  Delegation,
  Description,
  Params,
  Redelegation,
  UnbondingDelegation,
  Validator,
} from "./types.ts";

/**
 * Converts staking's records between the engine's form and protobuf. Throws a plain error for an
 * invalid record.
 */

const INTEGER = /^-?\d+$/;

/** Parses an Int, or a Dec as the digits of value × 10^18; unset text is zero. */
export function integer(text: string): bigint {
  if (text === "") return 0n;
  if (!INTEGER.test(text)) throw plainError(`invalid integer: ${text}`);
  return BigInt(text);
}

const timeOf = (timestamp: { seconds: bigint; nanos: number } | undefined): Time =>
  timestamp === undefined ? 0n : fromTimestamp(timestamp);

/** Unpacks an ed25519 key of any length; undefined for another kind of key or none. */
export const unpackPubkey = (any: pb.Validator["consensusPubkey"]): Uint8Array | undefined =>
  unpackAny(PubKeySchema, any)?.key;

/** Length of an ed25519 public key in bytes. */
export const PUBKEY_SIZE = 32;

const packed = new WeakMap<Uint8Array, Any>();

/** Packs a validator's key for messages; cached and shared. */
export function packPubkey(key: Uint8Array): Any {
  let any = packed.get(key);
  if (any === undefined) {
    any = packInit(PubKeySchema, { key });
    packed.set(key, any);
  }
  return any;
}

const STATUS: Readonly<Record<BondStatus, pb.BondStatus>> = {
  unbonded: pb.BondStatus.UNBONDED,
  unbonding: pb.BondStatus.UNBONDING,
  bonded: pb.BondStatus.BONDED,
};

function statusOf(status: pb.BondStatus): BondStatus {
  if (status === pb.BondStatus.UNBONDED) return "unbonded";
  if (status === pb.BondStatus.UNBONDING) return "unbonding";
  if (status === pb.BondStatus.BONDED) return "bonded";
  throw plainError(`invalid validator status: ${status}`);
}

export const statusText = (status: BondStatus): string => `BOND_STATUS_${status.toUpperCase()}`;

export const descriptionOf = (d: pb.Description | undefined): Description => ({
  moniker: d?.moniker ?? "",
  identity: d?.identity ?? "",
  website: d?.website ?? "",
  securityContact: d?.securityContact ?? "",
  details: d?.details ?? "",
});

export const ratesOf = (rates: pb.CommissionRates | undefined): CommissionRates => ({
  rate: integer(rates?.rate ?? ""),
  maxRate: integer(rates?.maxRate ?? ""),
  maxChangeRate: integer(rates?.maxChangeRate ?? ""),
});

export const commissionToMessage = (
  c: Validator["commission"],
): MessageInitShape<typeof pb.CommissionSchema> => ({
  commissionRates: {
    rate: c.rate.toString(),
    maxRate: c.maxRate.toString(),
    maxChangeRate: c.maxChangeRate.toString(),
  },
  updateTime: toTimestamp(c.updateTime),
});

const validatorFields = (v: Validator): MessageInitShape<typeof pb.ValidatorSchema> => ({
  operatorAddress: valAddress(v.operator),
  consensusPubkey: packPubkey(v.consensusPubkey),
  jailed: v.jailed,
  status: STATUS[v.status],
  tokens: v.tokens.toString(),
  delegatorShares: v.delegatorShares.toString(),
  description: v.description,
  unbondingHeight: BigInt(v.unbondingHeight),
  unbondingTime: toTimestamp(v.unbondingTime),
  commission: commissionToMessage(v.commission),
  minSelfDelegation: v.minSelfDelegation.toString(),
});

export const validatorToMessage = (v: Validator): pb.Validator =>
  create(pb.ValidatorSchema, validatorFields(v));

export function validatorFromMessage(m: pb.Validator): Validator {
  const consensusPubkey = unpackPubkey(m.consensusPubkey);
  if (consensusPubkey?.length !== PUBKEY_SIZE) {
    throw plainError(
      `validator ${m.operatorAddress} has no ed25519 public key of ${PUBKEY_SIZE} bytes`,
    );
  }
  return {
    operator: fromValAddress(m.operatorAddress),
    consensusPubkey,
    consensusAddress: hash20(consensusPubkey),
    jailed: m.jailed,
    status: statusOf(m.status),
    tokens: integer(m.tokens),
    delegatorShares: integer(m.delegatorShares),
    description: descriptionOf(m.description),
    unbondingHeight: Number(m.unbondingHeight),
    unbondingTime: timeOf(m.unbondingTime),
    commission: {
      ...ratesOf(m.commission?.commissionRates),
      updateTime: timeOf(m.commission?.updateTime),
    },
    minSelfDelegation: integer(m.minSelfDelegation),
  };
}

export const delegationToMessage = (
  d: Delegation,
): MessageInitShape<typeof pb.DelegationSchema> => ({
  delegatorAddress: accAddress(d.delegator),
  validatorAddress: valAddress(d.validator),
  shares: d.shares.toString(),
});

export const delegationFromMessage = (m: pb.Delegation): Delegation => ({
  delegator: fromAccAddress(m.delegatorAddress),
  validator: fromValAddress(m.validatorAddress),
  shares: integer(m.shares),
});

export const unbondingToMessage = (
  u: UnbondingDelegation,
): MessageInitShape<typeof pb.UnbondingDelegationSchema> => ({
  delegatorAddress: accAddress(u.delegator),
  validatorAddress: valAddress(u.validator),
  entries: u.entries.map((entry) => ({
    creationHeight: BigInt(entry.creationHeight),
    completionTime: toTimestamp(entry.completionTime),
    initialBalance: entry.initialBalance.toString(),
    balance: entry.balance.toString(),
  })),
});

export const unbondingFromMessage = (m: pb.UnbondingDelegation): UnbondingDelegation => ({
  delegator: fromAccAddress(m.delegatorAddress),
  validator: fromValAddress(m.validatorAddress),
  entries: m.entries.map((entry) => ({
    creationHeight: Number(entry.creationHeight),
    completionTime: timeOf(entry.completionTime),
    initialBalance: integer(entry.initialBalance),
    balance: integer(entry.balance),
  })),
});

export const redelegationToMessage = (
  r: Redelegation,
): MessageInitShape<typeof pb.RedelegationSchema> => ({
  delegatorAddress: accAddress(r.delegator),
  validatorSrcAddress: valAddress(r.validatorSrc),
  validatorDstAddress: valAddress(r.validatorDst),
  entries: r.entries.map((entry) => ({
    creationHeight: BigInt(entry.creationHeight),
    completionTime: toTimestamp(entry.completionTime),
    initialBalance: entry.initialBalance.toString(),
    sharesDst: entry.sharesDst.toString(),
  })),
});

export const redelegationFromMessage = (m: pb.Redelegation): Redelegation => ({
  delegator: fromAccAddress(m.delegatorAddress),
  validatorSrc: fromValAddress(m.validatorSrcAddress),
  validatorDst: fromValAddress(m.validatorDstAddress),
  entries: m.entries.map((entry) => ({
    creationHeight: Number(entry.creationHeight),
    completionTime: timeOf(entry.completionTime),
    initialBalance: integer(entry.initialBalance),
    sharesDst: integer(entry.sharesDst),
  })),
});

export const paramsToMessage = (p: Params): MessageInitShape<typeof pb.ParamsSchema> => ({
  unbondingTime: toTimestamp(p.unbondingTime),
  maxValidators: p.maxValidators,
  maxEntries: p.maxEntries,
  historicalEntries: p.historicalEntries,
  bondDenom: p.bondDenom,
  minCommissionRate: p.minCommissionRate.toString(),
});

export const paramsFromMessage = (m: pb.Params | undefined): Params => ({
  unbondingTime: timeOf(m?.unbondingTime) as Duration,
  maxValidators: m?.maxValidators ?? 0,
  maxEntries: m?.maxEntries ?? 0,
  historicalEntries: m?.historicalEntries ?? 0,
  bondDenom: m?.bondDenom ?? "",
  minCommissionRate: integer(m?.minCommissionRate ?? ""),
});

const codec = <D extends DescMessage, T>(
  schema: D,
  toMessage: (value: T) => MessageInitShape<D>,
  fromMessage: (message: MessageShape<D>) => T,
): Codec<T> => ({
  encode: (value) => encodeMessage(schema, toMessage(value)),
  decode: (bytes) => fromMessage(decodeMessage(schema, bytes)),
});

/**
 * Deferred codec for records whose texts, numbers and times are known to be valid in protobuf, so
 * that encoding can wait.
 */
const lateCodec = <D extends DescMessage, T>(
  ...parts: Parameters<typeof codec<D, T>>
): Codec<T> => ({
  ...codec(...parts),
  late: true,
});

export const validatorCodec = lateCodec(pb.ValidatorSchema, validatorFields, validatorFromMessage);
export const delegationCodec = lateCodec(
  pb.DelegationSchema,
  delegationToMessage,
  delegationFromMessage,
);
export const unbondingCodec = lateCodec(
  pb.UnbondingDelegationSchema,
  unbondingToMessage,
  unbondingFromMessage,
);
export const redelegationCodec = lateCodec(
  pb.RedelegationSchema,
  redelegationToMessage,
  redelegationFromMessage,
);
export const paramsCodec = codec(pb.ParamsSchema, paramsToMessage, paramsFromMessage);
/** IntProto: the digits as field 1, the wire form of google.protobuf.StringValue. */
export const intCodec = codec(
  StringValueSchema,
  (value: bigint) => ({ value: value.toString() }),
  ({ value }) => BigInt(value),
);
/** A voting power, as google.protobuf.Int64Value. */
export const powerCodec = codec(
  Int64ValueSchema,
  (power: number) => ({ value: BigInt(power) }),
  (message: Int64Value) => Number(message.value),
);
