import { consAddress } from "../../../base/bech32.ts";
import type { Context } from "../../framework/context.ts";

/** Reason for a slash: the `reason` of the event. */
export type Infraction = "double_sign" | "missing_signature";

/** Events of slashing with their attributes in upstream's order (rules/slashing 3.1). */

export const emitSlash = (
  ctx: Context,
  address: Uint8Array,
  power: number,
  reason: Infraction,
  burned: bigint,
): void =>
  ctx.emit(
    "slash",
    ["address", consAddress(address)],
    ["power", power.toString()],
    ["reason", reason],
    ["burned_coins", burned.toString()],
  );

export const emitDowntimeSlash = (
  ctx: Context,
  address: Uint8Array,
  power: number,
  burned: bigint,
): void =>
  ctx.emit(
    "slash",
    ["address", consAddress(address)],
    ["power", power.toString()],
    ["reason", "missing_signature"],
    ["jailed", consAddress(address)],
    ["burned_coins", burned.toString()],
  );

export const emitJailed = (ctx: Context, address: Uint8Array): void =>
  ctx.emit("slash", ["jailed", consAddress(address)]);

export const emitLiveness = (ctx: Context, address: Uint8Array, missed: number): void =>
  ctx.emit(
    "liveness",
    ["address", consAddress(address)],
    ["missed_blocks", missed.toString()],
    ["height", ctx.height.toString()],
  );
