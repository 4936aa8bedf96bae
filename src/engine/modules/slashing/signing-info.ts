import { consAddress } from "../../../base/bech32.ts";
import { ValidatorSigningInfoSchema } from "../../../gen/chain/slashing/v1beta1/slashing_pb.ts";
import { decodeMessage, encodeMessage } from "../../framework/codec.ts";
import type { Context } from "../../framework/context.ts";
import type { Codec } from "../../store/kv-store.ts";
import { errNoSigningInfoFound } from "./errors.ts";
import { addressKey, addressOf, PREFIX, prefixKey, SLASHING } from "./keys.ts";
import { type SigningInfo, signingInfoFromMessage, signingInfoToMessage } from "./types.ts";

/**
 * Reads records of every consensus version: the address in them, if present, equals that of their
 * key.
 */
export const signingInfoCodec: Codec<SigningInfo> = {
  encode: (info) => encodeMessage(ValidatorSigningInfoSchema, signingInfoToMessage(info, "")),
  decode: (bytes) => signingInfoFromMessage(decodeMessage(ValidatorSigningInfoSchema, bytes)),
};

export const getSigningInfo = (
  ctx: Context,
  consensusAddress: Uint8Array,
): SigningInfo | undefined =>
  ctx.store(SLASHING).read(addressKey(PREFIX.signingInfo, consensusAddress), signingInfoCodec);

/** Throws slashing 8 if there is none. */
export function mustGetSigningInfo(ctx: Context, consensusAddress: Uint8Array): SigningInfo {
  const info = getSigningInfo(ctx, consensusAddress);
  if (info === undefined) throw errNoSigningInfoFound.bare();
  return info;
}

export function* allSigningInfos(
  ctx: Context,
): Iterable<{ readonly address: Uint8Array; readonly info: SigningInfo }> {
  for (const entry of ctx.store(SLASHING).prefix(prefixKey(PREFIX.signingInfo))) {
    yield { address: addressOf(entry.key), info: entry.read(signingInfoCodec) };
  }
}

/**
 * Writes a record in the format of the consensus version: up to 4 it repeats the address of its
 * key.
 */
export function setSigningInfo(
  consensusVersion: number,
  ctx: Context,
  consensusAddress: Uint8Array,
  info: SigningInfo,
): void {
  const store = ctx.store(SLASHING);
  const key = addressKey(PREFIX.signingInfo, consensusAddress);
  if (consensusVersion >= 5) {
    store.write(key, signingInfoCodec, info);
    return;
  }
  const message = signingInfoToMessage(info, consAddress(consensusAddress));
  store.set(key, encodeMessage(ValidatorSigningInfoSchema, message));
}

/**
 * Consensus version 4 → 5: records no longer repeat the address of their key (rules/slashing 1.4).
 */
export function migrate4to5(consensusVersion: number, ctx: Context): void {
  for (const { address, info } of allSigningInfos(ctx)) {
    setSigningInfo(consensusVersion, ctx, address, info);
  }
}
