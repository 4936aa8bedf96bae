import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toHex } from "../../base/bytes.ts";
import { propertyRuns } from "../../base/property.testing.ts";
import { SECOND } from "../../base/time.ts";
import { type BinarySpec, V1 } from "../app/binary.ts";
import type { ProfileName } from "../app/profile.ts";
import { durationMessage } from "../framework/time-messages.ts";
import type { Command, NodeAction } from "./command.ts";
import { plansIn, versionsAt } from "./invariants.testing.ts";
import { Simulation } from "./simulation.ts";
import { cancelUpgrade, propose, runRounds, softwareUpgrade, worldSpec } from "./testing.ts";

const PLANS = ["v2", "v3", "v4"];

/** Each has the handler of one plan and a new store; v4 writes different values on each node. */
const BINARIES: readonly BinarySpec[] = PLANS.map((name, i) => ({
  ...V1,
  name,
  modules: { ...V1.modules, bank: 5 + i, [`new-${name}`]: 1 },
  handlers: [name],
  stores: { [name]: { added: [`new-${name}`], renamed: [], deleted: [] } },
  migration: { kind: name === "v4" ? "nondeterministic" : "ok" },
}));

type Act =
  | { readonly do: "plan"; readonly name: string; readonly ahead: number }
  | { readonly do: "cancel" }
  | { readonly do: "node"; readonly nodes: readonly string[]; readonly action: NodeAction }
  /** Every waiting node gets the binary that it waits for. */
  | { readonly do: "help" };

const nodes = fc.subarray(["val-0", "val-1", "val-2", "val-3"], { minLength: 1 });
const action: fc.Arbitrary<NodeAction> = fc.oneof(
  fc.record({ kind: fc.constant("install" as const), binary: fc.constantFrom("v1", ...PLANS) }),
  fc.record({ kind: fc.constant("stage" as const), binary: fc.constantFrom(...PLANS) }),
  fc.constantFrom<NodeAction>(
    { kind: "stop" },
    { kind: "start" },
    { kind: "wipe" },
    { kind: "lose_signer_state" },
    { kind: "roll_back", blocks: 1 },
    { kind: "sidecar", sidecar: { mode: "staged" } },
    { kind: "disk", writable: false },
    { kind: "remove_file", path: "data/upgrade-info.json" },
  ),
);
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("plan" as const),
      name: fc.constantFrom(...PLANS),
      ahead: fc.integer({ min: 2, max: 12 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Act>({ do: "cancel" }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("node" as const), nodes, action }) },
  { weight: 8, arbitrary: fc.constant<Act>({ do: "help" }) },
);
const script = fc.array(fc.tuple(fc.integer({ min: 1, max: 8 }), act), {
  minLength: 8,
  maxLength: 18,
});

function world(profile: ProfileName): Simulation {
  const gov = { votingPeriod: durationMessage(10n * SECOND) };
  return Simulation.create(worldSpec({ binaries: BINARIES, profile, gov }));
}

/** Performs one action; skips it if it is not valid now. */
function perform(sim: Simulation, what: Act, proposals: { count: bigint }): void {
  if (what.do === "plan" || what.do === "cancel") {
    const message =
      what.do === "cancel"
        ? cancelUpgrade(sim)
        : softwareUpgrade(sim, what.name, sim.height + what.ahead);
    proposals.count += 1n;
    propose(sim, proposals.count, message);
    return;
  }
  const tell = (node: string, input: NodeAction): void => {
    const command: Command = { type: "node", node, action: input };
    try {
      sim.apply(command);
    } catch {
      // The action is not valid now.
    }
  };
  if (what.do === "node") for (const node of what.nodes) tell(node, what.action);
  else {
    for (const { name, process, reason } of sim.nodes()) {
      const binary = /UPGRADE "(v\d)" NEEDED/.exec(reason)?.[1];
      if (binary !== undefined) tell(name, { kind: "install", binary });
      else if (process === "stopped") tell(name, { kind: "start" });
    }
  }
}

/** Plays a script and calls the check after every round. */
function play(
  profile: ProfileName,
  acts: readonly (readonly [number, Act])[],
  look: (sim: Simulation) => void,
) {
  const sim = world(profile);
  const proposals = { count: 0n };
  for (const [rounds, what] of acts) {
    perform(sim, what, proposals);
    for (let i = 0; i < rounds; i++) {
      runRounds(sim, 1);
      look(sim);
    }
  }
  return sim;
}

/** Yields the outcomes of the plans in the committed blocks. */
function* history(sim: Simulation): Iterable<{ height: number; what: string; name: string }> {
  for (let height = 1; height <= sim.height; height++) {
    for (const plan of plansIn(sim.block(height))) yield { height, ...plan };
  }
}

describe.each(["documented", "sdk-0.53"] as const)(
  "whatever is done to a chain (%s)",
  (profile) => {
    const runs = { numRuns: propertyRuns(20) };

    test("nodes that run and agree never hold different app hashes at one height", () => {
      fc.assert(
        fc.property(script, (acts) => {
          play(profile, acts, (sim) => {
            const missing = new Set(sim.chainStatus().missing.flatMap((each) => each.nodes));
            const hashes = new Map<number, string>();
            for (const { name, process, height, appHash } of sim.nodes()) {
              if (process !== "running") continue;
              const hash = toHex(appHash);
              // The next header contains the app hash of every node that applies it.
              const next = sim.header(height + 1);
              if (next !== undefined) expect(hash).toBe(toHex(next.appHash));
              if (missing.has(name)) continue;
              expect(hashes.get(height) ?? hash).toBe(hash);
              hashes.set(height, hash);
            }
          });
        }),
        runs,
      );
    });

    /** A script in which a plan is certain to run, added to the drawn ones. */
    const plain: [number, Act][] = [
      [8, { do: "plan", name: "v2", ahead: 8 }],
      [8, { do: "help" }],
      [8, { do: "help" }],
    ];

    test("a plan is executed once, only while it is scheduled, and not after it was cancelled or replaced", () => {
      let executions = 0;
      fc.assert(
        fc.property(script, (acts) => {
          const sim = play(profile, acts, () => {});
          const done = new Set<string>();
          let scheduled: string | undefined;
          for (const { what, name } of history(sim)) {
            if (what === "executed") {
              expect(name).toBe(scheduled);
              expect(done).not.toContain(name);
              done.add(name);
              executions += 1;
            }
            scheduled = what === "scheduled" ? name : undefined;
          }
          const plan = sim.storeValue("upgrade", Uint8Array.of(0));
          expect(plan === undefined).toBe(scheduled === undefined);
        }),
        { ...runs, examples: [[plain]] },
      );
      // Scripts without an execution would prove nothing.
      expect(executions).toBeGreaterThan(0);
    });

    test("module versions change only in a block that applied a plan", () => {
      fc.assert(
        fc.property(script, (acts) => {
          const sim = play(profile, acts, () => {});
          const applied = new Set(
            [...history(sim)].flatMap(({ height, what }) => (what === "executed" ? [height] : [])),
          );
          for (let height = 1; height <= sim.height; height++) {
            const changed = versionsAt(sim, height) !== versionsAt(sim, height - 1);
            expect(changed).toBe(applied.has(height));
          }
        }),
        runs,
      );
    });
  },
);
