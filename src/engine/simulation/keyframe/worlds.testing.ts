import fc from "fast-check";
import { SECOND } from "../../../base/time.ts";
import type { GenesisState } from "../../../gen/chain/gov/v1/gov_pb.ts";
import { type BinarySpec, V1 } from "../../app/binary.ts";
import { CommandError } from "../../framework/errors.ts";
import { durationMessage } from "../../framework/time-messages.ts";
import { NODE_FAULTS } from "../../network/faults/kinds.ts";
import type { Command, NodeAction } from "../command.ts";
import type { NewWorld } from "../genesis/new-world.ts";
import type { WorldSpec } from "../genesis/world-spec.ts";
import { acceptLightClientAttacks } from "../light-client-attacks.ts";
import { Simulation } from "../simulation.ts";
import { act, type StoryStep, step as storyStep } from "../story.testing.ts";
import { cancelUpgrade, propose, softwareUpgrade, worldSpec } from "../testing.ts";

acceptLightClientAttacks();

/** Random worlds that cover everything a keyframe must contain. */

const NAMES = ["val-0", "val-1", "val-2", "val-3", "val-4"] as const;
const PLANS = ["v2", "v3"] as const;
const URL = "https://releases.example/v2";

/** Each has the handler of one plan and adds a store; v3 also removes the store of v2. */
const BINARIES: readonly BinarySpec[] = [
  {
    ...V1,
    name: "v2",
    modules: { ...V1.modules, bank: 5, oracle: 1 },
    handlers: ["v2"],
    stores: { v2: { added: ["oracle"], renamed: [], deleted: [] } },
  },
  {
    ...V1,
    name: "v3",
    modules: { ...V1.modules, bank: 6, feeds: 1 },
    handlers: ["v3"],
    stores: { v3: { added: ["feeds"], renamed: [], deleted: [] } },
    migration: { kind: "nondeterministic" },
  },
];

export type WorldStep =
  | StoryStep
  | { readonly do: "command"; readonly command: Command }
  | { readonly do: "plan"; readonly name: string; readonly ahead: number }
  | { readonly do: "cancel plan" }
  | { readonly do: "install"; readonly binary: string }
  /** Both sides of a partition have enough power, since the keys of three validators vote twice. */
  | { readonly do: "fork" }
  /** Sidecars download from a slow server and wait before they restart a node. */
  | { readonly do: "guard" };

const node = fc.constantFrom(...NAMES);
const heights = fc.integer({ min: 1, max: 8 });
const command = (input: fc.Arbitrary<Command>): fc.Arbitrary<WorldStep> =>
  input.map((one) => ({ do: "command", command: one }));

const nodeAction: fc.Arbitrary<NodeAction> = fc.oneof(
  fc.record({ kind: fc.constant("install" as const), binary: fc.constantFrom("v1", ...PLANS) }),
  fc.record({ kind: fc.constant("stage" as const), binary: fc.constantFrom(...PLANS) }),
  fc.record({
    kind: fc.constant("sidecar" as const),
    sidecar: fc.record({
      mode: fc.constantFrom("manual" as const, "staged" as const, "download" as const),
      restartDelay: fc.constantFrom(0n, 20n * SECOND),
      shutdownGrace: fc.constantFrom(5n * SECOND, 30n * SECOND),
      shutdownTakes: fc.constantFrom(0n, 10n * SECOND),
    }),
  }),
  fc.record({
    kind: fc.constant("skip_upgrades" as const),
    heights: fc.array(heights, { maxLength: 2 }),
  }),
  fc.record({ kind: fc.constant("roll_back" as const), blocks: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant("state_sync" as const), from: node }),
  fc.constantFrom<NodeAction>(
    { kind: "stop" },
    { kind: "start" },
    { kind: "twin" },
    { kind: "remove_twin" },
    { kind: "lose_signer_state" },
    { kind: "wipe" },
    { kind: "disk", writable: false },
    { kind: "halt_height", height: 12 },
    { kind: "halt_time", time: 1_767_225_660 },
    { kind: "write_file", path: "config/notes", content: "Ωμέγα \ud800 __proto__" },
    { kind: "remove_file", path: "data/upgrade-info.json" },
  ),
);

const groups = fc.shuffledSubarray([...NAMES, "val-0-twin"], { minLength: 1 }).map((names) => {
  const half = Math.ceil(names.length / 2);
  return [names.slice(0, half), names.slice(half)].filter((group) => group.length > 0);
});

const commands: fc.Arbitrary<WorldStep> = command(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant("node" as const),
        node: fc.constantFrom(...NAMES, "val-0-twin"),
        action: nodeAction,
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record(
        {
          type: fc.constant("fault" as const),
          kind: fc.constantFrom(...NODE_FAULTS),
          node,
          for: heights,
          probability: fc.constantFrom(0.3, 0.9),
        },
        { requiredKeys: ["type", "kind", "node"] },
      ),
    },
    { weight: 2, arbitrary: fc.record({ type: fc.constant("partition" as const), groups }) },
    { weight: 1, arbitrary: fc.constant<Command>({ type: "heal" }) },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant("chaos" as const),
        level: fc.integer({ min: 1, max: 5 }),
        for: heights,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant("light_client_attack" as const),
        kind: fc.constantFrom("lunatic" as const, "equivocation" as const, "amnesia" as const),
        by: fc.constant(["val-0", "val-1", "val-2", "val-3"]),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant("release" as const),
        name: fc.constant("v2"),
        url: fc.constant(URL),
        serves: fc.constantFrom("binary" as const, "slow" as const, "wrong_checksum" as const),
      }),
    },
    { weight: 1, arbitrary: fc.constant<Command>({ type: "clear_faults" }) },
    {
      weight: 1,
      arbitrary: fc.constant<Command>({
        type: "binary",
        binary: { ...V1, name: "v1-patched", modules: { ...V1.modules, bank: 5 } },
      }),
    },
  ),
);

const upgrades: fc.Arbitrary<WorldStep> = fc.oneof(
  fc.record({
    do: fc.constant("plan" as const),
    name: fc.constantFrom(...PLANS),
    ahead: fc.integer({ min: 3, max: 6 }),
  }),
  fc.constant<WorldStep>({ do: "cancel plan" }),
  fc.record({ do: fc.constant("install" as const), binary: fc.constantFrom(...PLANS) }),
);

const worldStep: fc.Arbitrary<WorldStep> = fc.oneof(
  { weight: 5, arbitrary: storyStep },
  { weight: 5, arbitrary: commands },
  { weight: 2, arbitrary: upgrades },
  {
    weight: 1,
    arbitrary: fc.constantFrom<WorldStep>({ do: "fork" }, { do: "guard" }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("run" as const),
      blocks: fc.integer({ min: 1, max: 6 }),
    }),
  },
);

export const worldSteps = fc.array(worldStep, { minLength: 5, maxLength: 40 });

/** Evidence expires after 30 s, stake is locked for 40 s, voting lasts 10 s; a block takes 5 s. */
export const worldOf = (input: NewWorld = {}, maxValidators = 4): WorldSpec =>
  worldSpec(
    {
      maxEvidenceAge: 30n * SECOND,
      evidenceRoutes: ["equivocation", "scripted"],
      staking: { unbondingTime: durationMessage(40n * SECOND), maxValidators },
      slashing: { signedBlocksWindow: 8n, downtimeJailDuration: durationMessage(20n * SECOND) },
      gov: { votingPeriod: durationMessage(10n * SECOND) },
      binaries: BINARIES,
      ...input,
    },
    NAMES.length,
  );

const SIDES = [
  ["val-0", "val-1", "val-2", "val-3"],
  ["val-0-twin", "val-1-twin", "val-2-twin", "val-4"],
];

const GUARDED: NodeAction = {
  kind: "sidecar",
  sidecar: { mode: "download", shutdownGrace: 8n * SECOND, restartDelay: 20n * SECOND },
};

/** Performs a step. An invalid step is refused and changes nothing. */
export function perform(sim: Simulation, doing: WorldStep): void {
  switch (doing.do) {
    case "command":
      attempt(sim, doing.command);
      return;
    case "plan":
    case "cancel plan": {
      const message =
        doing.do === "plan"
          ? softwareUpgrade(
              sim,
              doing.name,
              sim.height + doing.ahead,
              `{"binaries":{"any":"${URL}"}}`,
            )
          : cancelUpgrade(sim);
      const { startingProposalId } = sim.exportGenesis().messages.get("gov") as GenesisState;
      try {
        propose(sim, startingProposalId, message);
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
      }
      return;
    }
    case "install":
      for (const name of NAMES) {
        const action = { kind: "install", binary: doing.binary } as const;
        attempt(sim, { type: "node", node: name, action });
      }
      return;
    case "fork":
      for (const name of ["val-0", "val-1", "val-2"]) {
        attempt(sim, { type: "node", node: name, action: { kind: "twin" } });
      }
      attempt(sim, { type: "partition", groups: SIDES });
      return;
    case "guard":
      attempt(sim, { type: "release", name: "v2", url: URL, serves: "slow" });
      for (const name of NAMES) attempt(sim, { type: "node", node: name, action: GUARDED });
      return;
    default:
      act(sim, doing);
  }
}

function attempt(sim: Simulation, input: Command): void {
  try {
    sim.apply(input);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
  }
}

export const grown = (spec: WorldSpec, steps: readonly WorldStep[]): Simulation => {
  const sim = Simulation.create(spec);
  for (const doing of steps) perform(sim, doing);
  return sim;
};
