import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { toHex, toHexUpper } from "../../base/bytes.ts";
import { propertyRuns } from "../../base/property.testing.ts";
import { CommandError } from "../framework/errors.ts";
import { proveKey } from "../store/proof.ts";
import type { Command } from "./command.ts";
import { readKeyframe, writeKeyframe } from "./keyframe/keyframe.ts";
import { Simulation } from "./simulation.ts";
import { acceptTampering } from "./tamper.ts";
import { runTo, worldSpec } from "./testing.ts";

beforeAll(acceptTampering);

interface Place {
  readonly store: string;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** Every key of the newest state that has a value. */
const placesIn = (sim: Simulation): Place[] =>
  sim
    .state()
    .storeNames.flatMap((store) =>
      [...sim.state().reader(store).iterate()].map(({ key, value }) => ({ store, key, value })),
    )
    .filter(({ value }) => value.length > 0);

const tampering = ({ store, key, value }: Place, place = 0): Command & { type: "tamper" } => {
  return { type: "tamper", store, key, place, byte: (value[place] ?? 0) ^ 1 };
};

/** Command that changes a digit of the tokens in a validator's record. */
function validatorIn(sim: Simulation): Command & { type: "tamper" } {
  const found = placesIn(sim).find(({ store, key }) => store === "staking" && key[0] === 0x21);
  if (found === undefined) throw new Error("no validator");
  const digits = new TextDecoder("latin1").decode(found.value).indexOf("100000000");
  return { ...tampering(found), place: digits, byte: 0x39 };
}

/** World with six blocks, of which val-3 has three. */
function world(): Simulation {
  const sim = Simulation.create(worldSpec());
  runTo(sim, 3);
  sim.apply({ type: "node", node: "val-3", action: { kind: "stop" } });
  runTo(sim, 6);
  return sim;
}

const hashOf = (sim: Simulation, node: string): string =>
  toHexUpper(sim.node(node)?.appHash ?? new Uint8Array());

describe("a byte that is changed by hand", () => {
  test("is in what the nodes hold, and not in what the blocks led to; the next header says the hash of what the nodes hold", () => {
    const sim = world();
    const before = toHexUpper(sim.appHash);
    const command = validatorIn(sim);
    sim.apply(command);
    const [tampered] = sim.tampered;
    expect(tampered).toMatchObject({ height: 6, store: "staking", appHash: before, was: 0x31 });
    expect(hashOf(sim, "val-0")).toBe(tampered?.heldAppHash);
    expect(hashOf(sim, "val-0")).not.toBe(before);
    expect(toHexUpper(sim.state(6).appHash)).toBe(before);
    runTo(sim, 9);
    expect(toHexUpper(sim.header(7)?.appHash ?? new Uint8Array())).toBe(tampered?.heldAppHash);
    expect(toHexUpper(sim.header(8)?.appHash ?? new Uint8Array())).toBe(
      toHexUpper(sim.state(7).appHash),
    );
    expect(sim.storeValue("staking", command.key, 6)?.[command.place]).toBe(0x31);
    expect(sim.storeValue("staking", command.key, 7)?.[command.place]).toBe(0x39);
  });

  test("leaves every other byte of the tree as it was", () => {
    const sim = world();
    const command = validatorIn(sim);
    const proofIn = (state: ReturnType<Simulation["state"]>) =>
      proveKey(state.store("staking").root, command.key);
    const before = proofIn(sim.stateOf("val-0"));
    sim.apply(command);
    const after = proofIn(sim.stateOf("val-0"));
    expect(after?.path.map(({ prefix, suffix }) => [toHex(prefix), toHex(suffix)])).toEqual(
      before?.path.map(({ prefix, suffix }) => [toHex(prefix), toHex(suffix)]),
    );
    expect(after?.leafPrefix).toEqual(before?.leafPrefix);
    expect(after?.leafHash).not.toEqual(before?.leafHash);
  });

  test("has every node halt that executes the blocks again: one that was behind, and one that begins anew", () => {
    const sim = world();
    sim.apply(validatorIn(sim));
    runTo(sim, 8);
    sim.apply({ type: "node", node: "val-3", action: { kind: "start" } });
    sim.apply({ type: "node", node: "val-2", action: { kind: "stop" } });
    sim.apply({ type: "node", node: "val-2", action: { kind: "wipe" } });
    sim.apply({ type: "node", node: "val-2", action: { kind: "start" } });
    for (const name of ["val-2", "val-3"]) {
      expect(sim.node(name)).toMatchObject({
        process: "halted",
        height: 6,
        haltCause: {
          kind: "wrong_app_hash",
          expected: sim.tampered[0]?.appHash,
          got: sim.tampered[0]?.heldAppHash,
        },
      });
    }
  });

  test("is refused where there is none such, and before the first block", () => {
    const sim = Simulation.create(worldSpec());
    const key = Uint8Array.of(0x21);
    const nothing = { type: "tamper", store: "staking", key, place: 0, byte: 1 } as const;
    expect(() => sim.apply(nothing)).toThrow("there is no block yet");
    runTo(sim, 2);
    expect(() => sim.apply(nothing)).toThrow("store staking has no key 21 after block 2");
    expect(() => sim.apply({ ...nothing, store: "ibc" })).toThrow("store ibc has no key 21");
    const command = validatorIn(sim);
    const { length } = sim.storeValue("staking", command.key) ?? [];
    expect(() => sim.apply({ ...command, place: length ?? 0 })).toThrow(
      `expected a byte from 0 to ${(length ?? 0) - 1} of the value`,
    );
    expect(() => sim.apply({ ...command, byte: 0x31 })).toThrow(CommandError);
    expect([sim.tampered, sim.journalLength]).toEqual([[], 0]);
  });

  test("whichever it is, leads to one chain only: a replay and a keyframe give the same, and no module's bug shows", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), (at, place, by) => {
        const sim = world();
        const places = placesIn(sim);
        const chosen = places[at % places.length] as Place;
        const byte = place % chosen.value.length;
        const command = { ...tampering(chosen, byte), byte: (chosen.value[byte] ?? 0) ^ by };
        sim.apply(command);
        const stored = writeKeyframe(sim);
        for (let i = 0; i < 6; i++) sim.advance();
        const again = world();
        again.apply(command);
        const restored = readKeyframe(sim.spec, stored);
        for (let i = 0; i < 6; i++) {
          again.advance();
          restored.advance();
        }
        const told = (each: Simulation) => [
          each.height,
          each.tampered,
          each.nodes().map(({ name }) => [name, hashOf(each, name), each.node(name)?.reason]),
          toHexUpper(each.appHash),
        ];
        expect(told(again)).toEqual(told(sim));
        expect(told(restored)).toEqual(told(sim));
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});
