import { stepNoter } from "../../framework/context.ts";
import type { MigrationSteps } from "../../framework/migrations.ts";
import { MODULE_NAME } from "./types.ts";

/** Fields of a plan in a step. */
export interface PlanFacts {
  readonly name: string;
  readonly height: number | bigint;
}

/** Steps of the module about plans, and about a node's actions when a plan is due. */
export interface UpgradeSteps extends MigrationSteps {
  schedule: PlanFacts & { readonly replaced: PlanFacts | undefined };
  /** Undefined if there was no plan to clear. */
  plan_cleared: { readonly plan: PlanFacts | undefined };
  plan: PlanFacts & { readonly current: number; readonly due: boolean };
  /** `height` is the skipped one; absent if the node does not skip it. */
  skip_height: { readonly height?: number };
  handler: { readonly name: string; readonly found: boolean };
  early_handler: PlanFacts;
  last_upgrade: { readonly name: string; readonly handler: boolean };
  upgrade_info: { readonly height: number; readonly error?: string };
  node_stops: { readonly height: number };
  handler_run: { readonly name: string };
  module_versions: {
    readonly changes: readonly {
      readonly module: string;
      /** Undefined for a new module. */
      readonly from: number | undefined;
      readonly to: number;
    }[];
  };
  protocol_version: { readonly version: number };
  done: PlanFacts;
}

export const note = stepNoter<UpgradeSteps>(MODULE_NAME);
