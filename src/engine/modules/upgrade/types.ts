import { create } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { fromTimestamp, GO_ZERO_TIME, toTimestamp } from "../../../base/time.ts";
import { type Plan, PlanSchema } from "../../../gen/chain/upgrade/v1beta1/upgrade_pb.ts";
import type { Context } from "../../framework/context.ts";
import { sdkErrors } from "../../framework/errors.ts";
import type { VersionMap } from "../../framework/migrations.ts";

export type { Plan };

/** A completed upgrade: its name, and the height of the block in which it was applied. */
export interface Done {
  readonly name: string;
  readonly height: number;
}

export const MODULE_NAME = "upgrade";
/** Name under which the module writes to a node's log. */
export const LOG_MODULE = "x/upgrade";

/**
 * Runs the migrations of the plan's upgrade: from the stored versions to those after it.
 * Application-specific, one per plan name that a binary supports (rules/upgrade 4.7).
 */
export type UpgradeHandler = (ctx: Context, plan: Plan, fromVM: VersionMap) => VersionMap;

/** State of the module except module versions; upstream's genesis omits it (rules/upgrade 2.5). */
export interface UpgradeState {
  readonly plan: Plan | undefined;
  readonly done: readonly Done[];
  readonly protocolVersion: number;
}

/**
 * The plan with its deprecated time encoded as in Go: if omitted, year one. A plan with another
 * time keeps it, and is refused later (rules/upgrade 1.1).
 */
export const normalized = (plan: Plan): Plan =>
  plan.time === undefined
    ? create(PlanSchema, { ...plan, time: create(TimestampSchema, toTimestamp(GO_ZERO_TIME)) })
    : plan;

/** Throws ErrInvalidRequest with the first reason of rules/upgrade 1.2. */
export function validatePlan(plan: Plan): void {
  if (plan.time !== undefined && fromTimestamp(plan.time) !== GO_ZERO_TIME) {
    throw sdkErrors.invalidRequest.wrap("time-based upgrades have been deprecated in the SDK");
  }
  if (plan.upgradedClientState !== undefined) {
    throw sdkErrors.invalidRequest.wrap("upgrade logic for IBC has been moved to the IBC module");
  }
  if (plan.name === "") throw sdkErrors.invalidRequest.wrap("name cannot be empty");
  if (plan.height <= 0n) throw sdkErrors.invalidRequest.wrap("height must be greater than 0");
}

/** Returns true if a plan is due in a block; a missed plan remains due. */
export const shouldExecute = (plan: Plan, height: number): boolean =>
  plan.height > 0n && plan.height <= BigInt(height);
