import fc from "fast-check";
import { expect, test } from "vitest";
import { propertyRuns } from "../base/property.testing.ts";
import { SECOND } from "../base/time.ts";
import { CommandError } from "../engine/framework/errors.ts";
import type { NodeAction } from "../engine/simulation/command.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import {
  pass,
  runRounds,
  softwareUpgrade,
  V2_WITH_STORE,
  worldSpec,
} from "../engine/simulation/testing.ts";
import { chainStatusOf, take } from "./remedies.testing.ts";

const NAMES = ["val-0", "val-1", "val-2", "val-3"];
const FAILING = { ...V2_WITH_STORE, name: "v2-bad", migration: { kind: "error", text: "no way" } };
const LOADERLESS = { ...V2_WITH_STORE, name: "v2-loaderless", stores: {} };

const install = (binary: string): NodeAction => ({ kind: "install", binary });

const faultOfSome = fc.tuple(
  fc.subarray(NAMES, { minLength: 1 }),
  fc.constantFrom<NodeAction>(
    { kind: "stop" },
    { kind: "start" },
    install("v1"),
    install("v2"),
    install("v2-bad"),
    install("v2-loaderless"),
    { kind: "disk", writable: false },
    { kind: "remove_file", path: "data/upgrade-info.json" },
    { kind: "write_file", path: "data/upgrade-info.json", content: "{" },
    { kind: "remove_file", path: "data/priv_validator_state.json" },
    { kind: "skip_upgrades", heights: [20] },
    { kind: "halt_height", height: 20 },
    { kind: "halt_time", time: 1_767_225_695 },
    { kind: "stage", binary: "v2" },
    { kind: "sidecar", sidecar: { mode: "staged" } },
    { kind: "sidecar", sidecar: { mode: "download", preUpgradeExits: [30] } },
    { kind: "sidecar", sidecar: { mode: "staged", restartDelay: 90n * SECOND } },
    { kind: "sidecar", sidecar: { mode: "staged", backupDir: "/mnt/backups" } },
    { kind: "sidecar", sidecar: { mode: "staged", customPreUpgrade: "missing.sh" } },
  ),
  fc.nat(4),
);

/**
 * Weighs wiping: a wiped node loses its signer state and double-signs. If all were wiped, no
 * validator would be left.
 */
const fault = fc.oneof(
  { weight: 12, arbitrary: faultOfSome },
  fc.tuple(fc.constant(["val-3"]), fc.constant<NodeAction>({ kind: "wipe" }), fc.nat(4)),
);

/** Runs an action on a node; a halt time in the past is refused, and nothing happens. */
function act(sim: Simulation, node: string, action: NodeAction): void {
  try {
    sim.apply({ type: "node", node, action });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
  }
}

/** Applies the first remedy repeatedly; returns how often until everyone takes part. */
function heal(sim: Simulation): number {
  for (let taken = 0; taken < 20; taken++) {
    const chainStatus = chainStatusOf(sim);
    if (chainStatus.missing.length === 0) return taken;
    for (const { nodes, reason } of chainStatus.missing) {
      expect(reason, `${nodes}`).not.toBe("");
    }
    const [first] = chainStatus.remedies;
    expect(first, chainStatus.because).toBeDefined();
    expect(take(sim, first?.step ?? ""), first?.label).toEqual([]);
  }
  throw new Error(`still missing: ${chainStatusOf(sim).because}`);
}

test("whatever went wrong with an upgrade, every node that is missing has a reason, and listed remedies bring all of them back", () => {
  fc.assert(
    fc.property(
      fc.array(fault, { maxLength: 5 }),
      fc.array(fault, { maxLength: 5 }),
      (before, after) => {
        const sim = Simulation.create(
          worldSpec({ binaries: [V2_WITH_STORE, FAILING as never, LOADERLESS] }),
        );
        pass(sim, softwareUpgrade(sim, "v2", 20));
        const suffer = (faults: typeof before): void => {
          for (const [nodes, action, rounds] of faults) {
            for (const node of nodes) act(sim, node, action);
            runRounds(sim, rounds);
          }
        };
        suffer(before);
        runRounds(sim, 6);
        suffer(after);
        heal(sim);
        expect(sim.nodes().map(({ process }) => process)).toEqual(Array(4).fill("running"));
        expect(sim.appHashesAgree()).toBe(true);
      },
    ),
    {
      numRuns: propertyRuns(15),
      // Cases that once had no remedy: a binary without the handler of an upgrade that was applied
      // with it; nodes stopped before the plan's height that also lack a file, or have a sidecar
      // without its script.
      examples: [
        [
          [
            [["val-0"], { kind: "start" }, 4],
            [["val-0", "val-1"], { kind: "stop" }, 0],
          ],
          [],
        ],
        [
          [],
          [
            [["val-1"], { kind: "remove_file", path: "data/priv_validator_state.json" }, 0],
            [NAMES, { kind: "stop" }, 0],
          ],
        ],
        [
          [
            [
              ["val-3"],
              { kind: "sidecar", sidecar: { mode: "staged", customPreUpgrade: "missing.sh" } },
              2,
            ],
            [["val-3"], { kind: "stop" }, 2],
            [["val-2"], { kind: "stop" }, 0],
          ],
          [],
        ],
        [
          [],
          [
            [NAMES, install("v2"), 1],
            [NAMES, install("v1"), 1],
            [["val-2"], { kind: "stop" }, 1],
          ],
        ],
        [
          [],
          [
            [["val-3"], install("v2"), 1],
            [["val-3"], install("v1"), 1],
            [["val-1", "val-2", "val-3"], { kind: "skip_upgrades", heights: [20] }, 1],
          ],
        ],
      ],
    },
  );
});
