import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toHex } from "../../base/bytes.ts";
import { propertyRuns } from "../../base/property.testing.ts";
import { EMPTY_HASH } from "../consensus/hashes.ts";
import { headerHash } from "../consensus/header.ts";
import type { Command } from "./command.ts";
import { Simulation } from "./simulation.ts";
import { pass, runRounds, runTo, softwareUpgrade, worldSpec } from "./testing.ts";

const headersOf = (sim: Simulation) =>
  Array.from({ length: sim.height }, (_, i) => {
    const header = sim.header(i + 1);
    if (header === undefined) throw new Error(`there is no header ${i + 1}`);
    return header;
  });

const hashes = (sim: Simulation): string[] =>
  Array.from({ length: sim.height }, (_, i) => toHex(sim.block(i + 1)?.hash ?? new Uint8Array()));

describe("a header, put together again (rules/consensus 3.1)", () => {
  const node = fc.constantFrom("val-0", "val-1", "val-2", "val-3");
  const command: fc.Arbitrary<Command> = fc.oneof(
    fc.record({ type: fc.constant("double_sign" as const), node }),
    fc.record({
      type: fc.constant("fault" as const),
      node,
      kind: fc.constantFrom("mute" as const, "slow" as const, "clock" as const, "flaky" as const),
      for: fc.integer({ min: 1, max: 4 }),
    }),
    fc.record({
      type: fc.constant("node" as const),
      node,
      action: fc.constantFrom({ kind: "stop" as const }, { kind: "start" as const }),
    }),
  );

  test.each(["compact", "full"] as const)(
    "has the hash of its block at every height, whatever happened; commits: %s",
    (commits) => {
      fc.assert(
        fc.property(fc.array(fc.tuple(fc.nat(4), command), { maxLength: 8 }), (script) => {
          const sim = Simulation.create(worldSpec({ commits }));
          for (const [rounds, input] of script) {
            runRounds(sim, rounds);
            try {
              sim.apply(input);
            } catch {
              // The command is not valid now.
            }
          }
          runRounds(sim, 6);
          const headers = headersOf(sim);
          expect(headers.map((header) => toHex(headerHash(header)))).toEqual(hashes(sim));
        }),
        { numRuns: propertyRuns(commits === "full" ? 8 : 30) },
      );
    },
  );

  test("has it through transactions, evidence, a new validator set and an upgrade", () => {
    const sim = Simulation.create(worldSpec());
    sim.apply({ type: "double_sign", node: "val-3" });
    pass(sim, softwareUpgrade(sim, "v2", 20));
    runTo(sim, 19);
    runRounds(sim, 2);
    for (const { name } of sim.nodes()) {
      sim.apply({ type: "node", node: name, action: { kind: "install", binary: "v2" } });
    }
    runTo(sim, 25);
    const headers = headersOf(sim);
    expect(headers.map((header) => toHex(headerHash(header)))).toEqual(hashes(sim));
    const withTxs = headers.filter((header) => toHex(header.dataHash) !== toHex(EMPTY_HASH));
    expect(withTxs.map(({ height }) => height)).toEqual([1, 2]);
    const changed = headers.filter(
      (header) => toHex(header.validatorsHash) !== toHex(header.nextValidatorsHash),
    );
    expect(changed).toHaveLength(1);
  });

  test("names the block below it, from the last to the first", () => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 8);
    const headers = headersOf(sim);
    for (const [i, header] of headers.entries()) {
      expect(toHex(header.lastBlockId.hash)).toBe(i === 0 ? "" : hashes(sim)[i - 1]);
    }
  });

  test("carries the state after the block below it", () => {
    const sim = Simulation.create(worldSpec());
    pass(sim, softwareUpgrade(sim, "v2", 40));
    for (const { height, appHash } of headersOf(sim).slice(1)) {
      expect(toHex(appHash)).toBe(toHex(sim.state(height - 1).appHash));
    }
  });

  test("is not there before its block is committed", () => {
    const sim = Simulation.create(worldSpec());
    expect([sim.header(0), sim.header(1)]).toEqual([undefined, undefined]);
    pass(sim, softwareUpgrade(sim, "v2", 20));
    runTo(sim, 19);
    runRounds(sim, 2);
    expect([sim.decidedHeight, sim.header(20)]).toEqual([20, undefined]);
  });
});
