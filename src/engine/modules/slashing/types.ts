import { create } from "@bufbuild/protobuf";
import { fromUtf8, utf8 } from "../../../base/bytes.ts";
import { type Dec, decMulInt, decToString, ONE, roundInt } from "../../../base/dec.ts";
import {
  type Duration,
  fromTimestamp,
  goDuration,
  MINUTE,
  type Time,
  toTimestamp,
} from "../../../base/time.ts";
import * as pb from "../../../gen/chain/slashing/v1beta1/slashing_pb.ts";
import { decodeMessage, encodeMessage } from "../../framework/codec.ts";
import { plainError } from "../../framework/errors.ts";
import type { Codec } from "../../store/kv-store.ts";

export interface Params {
  /** Blocks over which misses are counted. */
  readonly signedBlocksWindow: number;
  readonly minSignedPerWindow: Dec;
  readonly downtimeJailDuration: Duration;
  readonly slashFractionDoubleSign: Dec;
  readonly slashFractionDowntime: Dec;
}

/** Parameters of a chain whose genesis has none (rules/slashing 1.1). */
export const DEFAULT_PARAMS: Params = {
  signedBlocksWindow: 100,
  minSignedPerWindow: ONE / 2n,
  downtimeJailDuration: 10n * MINUTE,
  slashFractionDoubleSign: ONE / 20n,
  slashFractionDowntime: ONE / 100n,
};

/** Number of blocks of the window that must be signed, rounded half to even. */
export const minSigned = ({ minSignedPerWindow, signedBlocksWindow }: Params): number =>
  Number(roundInt(decMulInt(minSignedPerWindow, BigInt(signedBlocksWindow))));

/** Signing info of a consensus key, stored even after its validator was removed. */
export interface SigningInfo {
  /** Height at which it was last bonded. */
  readonly startHeight: number;
  /** Votes counted before the current run; messages contain the sum (vote-count.ts). */
  readonly indexOffset: number;
  readonly jailedUntil: Time;
  readonly tombstoned: boolean;
  readonly missedBlocksCounter: number;
}

export const newSigningInfo = (startHeight: number): SigningInfo => ({
  startHeight,
  indexOffset: 0,
  jailedUntil: 0n,
  tombstoned: false,
  missedBlocksCounter: 0,
});

/** @param address bech32 text, or empty if only the record's key contains it */
export const signingInfoToMessage = (info: SigningInfo, address: string): pb.ValidatorSigningInfo =>
  create(pb.ValidatorSigningInfoSchema, {
    address,
    startHeight: BigInt(info.startHeight),
    indexOffset: BigInt(info.indexOffset),
    jailedUntil: toTimestamp(info.jailedUntil),
    tombstoned: info.tombstoned,
    missedBlocksCounter: BigInt(info.missedBlocksCounter),
  });

export const signingInfoFromMessage = (m: pb.ValidatorSigningInfo): SigningInfo => ({
  startHeight: Number(m.startHeight),
  indexOffset: Number(m.indexOffset),
  jailedUntil: m.jailedUntil === undefined ? 0n : fromTimestamp(m.jailedUntil),
  tombstoned: m.tombstoned,
  missedBlocksCounter: Number(m.missedBlocksCounter),
});

/** Decodes a Dec in these parameters: bytes with the digits of value × 10^18. Unset is zero. */
function dec(bytes: Uint8Array): Dec {
  const text = fromUtf8(bytes);
  if (!/^(-?\d+)?$/.test(text)) throw plainError(`invalid decimal: ${text}`);
  return BigInt(text);
}

const digits = (value: Dec): Uint8Array => utf8(value.toString());

export const paramsToMessage = (p: Params): pb.Params =>
  create(pb.ParamsSchema, {
    signedBlocksWindow: BigInt(p.signedBlocksWindow),
    minSignedPerWindow: digits(p.minSignedPerWindow),
    downtimeJailDuration: toTimestamp(p.downtimeJailDuration),
    slashFractionDoubleSign: digits(p.slashFractionDoubleSign),
    slashFractionDowntime: digits(p.slashFractionDowntime),
  });

export const paramsFromMessage = (m: pb.Params | undefined): Params => {
  const message = m ?? create(pb.ParamsSchema);
  const { downtimeJailDuration: duration } = message;
  return {
    signedBlocksWindow: Number(message.signedBlocksWindow),
    minSignedPerWindow: dec(message.minSignedPerWindow),
    downtimeJailDuration: duration === undefined ? 0n : fromTimestamp(duration),
    slashFractionDoubleSign: dec(message.slashFractionDoubleSign),
    slashFractionDowntime: dec(message.slashFractionDowntime),
  };
};

export const paramsCodec: Codec<Params> = {
  encode: (params) => encodeMessage(pb.ParamsSchema, paramsToMessage(params)),
  decode: (bytes) => paramsFromMessage(decodeMessage(pb.ParamsSchema, bytes)),
};

/**
 * Reads parameters; throws upstream's text for the first that is out of bounds (rules/slashing
 * 1.1).
 */
export function validParams(message: pb.Params | undefined): Params {
  const params = paramsFromMessage(message);
  if (params.signedBlocksWindow <= 0) {
    throw plainError(`signed blocks window must be positive: ${message?.signedBlocksWindow ?? 0n}`);
  }
  mustBeFraction("min signed per window", params.minSignedPerWindow);
  if (params.downtimeJailDuration <= 0n) {
    const duration = goDuration(params.downtimeJailDuration);
    throw plainError(`downtime jail duration must be positive: ${duration}`);
  }
  mustBeFraction("double sign slash fraction", params.slashFractionDoubleSign);
  mustBeFraction("downtime slash fraction", params.slashFractionDowntime);
  return params;
}

function mustBeFraction(name: string, value: Dec): void {
  if (value < 0n) throw plainError(`${name} cannot be negative: ${decToString(value)}`);
  if (value > ONE) throw plainError(`${name} too large: ${decToString(value)}`);
}
