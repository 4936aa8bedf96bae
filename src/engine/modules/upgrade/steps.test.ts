import { expect, test } from "vitest";
import { textOfStep } from "../../framework/trace.ts";
import { UPGRADE_TEXTS } from "./step-texts.ts";
import type { UpgradeSteps } from "./steps.ts";

const plan = { name: "v2", height: 30n };

/** Expected texts of every kind, for each outcome. */
const SAID: {
  readonly [Kind in keyof UpgradeSteps]: readonly (readonly [
    UpgradeSteps[Kind],
    what: string,
    found: string,
  ])[];
} = {
  module_added: [
    [{ module: "bank" }, "migrate bank", "new module: its default genesis is written"],
  ],
  version_kept: [[{ module: "bank", version: 4 }, "migrate bank", "stays at version 4"]],
  version_higher: [
    [
      { module: "bank", from: 5, to: 4 },
      "migrate bank",
      "version 5 is higher than 4: nothing runs",
    ],
  ],
  migration: [
    [{ module: "bank", from: 4, failed: false }, "migrate bank", "version 4 → 5"],
    [{ module: "bank", from: 4, failed: true }, "migrate bank", "4 → 5 failed"],
  ],
  schedule: [
    [{ ...plan, replaced: undefined }, "schedule", '"v2" at height 30'],
    [
      { ...plan, replaced: { name: "v1b", height: 20n } },
      "schedule",
      '"v2" at height 30, in the place of "v1b" at height 20',
    ],
  ],
  plan_cleared: [
    [{ plan }, "plan cleared", '"v2" at height 30'],
    [{ plan: undefined }, "plan cleared", "there was none"],
  ],
  plan: [
    [{ ...plan, current: 30, due: true }, 'plan "v2"', "due at height 30"],
    [{ ...plan, current: 29, due: false }, 'plan "v2"', "due at height 30, this is 29"],
  ],
  skip_height: [
    [{}, "skip height", "not set on this node"],
    [{ height: 30 }, "skip height", "30 is set on this node"],
  ],
  handler: [
    [{ name: "v2", found: true }, 'Handler "v2"', "in this binary"],
    [{ name: "v2", found: false }, 'Handler "v2"', "not in this binary"],
  ],
  early_handler: [[plan, 'Handler "v2"', "in this binary already, but due at height 30"]],
  last_upgrade: [
    [{ name: "v2", handler: true }, "binary", 'carries the Handler of "v2", the last upgrade'],
    [{ name: "v2", handler: false }, "binary", 'lacks the Handler of "v2", the last upgrade'],
  ],
  upgrade_info: [
    [{ height: 30 }, "upgrade-info.json", "written for height 30"],
    [{ height: 30, error: "disk full" }, "upgrade-info.json", "disk full"],
  ],
  node_stops: [[{ height: 30 }, "node", "stops here, the block is decided but not applied"]],
  handler_run: [[{ name: "v2" }, 'Handler "v2"', "has run"]],
  module_versions: [
    [{ changes: [] }, "module versions", "unchanged"],
    [
      {
        changes: [
          { module: "bank", from: 4, to: 5 },
          { module: "market", from: undefined, to: 1 },
        ],
      },
      "module versions",
      "bank 4 → 5, market new → 1",
    ],
  ],
  protocol_version: [[{ version: 3 }, "protocol version", "3"]],
  done: [[plan, "done mark", '"v2" at height 30']],
};

test.each(Object.keys(SAID) as (keyof UpgradeSteps)[])("what %s says", (kind) => {
  for (const [data, what, found] of SAID[kind]) {
    expect(textOfStep(UPGRADE_TEXTS, { kind, data })).toEqual({ what, found });
  }
});
