import { describe, expect, test } from "vitest";
import { BLANK_SIGNER_STATE, lastSignedPosition, refusal } from "../network/node/signer-state.ts";
import type { NodeAction } from "./command.ts";
import { Simulation } from "./simulation.ts";
import { install, pass, runRounds, runTo, softwareUpgrade, worldSpec } from "./testing.ts";

const STATE = "data/priv_validator_state.json";
const act = (sim: Simulation, node: string, ...actions: readonly NodeAction[]): void => {
  for (const action of actions) sim.apply({ type: "node", node, action });
};
const remembered = (sim: Simulation, node: string): unknown =>
  JSON.parse(sim.files(node).get(STATE) ?? "null");
const misbehavior = (sim: Simulation): number[] =>
  Array.from({ length: sim.height }, (_, i) => i + 1).filter(
    (height) => (sim.block(height)?.misbehavior ?? 0) > 0,
  );
const errors = (sim: Simulation, node: string): string[] =>
  sim.log(node).flatMap(({ level, text }) => (level === "error" ? [text] : []));

/** A chain whose nodes have all stopped for upgrade v2 at height 30. */
function stoppedForUpgrade(): Simulation {
  const sim = Simulation.create(worldSpec());
  pass(sim, softwareUpgrade(sim, "v2", 30));
  runTo(sim, 29);
  runRounds(sim, 2);
  return sim;
}

describe("the signer's file", () => {
  test("says what was signed last, as CometBFT writes it, and costs no block anything", () => {
    const sim = Simulation.create(worldSpec());
    expect(sim.files("val-0").get(STATE)).toBe(
      '{\n  "height": "0",\n  "round": 0,\n  "step": 0\n}',
    );
    runTo(sim, 5);
    expect(remembered(sim, "val-0")).toEqual({ height: "5", round: 0, step: 3 });
    act(sim, "val-3", { kind: "stop" });
    runTo(sim, 9);
    expect(remembered(sim, "val-3")).toEqual({ height: "5", round: 0, step: 3 });
  });

  test("holds what was written by hand until the next vote", () => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 5);
    act(sim, "val-0", { kind: "lose_signer_state" });
    expect(remembered(sim, "val-0")).toEqual({ height: "0", round: 0, step: 0 });
    runTo(sim, 6);
    expect(remembered(sim, "val-0")).toEqual({ height: "6", round: 0, step: 3 });
  });

  test.each(["height", "round"])("whose %s is no number, the process does not start", (field) => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 3);
    const content = JSON.stringify({ [field]: { toString: 1, valueOf: 1 } });
    act(sim, "val-0", { kind: "stop" }, { kind: "write_file", path: STATE, content });
    act(sim, "val-0", { kind: "start" });
    expect(sim.node("val-0")).toMatchObject({
      process: "exited",
      reason: expect.stringContaining("Error reading PrivValidator state"),
    });
  });

  test("deleted or unreadable, the process does not start", () => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 5);
    act(sim, "val-0", { kind: "remove_file", path: STATE }, { kind: "start" });
    expect(sim.node("val-0")).toMatchObject({
      process: "exited",
      reason: `open ${STATE}: no such file or directory`,
    });
    act(sim, "val-0", { kind: "write_file", path: STATE, content: "{" }, { kind: "start" });
    expect(sim.node("val-0")?.reason).toBe(
      `Error reading PrivValidator state from ${STATE}: unexpected end of JSON input`,
    );
    expect(() => lastSignedPosition('{"height":5}')).toThrow("invalid 64-bit integer encoding 5");
  });

  test("refuses what it has signed already (rules/consensus 6.1)", () => {
    expect(refusal(20, 20)).toBe("conflicting data");
    expect(refusal(21, 20)).toBe("height regression. Got 20, last height 21");
    expect(refusal(19, 20)).toBeUndefined();
  });
});

const CONFLICT = "found conflicting vote from ourselves; did you unsafe_reset a validator?";
const blank = { kind: "write_file", path: STATE, content: BLANK_SIGNER_STATE } as const;

describe("a hurried restart at a height already voted on", () => {
  test("without its newest block and the signer's memory is a double sign; it is tombstoned after the upgrade", () => {
    const sim = stoppedForUpgrade();
    act(sim, "val-2", { kind: "lose_signer_state" });
    install(sim, "v2", "val-2");
    expect(sim.log("val-2").filter(({ text }) => text === CONFLICT)).toMatchObject([
      { height: 30, level: "error" },
    ]);
    install(sim, "v2", "val-0", "val-1", "val-3");
    runTo(sim, 34);
    expect(misbehavior(sim)).toEqual([31]);
    const slash = sim.block(31)?.events.find(({ type }) => type === "slash");
    expect(slash?.attributes).toContainEqual({ key: "reason", value: "double_sign" });
    expect(sim.validators().length).toBe(3);
  });

  test("with its block store whole is none: the block is replayed, whatever the signer's file says (rules/consensus 7.3)", () => {
    const sim = stoppedForUpgrade();
    act(sim, "val-2", blank);
    const before = errors(sim, "val-2").length;
    install(sim, "v2", "val-2", "val-0", "val-1", "val-3");
    runTo(sim, 36);
    expect(errors(sim, "val-2").slice(before)).toEqual([]);
    expect(misbehavior(sim)).toEqual([]);
  });

  test("without its newest block, but with the file put right, is refused by the signer", () => {
    const sim = stoppedForUpgrade();
    const content = sim.files("val-2").get(STATE) as string;
    act(sim, "val-2", { kind: "lose_signer_state" }, { kind: "write_file", path: STATE, content });
    install(sim, "v2", "val-2", "val-0", "val-1", "val-3");
    runTo(sim, 36);
    expect(errors(sim, "val-2").at(-1)).toBe(
      "failed signing vote err=error signing vote: conflicting data",
    );
    expect(misbehavior(sim)).toEqual([]);
  });

  test("with its memory is harmless, and so is a second hurried one", () => {
    const sim = stoppedForUpgrade();
    install(sim, "v2", "val-0");
    act(sim, "val-2", { kind: "lose_signer_state" });
    install(sim, "v2", "val-2");
    expect(remembered(sim, "val-2")).toEqual({ height: "30", round: 0, step: 3 });
    act(sim, "val-2", { kind: "stop" }, { kind: "start" });
    install(sim, "v2", "val-1", "val-3");
    runTo(sim, 36);
    expect(misbehavior(sim)).toEqual([31]);
  });

  test("with the old binary votes before it stops over the block once more", () => {
    const sim = stoppedForUpgrade();
    act(sim, "val-2", { kind: "lose_signer_state" }, { kind: "start" });
    expect(sim.node("val-2")).toMatchObject({ process: "exited", height: 29 });
    expect(sim.node("val-2")?.reason).toMatch(/^UPGRADE "v2" NEEDED at height: 30/);
    expect(errors(sim, "val-2")).toContain(CONFLICT);
    install(sim, "v2", "val-0", "val-1", "val-2", "val-3");
    runTo(sim, 33);
    expect(misbehavior(sim)).toEqual([31]);
  });

  test("long after the others continued is none: it only receives old blocks", () => {
    const sim = stoppedForUpgrade();
    install(sim, "v2", "val-0", "val-1", "val-3");
    runTo(sim, 33);
    act(sim, "val-2", { kind: "lose_signer_state" });
    install(sim, "v2", "val-2");
    runTo(sim, 36);
    expect(misbehavior(sim)).toEqual([]);
  });

  test("after a roll back the signer refuses to sign again", () => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 10);
    act(sim, "val-3", { kind: "stop" }, { kind: "roll_back", blocks: 1 }, { kind: "start" });
    expect(errors(sim, "val-3")).toEqual([
      "failed signing vote err=error signing vote: conflicting data",
    ]);
    runTo(sim, 13);
    expect(misbehavior(sim)).toEqual([]);
  });
});

describe("a hurried restart at a height that is voted on and still undecided", () => {
  /** Two of four have upgraded: the chain is stuck at 31, and they have voted on it. */
  function stalled(): Simulation {
    const sim = stoppedForUpgrade();
    install(sim, "v2", "val-0", "val-1");
    runRounds(sim, 3);
    expect(remembered(sim, "val-1")).toEqual({ height: "31", round: 3, step: 3 });
    return sim;
  }
  const goOn = (sim: Simulation): void => {
    install(sim, "v2", "val-2", "val-3");
    runTo(sim, 36);
  };

  test("without the signer's memory is a double sign there, though no block was lost", () => {
    const sim = stalled();
    act(sim, "val-1", blank, { kind: "start" });
    expect(sim.log("val-1").at(-1)).toMatchObject({ height: 31, text: CONFLICT });
    expect(remembered(sim, "val-1")).toEqual({ height: "31", round: 3, step: 2 });
    act(sim, "val-1", { kind: "start" });
    goOn(sim);
    // Block 30 was committed in between: the report depends on the height of the votes.
    expect(misbehavior(sim)).toEqual([32]);
    expect(sim.validators().length).toBe(3);
    expect(errors(sim, "val-1").filter((text) => text === CONFLICT)).toHaveLength(1);
  });

  test("with it votes in later rounds", () => {
    const sim = stalled();
    act(sim, "val-1", { kind: "start" });
    expect(errors(sim, "val-1").at(-1)).not.toBe(CONFLICT);
    runRounds(sim, 1);
    expect(remembered(sim, "val-1")).toEqual({ height: "31", round: 4, step: 3 });
    goOn(sim);
    expect(misbehavior(sim)).toEqual([]);
    expect(sim.block(31)?.absent).toEqual([]);
  });

  test("is none for who has said nothing there", () => {
    const sim = stoppedForUpgrade();
    sim.apply({ type: "fault", node: "val-1", kind: "mute" });
    install(sim, "v2", "val-0", "val-1");
    runRounds(sim, 3);
    expect(remembered(sim, "val-1")).toEqual({ height: "30", round: 0, step: 3 });
    act(sim, "val-1", blank, { kind: "start" });
    sim.apply({ type: "clear_faults" });
    goOn(sim);
    expect(misbehavior(sim)).toEqual([]);
  });
});

describe("a twin", () => {
  test("double-signs at every height at which both nodes vote, until the validator is out", () => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 5);
    act(sim, "val-2", { kind: "twin" });
    runTo(sim, 12);
    // It signed at 6, 7 and 8; the evidence of 6 removes the validator from the set of 9.
    expect(misbehavior(sim)).toEqual([7, 8, 9]);
    const slashes = [7, 8, 9].map(
      (height) => sim.block(height)?.events.filter(({ type }) => type === "slash").length,
    );
    expect(slashes[0]).toBeGreaterThan(0);
    expect(slashes.slice(1)).toEqual([0, 0]);
  });

  test("is harmless while its original is down, or receives others' messages than its original does", () => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 5);
    act(sim, "val-2", { kind: "stop" }, { kind: "twin" });
    runTo(sim, 10);
    sim.apply({
      type: "partition",
      groups: [["val-0", "val-1", "val-3", "val-2-twin"], ["val-2"]],
    });
    act(sim, "val-2", { kind: "start" });
    runTo(sim, 15);
    expect(misbehavior(sim)).toEqual([]);
    sim.apply({ type: "heal" });
    runTo(sim, 18);
    expect(misbehavior(sim)).toEqual([17, 18]);
  });

  test("started where its original had voted, without its memory, signs that height again", () => {
    const sim = stoppedForUpgrade();
    act(sim, "val-2", { kind: "twin" });
    act(sim, "val-2-twin", { kind: "lose_signer_state" });
    install(sim, "v2", "val-0", "val-2-twin", "val-1", "val-3");
    runTo(sim, 33);
    expect(misbehavior(sim)).toEqual([31]);
  });
});

describe("a signer whose file is ahead of the chain (rules/consensus 6.1)", () => {
  const ahead = (sim: Simulation, node: string, height: number): void => {
    const content = JSON.stringify({ height: `${height}`, round: 0, step: 3 });
    act(sim, node, { kind: "write_file", path: STATE, content }, { kind: "start" });
  };
  const absences = (sim: Simulation): number[] =>
    Array.from({ length: sim.height }, (_, i) => i + 1).filter(
      (height) => (sim.block(height)?.absent.length ?? 0) > 0,
    );

  test("signs nothing until the chain has passed that height, and says why at each", () => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 5);
    ahead(sim, "val-3", 8);
    runTo(sim, 12);
    expect(absences(sim)).toEqual([6, 7, 8]);
    expect(errors(sim, "val-3")).toEqual([
      "failed signing vote err=error signing vote: height regression. Got 6, last height 8",
      "failed signing vote err=error signing vote: height regression. Got 7, last height 8",
      "failed signing vote err=error signing vote: conflicting data",
    ]);
    expect(sim.node("val-3")).toMatchObject({ process: "running", height: 12 });
    expect(remembered(sim, "val-3")).toEqual({ height: "12", round: 0, step: 3 });
  });

  test("is not read while the process runs", () => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 5);
    const content = '{"height":"50","round":0,"step":3}';
    act(sim, "val-3", { kind: "write_file", path: STATE, content });
    runTo(sim, 8);
    expect(absences(sim)).toEqual([]);
  });

  test("on two of four nodes stops the chain, with its reason; the file put right brings it back", () => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 5);
    ahead(sim, "val-2", 100);
    ahead(sim, "val-3", 100);
    runRounds(sim, 10);
    expect(sim.height).toBe(5);
    expect(sim.chainStatus()).toMatchObject({ state: "halted", votingPower: 200 });
    expect(sim.chainStatus().missing[0]?.reason).toContain("its file remembers a later height");
    ahead(sim, "val-3", 5);
    runTo(sim, 8);
    expect(sim.chainStatus().state).toBe("running");
  });

  test("is not among the faults that can be taken back", () => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 5);
    ahead(sim, "val-3", 8);
    sim.apply({ type: "clear_faults" });
    runTo(sim, 9);
    expect(absences(sim)).toEqual([6, 7, 8]);
  });

  test("leaves the voting to another node with the same key, which then does not double-sign", () => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 5);
    ahead(sim, "val-2", 50);
    act(sim, "val-2", { kind: "twin" });
    act(sim, "val-2-twin", { kind: "lose_signer_state" }, { kind: "start" });
    runTo(sim, 10);
    expect(absences(sim)).toEqual([]);
    expect(misbehavior(sim)).toEqual([]);
  });
});
