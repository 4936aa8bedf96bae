import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toHex } from "../../base/bytes.ts";
import { propertyRuns } from "../../base/property.testing.ts";
import { proposerOfRound, ValidatorSet } from "../consensus/validator-set.ts";
import type { NodeFaultKind } from "../network/faults/kinds.ts";
import type { Command, NodeAction } from "./command.ts";
import { Simulation } from "./simulation.ts";
import { runRounds, worldSpec } from "./testing.ts";

const VALIDATORS = 7;
const names = Array.from({ length: VALIDATORS }, (_, i) => `val-${i}`);
/** Two of seven: less than a third of the power. */
const byzantine = fc.constantFrom("val-0", "val-1");
const anyone = fc.constantFrom(...names);
const lasts = fc.integer({ min: 1, max: 5 });
/** Three groups, some of which may be empty. */
const parts = fc
  .array(fc.nat(2), { minLength: VALIDATORS, maxLength: VALIDATORS })
  .map((drawn) => [0, 1, 2].map((part) => names.filter((_, i) => drawn[i] === part)));

const action = (node: fc.Arbitrary<string>, ...actions: readonly NodeAction[]) =>
  fc.record({ type: fc.constant("node" as const), node, action: fc.constantFrom(...actions) });

/** All faults of nodes and of the network between them. */
const faultCommand: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    type: fc.constant("fault" as const),
    node: anyone,
    kind: fc.constantFrom<NodeFaultKind[]>("crash", "slow", "mute", "clock", "flaky", "stop"),
    for: lasts,
  }),
  fc.record({
    type: fc.constant("fault" as const),
    kind: fc.constant("partition" as const),
    groups: parts,
    for: lasts,
  }),
  // From level 4 on, chaos would make validators double-sign beyond the two chosen here.
  fc.record({
    type: fc.constant("chaos" as const),
    level: fc.integer({ min: 1, max: 3 }),
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
  parts.map((groups): Command => ({ type: "partition", groups })),
  { arbitrary: fc.constant<Command>({ type: "heal" }), weight: 2 },
);

/** Commands that make nodes break the protocol, intentionally or not. */
const treason: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ type: fc.constant("double_sign" as const), node: byzantine }),
  action(byzantine, { kind: "twin" }, { kind: "lose_signer_state" }),
  fc.record({
    type: fc.constant("fault" as const),
    node: byzantine,
    kind: fc.constantFrom<NodeFaultKind[]>("double_sign", "twin", "lose_signer_state"),
    for: lasts,
  }),
);

const schedule = fc.array(
  fc.tuple(
    fc.integer({ min: 1, max: 5 }),
    fc.oneof({ weight: 3, arbitrary: faultCommand }, { weight: 1, arbitrary: treason }),
  ),
  { minLength: 8, maxLength: 25 },
);

/** Runs a schedule and calls `look` after each command and round. Refused commands are skipped. */
function play(
  sim: Simulation,
  script: readonly (readonly [number, Command])[],
  look: () => void = () => {},
): void {
  for (const [rounds, command] of script) {
    try {
      sim.apply(command);
    } catch {
      // The command is not valid now.
    }
    look();
    for (let i = 0; i < rounds; i++) {
      sim.advance();
      look();
    }
  }
}

/**
 * Records the blocks of every fork and the state of every node after each height; a second one at a
 * height is a fork.
 */
class Witness {
  readonly #blocks = new Map<number, string>();
  readonly #states = new Map<number, string>();
  heights = 0;

  look(sim: Simulation): void {
    // Plain comparisons, because this runs some thousand times.
    const decided = sim.roundsOf(sim.decidedHeight).at(-1);
    if (decided?.outcome === "decided") {
      if (decided.power < decided.neededPower) throw new Error(`decided by ${decided.power}`);
      this.heights = sim.decidedHeight;
    }
    this.#noteBlocks(sim.height, (height) => sim.block(height)?.hash);
    for (const fork of sim.forks()) this.#noteBlocks(fork.height, fork.hashAt);
    for (const { height, appHash } of sim.nodes()) this.#note(this.#states, height, toHex(appHash));
  }

  #noteBlocks(newest: number, hashAt: (height: number) => Uint8Array | undefined): void {
    for (let height = Math.max(1, newest - 3); height <= newest; height++) {
      const hash = hashAt(height);
      if (hash !== undefined) this.#note(this.#blocks, height, toHex(hash));
    }
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
      { numRuns: propertyRuns(30), seed: 5 },
    );
    // The schedules were useful: blocks were produced, and some double signs were detected.
    expect(blocks).toBeGreaterThan(150);
    expect(punished).toBeGreaterThan(5);
  });

  test("a block comes within three rounds once nothing is wrong any more: all up, connected, and without fault", () => {
    fc.assert(
      fc.property(
        fc.nat(100),
        fc.integer({ min: VALIDATORS, max: 30 }),
        schedule,
        (seed, n, script) => {
          const sim = Simulation.create(worldSpec({ seed }, n));
          play(sim, script);
          sim.apply({ type: "clear_faults" });
          sim.apply({ type: "heal" });
          for (const { name } of sim.nodes()) {
            const start: NodeAction = { kind: "halt_height", height: 0 };
            sim.apply({ type: "node", node: name, action: start });
          }
          const { height } = sim;
          runRounds(sim, 3);
          expect(sim.height).toBeGreaterThan(height);
        },
      ),
      { numRuns: propertyRuns(30), seed: 9 },
    );
  });
});

test("while some are stopped a block takes one round for each of them whose turn comes first, and one more", () => {
  const rounds = (n: number, stopped: readonly number[]): void => {
    const sim = Simulation.create(worldSpec({}, n));
    for (const i of stopped) {
      sim.apply({ type: "node", node: `val-${i}`, action: { kind: "stop" } });
    }
    const keys = sim.spec.validators.map(({ name }) => sim.consensusKey(name));
    const set = ValidatorSet.create(keys.map((pubKey) => ({ pubKey, power: 100 })));
    const inTurn = Array.from({ length: n }, (_, round) => {
      const { address } = set.list.at(proposerOfRound(set, round));
      return sim.nodes().find((node) => toHex(node.consensusAddress) === toHex(address));
    });
    const first = inTurn.findIndex((node) => node?.process === "running");
    runRounds(sim, first);
    expect(sim.height).toBe(0);
    runRounds(sim, 1);
    expect(sim.height).toBe(1);
    expect(sim.roundsOf(1)).toHaveLength(first + 1);
    longest = Math.max(longest, first);
  };
  let longest = 0;
  fc.assert(
    fc.property(fc.integer({ min: 4, max: 30 }), fc.infiniteStream(fc.nat()), (n, draws) => {
      const few = Math.ceil(n / 3) - 1;
      const stopped = new Set(Array.from({ length: few }, () => Number(draws.next().value) % n));
      rounds(n, [...stopped]);
    }),
    { numRuns: propertyRuns(40), seed: 4 },
  );
  // The first validators in genesis order: a third of the power may skip its turns.
  const sim = Simulation.create(worldSpec({}, 10));
  const order: number[] = [];
  const keys = sim.spec.validators.map(({ name }) => sim.consensusKey(name));
  const set = ValidatorSet.create(keys.map((pubKey) => ({ pubKey, power: 100 })));
  for (let round = 0; round < 3; round++) {
    const { pubKey } = set.list.at(proposerOfRound(set, round));
    order.push(keys.findIndex((key) => toHex(key) === toHex(pubKey)));
  }
  rounds(10, order);
  expect(longest).toBe(3);
});
