import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { valAddress } from "../../base/bech32.ts";
import { toHex } from "../../base/bytes.ts";
import { propertyRuns } from "../../base/property.testing.ts";
import { SECOND } from "../../base/time.ts";
import type { Command } from "./command.ts";
import { Simulation } from "./simulation.ts";
import {
  cancelUpgrade,
  install,
  pass,
  runRounds,
  runTo,
  softwareUpgrade,
  V2,
  V2_WITH_STORE,
  worldSpec,
} from "./testing.ts";

const start = (...args: Parameters<typeof worldSpec>): Simulation =>
  Simulation.create(worldSpec(...args));

const stop = (sim: Simulation, ...nodes: readonly string[]): void => {
  for (const node of nodes) sim.apply({ type: "node", node, action: { kind: "stop" } });
};

const processes = (sim: Simulation): string[] => sim.nodes().map((node) => node.process);

describe("blocks", () => {
  test("come every block time, the first at the genesis time, while every proposer is up", () => {
    const sim = start();
    runTo(sim, 10);
    const times = Array.from({ length: 10 }, (_, i) => sim.timeAt(i + 1));
    expect(times).toEqual(times.map((_, i) => sim.spec.genesisTime + BigInt(i) * 5n * SECOND));
  });

  test("a quiet block writes nothing: its app hash is its parent's", () => {
    const sim = start();
    runTo(sim, 5);
    expect(toHex(sim.block(5)?.appHash as Uint8Array)).toBe(
      toHex(sim.block(4)?.appHash as Uint8Array),
    );
    expect(sim.state(5)).toBe(sim.state(4));
  });

  test("are not made by exactly two thirds of the power", () => {
    const sim = start({}, 3);
    runTo(sim, 3);
    stop(sim, "val-2");
    runRounds(sim, 20);
    expect(sim.height).toBe(3);
    expect(sim.chainStatus()).toMatchObject({
      state: "halted",
      votingPower: 200,
      neededPower: 201,
    });
    sim.apply({ type: "node", node: "val-2", action: { kind: "start" } });
    runTo(sim, 6);
    expect(sim.chainStatus().state).toBe("running");
  });

  test("a proposer that is away costs its round, not the chain", () => {
    const sim = start();
    runTo(sim, 3);
    stop(sim, "val-1");
    const before = sim.rounds;
    runTo(sim, 23);
    expect(sim.rounds - before).toBeGreaterThan(20);
    const withRounds = Array.from({ length: 20 }, (_, i) => sim.block(4 + i)?.round ?? 0);
    expect(withRounds.some((round) => round > 0)).toBe(true);
  });

  test("the same spec and journal give the same app hash at every height", () => {
    const command = fc.oneof(
      fc.record({
        type: fc.constant("double_sign" as const),
        node: fc.constantFrom("val-0", "val-3"),
      }),
      fc.record({
        type: fc.constant("node" as const),
        node: fc.constantFrom("val-0", "val-1", "val-2"),
        action: fc.constantFrom({ kind: "stop" as const }, { kind: "start" as const }),
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(6), command), { maxLength: 8 }), (script) => {
        const first = start();
        for (const [rounds, input] of script) {
          runRounds(first, rounds);
          try {
            first.apply(input as Command);
          } catch {
            // An invalid command changes nothing and is not in the journal.
          }
        }
        runRounds(first, 10);
        const second = start();
        for (const entry of first.journal) {
          runRounds(second, entry.at - second.rounds);
          second.apply(entry.command);
        }
        runRounds(second, first.rounds - second.rounds);
        expect(second.height).toBe(first.height);
        for (let h = 1; h <= first.height; h++) {
          expect(toHex(second.block(h)?.hash as Uint8Array)).toBe(
            toHex(first.block(h)?.hash as Uint8Array),
          );
        }
      }),
      { numRuns: propertyRuns(25) },
    );
  });
});

describe("a double sign", () => {
  test("at H is in block H+1, where it is slashed, jailed and tombstoned, and out of the set at H+3", () => {
    const sim = start();
    runTo(sim, 5);
    sim.apply({ type: "double_sign", node: "val-2" });
    runTo(sim, 6);
    expect(sim.block(6)?.misbehavior).toBe(0);
    runTo(sim, 7);
    expect(sim.block(7)?.misbehavior).toBe(1);
    const slash = sim.block(7)?.events.filter((event) => event.type === "slash") ?? [];
    expect(slash[0]?.attributes).toContainEqual({ key: "reason", value: "double_sign" });
    expect(slash[0]?.attributes).toContainEqual({ key: "burned_coins", value: "5000000" });
    const member = () =>
      sim
        .validators()
        .some(
          (v) =>
            toHex(v.address) === toHex(sim.node("val-2")?.consensusAddress ?? new Uint8Array()),
        );
    expect(member()).toBe(true);
    runTo(sim, 8);
    expect(member()).toBe(false);
  });
});

describe("a validator set", () => {
  test("that would be left empty stops every node, in the consensus engine's words", () => {
    const sim = start();
    runTo(sim, 5);
    for (const { name } of sim.spec.validators) {
      sim.apply({ type: "misbehavior", kind: 1, validator: name, height: 3 });
    }
    runRounds(sim, 8);
    expect(processes(sim)).toEqual(["halted", "halted", "halted", "halted"]);
    expect(sim.node("val-0")?.reason).toContain("would result in empty set");
    sim.apply({ type: "node", node: "val-0", action: { kind: "start" } });
    runRounds(sim, 3);
    expect(sim.chainStatus().state).toBe("halted");
  });
});

describe("an upgrade", () => {
  test("with no node ready halts every node at its height, each with its reason, the block decided but not applied", () => {
    const sim = start();
    pass(sim, softwareUpgrade(sim, "v2", 30, "read me"));
    runTo(sim, 29);
    runRounds(sim, 5);
    expect([sim.height, sim.decidedHeight]).toEqual([29, 30]);
    expect(processes(sim)).toEqual(["exited", "exited", "exited", "exited"]);
    expect(sim.node("val-0")?.reason).toBe('UPGRADE "v2" NEEDED at height: 30: read me');
    expect(sim.files("val-0").get("data/upgrade-info.json")).toBe(
      '{"name":"v2","time":"0001-01-01T00:00:00Z","height":30,"info":"read me"}',
    );
  });

  test("leaves the decisions that stopped a node, though its block was never applied", () => {
    const sim = start();
    pass(sim, softwareUpgrade(sim, "v2", 30));
    runTo(sim, 29);
    runRounds(sim, 2);
    const [halt, ...others] = sim.haltsSince(0);
    expect(others).toEqual([]);
    expect(halt?.nodes).toEqual(["val-0", "val-1", "val-2", "val-3"]);
    expect(halt?.steps.at(-1)).toMatchObject({ phase: "pre-block", outcome: "halt" });
  });

  test("resumes when more than two thirds of the power run the new binary, with new module versions", () => {
    const sim = start({ binaries: [V2_WITH_STORE] });
    pass(sim, softwareUpgrade(sim, "v2", 30));
    runTo(sim, 29);
    runRounds(sim, 3);
    install(sim, "v2", "val-0", "val-1");
    runRounds(sim, 3);
    expect(sim.height).toBe(29);
    install(sim, "v2", "val-2");
    expect(sim.height).toBe(30);
    runTo(sim, 33);
    expect(
      sim.storeValue("upgrade", Uint8Array.of(2, ...new TextEncoder().encode("bank"))),
    ).toEqual(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 5));
    expect(processes(sim)).toEqual(["running", "running", "running", "exited"]);
    install(sim, "v2", "val-3");
    expect(sim.node("val-3")?.height).toBe(sim.height);
    expect(sim.appHashesAgree()).toBe(true);
  });

  test("an old binary that is started again fails again, and its process exits", () => {
    const sim = start();
    pass(sim, softwareUpgrade(sim, "v2", 30));
    runTo(sim, 29);
    runRounds(sim, 3);
    sim.apply({ type: "node", node: "val-0", action: { kind: "start" } });
    expect(sim.node("val-0")?.process).toBe("exited");
    expect(sim.node("val-0")?.reason).toContain('UPGRADE "v2" NEEDED at height: 30: ');
  });

  test("a binary started before its time stops with the words of the document", () => {
    const sim = start();
    pass(sim, softwareUpgrade(sim, "v2", 40));
    install(sim, "v2", "val-3");
    runRounds(sim, 3);
    expect(sim.node("val-3")?.reason).toBe(
      'BINARY UPDATED BEFORE TRIGGER! UPGRADE "v2" - in binary but not executed on chain. Downgrade your binary',
    );
    expect(sim.chainStatus().state).toBe("running");
  });

  test("that was cancelled never happens", () => {
    const sim = start();
    pass(sim, softwareUpgrade(sim, "v2", 50));
    pass(sim, cancelUpgrade(sim));
    runTo(sim, 60);
    expect(processes(sim)).toEqual(["running", "running", "running", "running"]);
  });

  test("whose results depend on the node splits the chain at the next height", () => {
    const sim = start({ binaries: [{ ...V2, migration: { kind: "nondeterministic" } }] });
    pass(sim, softwareUpgrade(sim, "v2", 30));
    runTo(sim, 29);
    runRounds(sim, 2);
    install(sim, "v2", "val-0", "val-1", "val-2", "val-3");
    expect(sim.appHashesAgree()).toBe(false);
    runRounds(sim, 5);
    expect(sim.height).toBe(30);
    expect(sim.chainStatus()).toMatchObject({ state: "halted", votingPower: 100 });
  });
});

describe("names", () => {
  test("an operator's account and validator address share their bytes, and every seed has its own keys", () => {
    const a = start();
    const b = start({ seed: 8 });
    const node = a.node("val-0");
    expect(valAddress(node?.operatorAddress ?? new Uint8Array())).toBe(
      valAddress(a.account("val-0") as Uint8Array),
    );
    expect(toHex(node?.consensusAddress ?? new Uint8Array())).not.toBe(
      toHex(b.node("val-0")?.consensusAddress ?? new Uint8Array()),
    );
  });

  test("a command for an unknown node is refused, with the names there are, and is not in the journal", () => {
    const sim = start();
    expect(() => sim.apply({ type: "double_sign", node: "val-9" })).toThrow(
      "there is no node val-9; there are val-0, val-1, val-2, val-3",
    );
    expect(sim.journal).toEqual([]);
  });
});
