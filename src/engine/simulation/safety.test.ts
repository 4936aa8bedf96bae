import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FaultKind } from "../network/faults.ts";
import { toHex } from "../primitives/bytes.ts";
import type { Command, NodeAction } from "./command.ts";
import { Simulation } from "./simulation.ts";
import { runRounds, worldSpec } from "./testing.ts";

const VALIDATORS = 7;
const names = Array.from({ length: VALIDATORS }, (_, i) => `val-${i}`);
/** Two of seven: less than a third of the power. */
const byzantine = fc.constantFrom("val-0", "val-1");
const anyone = fc.constantFrom(...names);

const action = (node: fc.Arbitrary<string>, ...actions: readonly NodeAction[]) =>
  fc.record({ type: fc.constant("node" as const), node, action: fc.constantFrom(...actions) });

/** Everything that can go wrong with machines and with the network between them. */
const trouble: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    type: fc.constant("fault" as const),
    node: anyone,
    kind: fc.constantFrom<FaultKind[]>("crash", "slow", "mute", "clock", "flaky"),
    for: fc.integer({ min: 1, max: 5 }),
  }),
  fc.record({
    type: fc.constant("chaos" as const),
    level: fc.integer({ min: 1, max: 5 }),
    for: fc.constant(5),
  }),
  fc.constant<Command>({ type: "clear_faults" }),
  action(
    anyone,
    { kind: "stop" },
    { kind: "start" },
    { kind: "wipe" },
    { kind: "roll_back", blocks: 1 },
    { kind: "state_sync", from: "val-6" },
    { kind: "halt_height", height: 12 },
    { kind: "halt_height", height: 0 },
  ),
  fc.array(fc.nat(2), { minLength: VALIDATORS, maxLength: VALIDATORS }).map(
    (parts): Command => ({
      type: "partition",
      groups: [0, 1, 2].map((part) => names.filter((_, i) => parts[i] === part)),
    }),
  ),
  { arbitrary: fc.constant<Command>({ type: "heal" }), weight: 2 },
);

/** What only those do who do not keep to the rules, whether they mean it or not. */
const treason: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ type: fc.constant("double_sign" as const), node: byzantine }),
  action(byzantine, { kind: "twin" }, { kind: "lose_signer_state" }),
);

const schedule = fc.array(
  fc.tuple(
    fc.integer({ min: 1, max: 5 }),
    fc.oneof({ weight: 3, arbitrary: trouble }, { weight: 1, arbitrary: treason }),
  ),
  { minLength: 8, maxLength: 25 },
);

/** Runs a schedule; after each command and round `look` is called. Commands that make no sense are passed over. */
function play(
  sim: Simulation,
  script: readonly (readonly [number, Command])[],
  look: () => void = () => {},
): void {
  for (const [rounds, command] of script) {
    try {
      sim.apply(command);
    } catch {
      // It makes no sense now.
    }
    look();
    for (let i = 0; i < rounds; i++) {
      sim.advance();
      look();
    }
  }
}

/** Notes what every node holds after each height; anything else at that height is a fork. */
class Witness {
  readonly #blocks = new Map<number, string>();
  readonly #states = new Map<number, string>();
  heights = 0;

  look(sim: Simulation): void {
    // Plain comparisons: this runs some thousand times.
    if (sim.forks().length > 0) throw new Error("there are two chains");
    const decided = sim.roundsOf(sim.decidedHeight).at(-1);
    if (decided !== undefined) {
      if (decided.power < decided.neededPower) throw new Error(`decided by ${decided.power}`);
      this.heights = sim.decidedHeight;
    }
    for (let height = Math.max(1, sim.height - 3); height <= sim.height; height++) {
      const hash = sim.block(height)?.hash;
      if (hash !== undefined) this.#note(this.#blocks, height, toHex(hash));
    }
    for (const { height, appHash } of sim.nodes()) this.#note(this.#states, height, toHex(appHash));
  }

  #note(seen: Map<number, string>, height: number, hash: string): void {
    const known = seen.get(height) ?? hash;
    if (hash !== known) throw new Error(`height ${height}: ${hash}, and elsewhere ${known}`);
    seen.set(height, known);
  }
}

describe("with less than a third of the power byzantine, whatever happens", () => {
  test("no two blocks are ever committed at one height, and no two states follow from one", () => {
    let blocks = 0;
    let punished = 0;
    fc.assert(
      fc.property(fc.nat(100), schedule, (seed, script) => {
        const sim = Simulation.create(worldSpec({ seed }, VALIDATORS));
        const witness = new Witness();
        play(sim, script, () => witness.look(sim));
        blocks += witness.heights;
        for (let h = 1; h <= sim.height; h++) punished += sim.block(h)?.misbehavior ?? 0;
      }),
      { numRuns: 30, seed: 5 },
    );
    // The schedules were worth something: blocks came, and some double signs were found out.
    expect(blocks).toBeGreaterThan(150);
    expect(punished).toBeGreaterThan(5);
  });

  test("a block comes within three rounds once more than two thirds are up, connected and without fault", () => {
    fc.assert(
      fc.property(fc.nat(100), schedule, (seed, script) => {
        const sim = Simulation.create(worldSpec({ seed }, VALIDATORS));
        play(sim, script);
        sim.apply({ type: "clear_faults" });
        sim.apply({ type: "heal" });
        // Two stay as they are, up or down; the others come back.
        for (const node of names.slice(2)) {
          sim.apply({ type: "node", node, action: { kind: "halt_height", height: 0 } });
        }
        const { height } = sim;
        runRounds(sim, 3);
        expect(sim.height).toBeGreaterThan(height);
      }),
      { numRuns: 30 },
    );
  });
});
