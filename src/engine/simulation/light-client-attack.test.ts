import { describe, expect, test } from "vitest";
import { equal } from "../../base/bytes.ts";
import { EMPTY_HASH } from "../consensus/hashes.ts";
import { CommandError } from "../framework/errors.ts";
import type { LightClientAttackCommand } from "./command.ts";
import { acceptLightClientAttacks } from "./light-client-attacks.ts";
import { Simulation } from "./simulation.ts";
import { runRounds, runTo, worldSpec } from "./testing.ts";

acceptLightClientAttacks();

function attacked(command: Omit<LightClientAttackCommand, "type">, at = 8): Simulation {
  const sim = Simulation.create(worldSpec());
  runTo(sim, at);
  sim.apply({ type: "light_client_attack", ...command });
  return sim;
}

const tokens = (sim: Simulation, height: number): number =>
  (sim.block(height)?.events ?? []).filter(({ type, attributes }) => {
    return type === "slash" && attributes.some(({ value }) => value === "double_sign");
  }).length;

const carriesEvidence = (sim: Simulation, height: number): boolean =>
  !equal(sim.header(height)?.evidenceHash ?? EMPTY_HASH, EMPTY_HASH);

describe("evidence in a block", () => {
  test("is put off to the next ones where the consensus params leave too little room", () => {
    const bodies = (maxEvidenceBytes?: number): number[] => {
      const spec = maxEvidenceBytes === undefined ? {} : { maxEvidenceBytes };
      const sim = Simulation.create(worldSpec(spec, 7));
      runTo(sim, 5);
      for (const node of ["val-0", "val-1"]) sim.apply({ type: "double_sign", node });
      runTo(sim, 9);
      return [6, 7, 8, 9].map((height) => sim.block(height)?.evidence.length ?? -1);
    };
    expect(bodies()).toEqual([0, 2, 0, 0]);
    expect(bodies(400)).toEqual([0, 1, 1, 0]);
    expect(bodies(0)).toEqual([0, 0, 0, 0]);
  });
});

describe("a light client attack (rules/consensus 2.2)", () => {
  test("of lunatics needs more than a third of the common set, and punishes all who signed", () => {
    const sim = attacked({ kind: "lunatic", by: ["val-1", "val-2"] });
    runTo(sim, 12);
    expect(carriesEvidence(sim, 9)).toBe(true);
    expect(sim.block(9)?.misbehavior).toBe(2);
    expect(tokens(sim, 9)).toBe(2);
    expect(sim.validators()).toHaveLength(2);
  });

  test("of lunatics counts a validator once that attacks with its twin", () => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 8);
    sim.apply({ type: "node", node: "val-1", action: { kind: "twin" } });
    const attack = { type: "light_client_attack", kind: "lunatic" } as const;
    const alone = () => sim.apply({ ...attack, by: ["val-1", "val-1-twin"] });
    expect(alone).toThrow("insufficient voting power: got 100, needed more than 133");
    sim.apply({ ...attack, by: ["val-1", "val-1-twin", "val-2"] });
    runTo(sim, 9);
    expect(sim.block(9)?.misbehavior).toBe(2);
  });

  test("of lunatics ahead of the chain is judged against its newest block", () => {
    const sim = attacked({ kind: "lunatic", by: ["val-1", "val-2"], height: 20 });
    runTo(sim, 12);
    expect(sim.block(9)?.misbehavior).toBe(2);
    expect(sim.block(9)?.evidence[0]).toMatchObject({
      commonHeight: 8,
      conflictingBlock: { header: { height: 20 } },
    });
    expect(tokens(sim, 9)).toBe(2);
    const tooFew = () => attacked({ kind: "lunatic", by: ["val-1"], height: 20 });
    expect(tooFew).toThrow("insufficient voting power: got 100, needed more than 133");
    const ahead = () => attacked({ kind: "amnesia", by: ["val-1"], height: 20 });
    expect(ahead).toThrow("there is no block 20");
  });

  test("of lunatics with too little power is refused: no light client would accept it", () => {
    expect(() => attacked({ kind: "lunatic", by: ["val-1"] })).toThrow(
      "skipping verification of conflicting block failed: invalid commit -- insufficient voting power: got 100, needed more than 133",
    );
  });

  test("by equivocation needs more than two thirds, and punishes those who signed both blocks", () => {
    const sim = attacked({ kind: "equivocation", by: ["val-0", "val-1", "val-2"], height: 5 });
    runTo(sim, 12);
    expect(sim.block(9)?.misbehavior).toBe(3);
    expect(tokens(sim, 9)).toBe(3);
    expect(sim.validators()).toHaveLength(1);
  });

  test("by equivocation does not punish who was absent from the chain's own commit", () => {
    const sim = Simulation.create(worldSpec());
    sim.apply({ type: "fault", node: "val-2", kind: "mute", at: 5, for: 1 });
    runTo(sim, 8);
    const by = ["val-0", "val-1", "val-2"];
    sim.apply({ type: "light_client_attack", kind: "equivocation", by, height: 5 });
    runTo(sim, 9);
    expect(sim.block(9)?.misbehavior).toBe(2);
  });

  test("by equivocation with too little power is refused: no light client would accept it", () => {
    expect(() => attacked({ kind: "equivocation", by: ["val-1", "val-2"] })).toThrow(
      "invalid commit from conflicting block: invalid commit -- insufficient voting power: got 200, needed more than 266",
    );
  });

  test("by amnesia is on chain, but punishes no validator", () => {
    const sim = attacked({ kind: "amnesia", by: ["val-0", "val-1", "val-2"] });
    runTo(sim, 12);
    expect(carriesEvidence(sim, 9)).toBe(true);
    expect(sim.block(9)?.misbehavior).toBe(0);
    expect(sim.validators()).toHaveLength(4);
  });

  test("that is reported again is committed once", () => {
    const sim = attacked({ kind: "lunatic", by: ["val-1", "val-2"] });
    sim.apply({ type: "light_client_attack", kind: "lunatic", by: ["val-2", "val-1"], height: 8 });
    runTo(sim, 9);
    sim.apply({ type: "light_client_attack", kind: "lunatic", by: ["val-1", "val-2"], height: 8 });
    runTo(sim, 13);
    expect([9, 10, 11, 12, 13].map((height) => carriesEvidence(sim, height))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  test.each([
    [
      "a block that is not there",
      { kind: "amnesia", by: ["val-1"], height: 20 },
      "there is no block 20",
    ],
    [
      "lunatics at the first block",
      { kind: "lunatic", by: ["val-1"], height: 1 },
      "both sides agree",
    ],
    ["a stranger", { kind: "lunatic", by: ["val-9"] }, "there is no node val-9"],
    [
      "everyone",
      { kind: "lunatic", by: ["val-0", "val-1", "val-2", "val-3"] },
      "no honest node runs",
    ],
    ["none", { kind: "lunatic", by: [] }, "an attack needs a validator that signs"],
    ["too little power", { kind: "lunatic", by: ["val-1"] }, "insufficient voting power"],
  ] as const)("of %s is refused, and nothing has happened", (_, command, reason) => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 8);
    const journal = sim.journal.length;
    const attack = (): unknown => sim.apply({ type: "light_client_attack", ...command });
    expect(attack).toThrow(reason);
    expect(attack).toThrow(CommandError);
    expect(sim.journal).toHaveLength(journal);
    runRounds(sim, 2);
    expect(carriesEvidence(sim, 9)).toBe(false);
  });

  test("is too old once both limits are exceeded", () => {
    const sim = Simulation.create(
      worldSpec({ maxEvidenceAge: 20_000_000_000n, maxEvidenceAgeBlocks: 4 }),
    );
    runTo(sim, 12);
    const attack = {
      type: "light_client_attack",
      kind: "lunatic",
      by: ["val-1", "val-2"],
    } as const;
    expect(() => sim.apply({ ...attack, height: 5 })).toThrow(
      /^evidence from height 4 .* is too old/,
    );
    sim.apply({ ...attack, height: 10 });
  });
});
