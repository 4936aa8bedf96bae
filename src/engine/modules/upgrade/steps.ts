import { stepNoter } from "../../framework/context.ts";
import { MIGRATION_TEXTS, type MigrationSteps } from "../../framework/migrations.ts";
import type { StepTexts } from "../../framework/trace.ts";
import { MODULE_NAME } from "./types.ts";

/** The fields of a plan that a step shows. */
interface PlanFacts {
  readonly name: string;
  readonly height: number | bigint;
}

/** What the module notes: of plans, and of what a node does when one is due. */
export interface UpgradeSteps extends MigrationSteps {
  schedule: PlanFacts & { readonly replaced: PlanFacts | undefined };
  /** Without a plan there was none to clear. */
  plan_cleared: { readonly plan: PlanFacts | undefined };
  plan: PlanFacts & { readonly current: number; readonly due: boolean };
  /** `height` is the one skipped; absent if the node is not set to skip it. */
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
      /** Absent for a module that is new. */
      readonly from: number | undefined;
      readonly to: number;
    }[];
  };
  protocol_version: { readonly version: number };
  done: PlanFacts;
}

export const note = stepNoter<UpgradeSteps>(MODULE_NAME);

const at = ({ name, height }: PlanFacts): string => `"${name}" at height ${height}`;

export const UPGRADE_TEXTS: StepTexts<UpgradeSteps> = {
  ...MIGRATION_TEXTS,
  schedule: ({ replaced, ...plan }) => [
    "schedule",
    `${at(plan)}${replaced === undefined ? "" : `, in the place of ${at(replaced)}`}`,
  ],
  plan_cleared: ({ plan }) => ["plan cleared", plan === undefined ? "there was none" : at(plan)],
  plan: ({ name, height, current, due }) => [
    `plan "${name}"`,
    `due at height ${height}${due ? "" : `, this is ${current}`}`,
  ],
  skip_height: ({ height }) => [
    "skip height",
    height === undefined ? "not set on this node" : `${height} is set on this node`,
  ],
  handler: ({ name, found }) => [
    `Handler "${name}"`,
    found ? "in this binary" : "not in this binary",
  ],
  early_handler: ({ name, height }) => [
    `Handler "${name}"`,
    `in this binary already, but due at height ${height}`,
  ],
  last_upgrade: ({ name, handler }) => [
    "binary",
    `${handler ? "carries" : "lacks"} the Handler of "${name}", the last upgrade`,
  ],
  upgrade_info: ({ height, error }) => [
    "upgrade-info.json",
    error ?? `written for height ${height}`,
  ],
  node_stops: () => ["node", "stops here, the block is decided but not applied"],
  handler_run: ({ name }) => [`Handler "${name}"`, "has run"],
  module_versions: ({ changes }) => [
    "module versions",
    changes.map(({ module, from, to }) => `${module} ${from ?? "new"} → ${to}`).join(", ") ||
      "unchanged",
  ],
  protocol_version: ({ version }) => ["protocol version", `${version}`],
  done: (plan) => ["done mark", at(plan)],
};
