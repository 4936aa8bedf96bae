import type { MigrationSteps } from "../../framework/migrations.ts";
import type { StepTexts } from "../../framework/trace.ts";
import type { PlanFacts, UpgradeSteps } from "./steps.ts";

const MIGRATION_TEXTS: StepTexts<MigrationSteps> = {
  module_added: ({ module }) => [`migrate ${module}`, "new module: its default genesis is written"],
  version_kept: ({ module, version }) => [`migrate ${module}`, `stays at version ${version}`],
  version_higher: ({ module, from, to }) => [
    `migrate ${module}`,
    `version ${from} is higher than ${to}: nothing runs`,
  ],
  migration: ({ module, from, failed }) => [
    `migrate ${module}`,
    failed ? `${from} → ${from + 1} failed` : `version ${from} → ${from + 1}`,
  ],
};

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
