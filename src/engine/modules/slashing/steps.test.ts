import { expect, test } from "vitest";
import { consAddress } from "../../../base/bech32.ts";
import { ONE } from "../../../base/dec.ts";
import { parseRfc3339 } from "../../../base/time.ts";
import { testAddress } from "../../framework/testing.ts";
import { textOfStep } from "../../framework/trace.ts";
import { SLASHING_TEXTS } from "./step-texts.ts";
import type { SlashingSteps } from "./steps.ts";

const address = testAddress("val");
const cons = consAddress(address);
const until = parseRfc3339("2026-01-02T00:00:00Z");
const now = parseRfc3339("2026-01-01T00:00:00Z");

/** Expected texts of every kind, for each outcome. */
const SAID: {
  readonly [Kind in keyof SlashingSteps]: readonly (readonly [
    SlashingSteps[Kind],
    what: string,
    found: string,
  ])[];
} = {
  liveness: [
    [
      { address, missed: 3, window: 100, allowed: 50 },
      "liveness",
      `${cons} has missed 3 of 100; 50 may be missed`,
    ],
  ],
  unknown_voter: [
    [{ address }, "liveness", `${cons} is in the last commit and no validator any more`],
  ],
  downtime: [
    [
      { address, missed: 51, allowed: 50, jailedUntil: until },
      "downtime",
      `${cons} missed 51, more than 50: jailed until 2026-01-02T00:00:00Z`,
    ],
  ],
  tombstoned_key: [[{ address }, "tombstoned", "its key is, for ever: jailed from the start"]],
  slash: [
    [
      { address, fraction: ONE / 20n, power: 10, infraction: "double_sign" },
      "slash",
      `${cons}: 0.05 of power 10 for a double sign`,
    ],
  ],
  jail_refused: [[{ error: "jailed already" }, "jail", "jailed already"]],
  jail_until: [[{ address, until }, "jail until", `${cons}: 2026-01-02T00:00:00Z`]],
  tombstone: [[{ address }, "tombstone", `${cons} never validates again`]],
  low_self_delegation: [[{ tokens: 1n, minimum: 2n }, "self delegation", "1 less than 2"]],
  not_jailed: [[{}, "jailed", "no"]],
  tombstoned: [[{}, "tombstoned", "yes, for ever"]],
  jail_not_over: [
    [{ until, now }, "jailed until", "2026-01-02T00:00:00Z; it is 2026-01-01T00:00:00Z"],
  ],
};

test.each(Object.keys(SAID) as (keyof SlashingSteps)[])("what %s says", (kind) => {
  for (const [data, what, found] of SAID[kind]) {
    expect(textOfStep(SLASHING_TEXTS, { kind, data })).toEqual({ what, found });
  }
});
