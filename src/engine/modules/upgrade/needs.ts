import type { Plan } from "../../../gen/chain/upgrade/v1beta1/upgrade_pb.ts";
import type { Context } from "../../framework/context.ts";
import type { VersionMap } from "../../framework/migrations.ts";

/** The UpgradeHandlers a binary carries, by plan name. Upgrade document §2. */
export interface UpgradeHandlers {
  has(name: string): boolean;
  /** Runs the Handler of `plan.name`: from the stored versions to those after it. */
  run(ctx: Context, plan: Plan, fromVM: VersionMap): VersionMap;
}
