import { create } from "@bufbuild/protobuf";
import { type Dec, decToString } from "../../../base/dec.ts";
import { formatRfc3339, SECOND, type Time } from "../../../base/time.ts";
import { CommissionSchema } from "../../../gen/chain/staking/v1beta1/staking_pb.ts";
import { type Coin, formatCoin } from "../../framework/coins.ts";
import type { Context } from "../../framework/context.ts";
import { protoText } from "../../framework/proto-text.ts";
import { commissionToMessage } from "./codec.ts";
import type { Validator } from "./types.ts";

/** Events of staking with their attributes in upstream's order (rules/staking 3.5). */

/** RFC 3339 without a fraction, the format of times in these events. */
const seconds = (time: Time): string => formatRfc3339(time - (((time % SECOND) + SECOND) % SECOND));

export const emitCreateValidator = (ctx: Context, validator: string, value: Coin): void =>
  ctx.emit("create_validator", ["validator", validator], ["amount", formatCoin(value)]);

export function emitEditValidator(
  ctx: Context,
  { commission, minSelfDelegation }: Validator,
): void {
  const text = protoText(
    CommissionSchema,
    create(CommissionSchema, commissionToMessage(commission)),
  );
  ctx.emit(
    "edit_validator",
    ["commission_rate", text],
    ["min_self_delegation", minSelfDelegation.toString()],
  );
}

export const emitDelegate = (
  ctx: Context,
  validator: string,
  delegator: string,
  amount: Coin,
  newShares: Dec,
): void =>
  ctx.emit(
    "delegate",
    ["validator", validator],
    ["delegator", delegator],
    ["amount", formatCoin(amount)],
    ["new_shares", decToString(newShares)],
  );

export const emitRedelegate = (
  ctx: Context,
  source: string,
  destination: string,
  amount: Coin,
  completionTime: Time,
): void =>
  ctx.emit(
    "redelegate",
    ["source_validator", source],
    ["destination_validator", destination],
    ["amount", formatCoin(amount)],
    ["completion_time", seconds(completionTime)],
  );

export const emitUnbond = (
  ctx: Context,
  validator: string,
  delegator: string,
  amount: Coin,
  completionTime: Time,
): void =>
  ctx.emit(
    "unbond",
    ["validator", validator],
    ["delegator", delegator],
    ["amount", formatCoin(amount)],
    ["completion_time", seconds(completionTime)],
  );

export const emitCancelUnbonding = (
  ctx: Context,
  validator: string,
  delegator: string,
  amount: Coin,
  creationHeight: bigint,
): void =>
  ctx.emit(
    "cancel_unbonding_delegation",
    ["amount", formatCoin(amount)],
    ["validator", validator],
    ["delegator", delegator],
    ["creation_height", creationHeight.toString()],
  );

export const emitCompleteUnbonding = (
  ctx: Context,
  amount: string,
  validator: string,
  delegator: string,
): void =>
  ctx.emit(
    "complete_unbonding",
    ["amount", amount],
    ["validator", validator],
    ["delegator", delegator],
  );

export const emitCompleteRedelegation = (
  ctx: Context,
  amount: string,
  delegator: string,
  source: string,
  destination: string,
): void =>
  ctx.emit(
    "complete_redelegation",
    ["amount", amount],
    ["delegator", delegator],
    ["source_validator", source],
    ["destination_validator", destination],
  );
