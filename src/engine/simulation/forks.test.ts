import { describe, expect, test } from "vitest";
import { toHex } from "../../base/bytes.ts";
import { type BinarySpec, V1 } from "../app/binary.ts";
import { type Header, headerHash } from "../consensus/header.ts";
import type { NodeAction } from "./command.ts";
import { verifiedCommit } from "./decided-blocks.ts";
import { Simulation } from "./simulation.ts";
import { install, pass, runRounds, runTo, softwareUpgrade, V2, worldSpec } from "./testing.ts";

const act = (sim: Simulation, node: string, action: NodeAction): void => {
  sim.apply({ type: "node", node, action });
};

/**
 * Runs five blocks, then partitions the network, with twins of some validators on the other side.
 */
function partitioned(
  twins: readonly string[],
  there: readonly string[],
  here: readonly string[],
  spec: Parameters<typeof worldSpec>[0] = {},
): Simulation {
  const sim = Simulation.create(worldSpec(spec));
  runTo(sim, 5);
  for (const name of twins) act(sim, name, { kind: "twin" });
  sim.apply({
    type: "partition",
    groups: [here, [...there, ...twins.map((name) => `${name}-twin`)]],
  });
  return sim;
}

/** Partition with val-2 and val-3 on both sides: half of the power is byzantine. */
const split = (spec: Parameters<typeof worldSpec>[0] = {}): Simulation =>
  partitioned(["val-2", "val-3"], ["val-1"], ["val-0", "val-2", "val-3"], spec);

/** Heights at which the two chains have different blocks. */
function divergedHeights(sim: Simulation): number[] {
  const heights = Array.from({ length: sim.height }, (_, i) => i + 1);
  return heights.filter((height) => {
    const other = sim.forks()[0]?.hashAt(height);
    return other !== undefined && toHex(other) !== toHex(sim.block(height)?.hash ?? other);
  });
}

describe("a third of the power or more in both partitions", () => {
  test("makes two chains: two different blocks at one height", () => {
    const sim = split();
    runRounds(sim, 8);
    const [fork] = sim.forks();
    expect(fork?.nodes).toEqual(["val-1", "val-2-twin", "val-3-twin"]);
    expect(fork?.common).toBe(5);
    expect(sim.height).toBeGreaterThan(7);
    expect(fork?.height).toBeGreaterThan(7);
    expect(divergedHeights(sim).length).toBeGreaterThan(0);
    expect(sim.node("val-1")?.height).toBe(fork?.height);
  });

  test("leaves what all signed before it signed on both sides", () => {
    for (const commits of ["compact", "full"] as const) {
      const sim = split({ commits });
      runRounds(sim, 8);
      const commit = verifiedCommit(sim, 5);
      expect(commit?.error).toBeNull();
      expect(commit?.signatures.filter(({ signature }) => signature.length === 64)).toHaveLength(4);
      expect(sim.forks()[0]?.height).toBeGreaterThan(7);
    }
  });

  test("is found out when the sides meet: evidence against those on both sides, and only them", () => {
    const sim = split();
    runRounds(sim, 8);
    const before = sim.height;
    const twice = divergedHeights(sim);
    sim.apply({ type: "heal" });
    expect(sim.forks()).toEqual([]);
    act(sim, "val-1", { kind: "state_sync", from: "val-0" });
    runTo(sim, before + 5);
    // Reported with the next block, on chain in the one after.
    expect(sim.block(before + 1)?.misbehavior).toBe(0);
    const punished = sim.block(before + 2)?.misbehavior ?? 0;
    expect(punished).toBeGreaterThan(0);
    expect(punished).toBeLessThanOrEqual(2 * twice.length);
    const blocks = sim
      .block(before + 2)
      ?.evidence.flatMap((one) =>
        one.kind === "duplicate-vote" && one.voteA.blockId.hash.length > 0 ? [one] : [],
      );
    expect(blocks?.length).toBeGreaterThan(0);
    const set = sim.validators().map(({ address }) => toHex(address));
    for (const name of ["val-0", "val-1", "val-2", "val-3"]) {
      const address = toHex(sim.node(name)?.consensusAddress ?? new Uint8Array());
      expect(set.includes(address), name).toBe(name === "val-0" || name === "val-1");
    }
  });

  test("leaves the weaker side on a block that is not the chain's: it stops, and stops again when restarted", () => {
    const sim = split();
    runRounds(sim, 8);
    sim.apply({ type: "heal" });
    const text =
      /^wrong Block\.Header\.LastBlockID\. {2}Expected [0-9A-F]{64}:1:[0-9A-F]{12}, got [0-9A-F]{64}:1:[0-9A-F]{12}$/;
    expect(sim.node("val-1")).toMatchObject({ process: "halted" });
    expect(sim.node("val-1")?.reason).toMatch(text);
    act(sim, "val-1", { kind: "start" });
    expect(sim.node("val-1")?.reason).toMatch(text);
    act(sim, "val-1", { kind: "wipe" });
    expect(sim.node("val-1")).toMatchObject({ process: "running", height: sim.height });
    expect(sim.appHashesAgree() || sim.node("val-2-twin")?.process === "halted").toBe(true);
  });

  test("is found out too when the sides came to their blocks in different rounds, by who said nil in the other's", () => {
    const sim = split();
    runRounds(sim, 3);
    // Both sides have the same block 6; the first proposer of 7 is on this side only.
    expect(divergedHeights(sim)).toEqual([7]);
    expect(sim.block(7)?.round).toBe(0);
    sim.apply({ type: "heal" });
    runTo(sim, sim.height + 1);
    act(sim, "val-1", { kind: "state_sync", from: "val-0" });
    runTo(sim, sim.height + 1);
    const evidence = sim.block(sim.height)?.evidence ?? [];
    expect(evidence).toHaveLength(2);
    for (const one of evidence) {
      if (one.kind !== "duplicate-vote") throw new Error(one.kind);
      const { voteA: nil, voteB: block } = one;
      expect([nil.height, nil.round, block.round]).toEqual([7, 0, 0]);
      expect(nil.blockId.hash).toHaveLength(0);
      expect(block.blockId.hash).toHaveLength(32);
    }
    expect(sim.block(sim.height)?.misbehavior).toBe(2);
  });

  test("applies every action on a node of the other fork there", () => {
    const faults = (["mute", "crash"] as const).map((kind) => (sim: Simulation) => {
      sim.apply({ type: "fault", node: "val-1", kind });
    });
    const stop = (sim: Simulation): void => act(sim, "val-1", { kind: "stop" });
    for (const disturb of [...faults, stop]) {
      const sim = split();
      runRounds(sim, 4);
      const before = sim.forks()[0]?.height ?? 0;
      disturb(sim);
      const { height } = sim;
      runRounds(sim, 4);
      // 200 of 400 is too few; a node that crashes has voted on its last block.
      expect((sim.forks()[0]?.height ?? 0) - before).toBeLessThanOrEqual(1);
      expect(sim.height).toBeGreaterThan(height);
      sim.apply({ type: "clear_faults" });
      act(sim, "val-1", { kind: "start" });
      const stood = sim.forks()[0]?.height ?? 0;
      runRounds(sim, 4);
      expect(sim.forks()[0]?.height).toBeGreaterThan(stood);
      expect(sim.node("val-1")).toMatchObject({
        process: "running",
        height: sim.forks()[0]?.height,
      });
    }
  });

  test("moves a node's faults to its fork, and back", () => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 5);
    for (const node of ["val-2", "val-3"]) act(sim, node, { kind: "twin" });
    sim.apply({ type: "fault", node: "val-1", kind: "crash", at: 7, for: 2 });
    sim.apply({ type: "fault", node: "val-1", kind: "mute", at: 30 });
    sim.apply({
      type: "partition",
      groups: [
        ["val-0", "val-2", "val-3"],
        ["val-1", "val-2-twin", "val-3-twin"],
      ],
    });
    for (let i = 0; i < 20 && sim.node("val-1")?.process === "running"; i++) sim.advance();
    expect(sim.node("val-1")).toMatchObject({ process: "exited", height: 6 });
    expect(sim.node("val-1")?.reason).toBe("killed while applying block 7");
    // Its vote is in block 7; the remaining votes are too few for block 8 until it is back.
    expect(sim.forks()[0]?.height).toBe(7);
    runRounds(sim, 10);
    expect(sim.forks()[0]?.height).toBeGreaterThan(8);
    expect(sim.node("val-1")).toMatchObject({ process: "running", height: sim.forks()[0]?.height });
    sim.apply({ type: "heal" });
    act(sim, "val-1", { kind: "state_sync", from: "val-0" });
    runTo(sim, 29);
    expect(sim.node("val-1")?.faults.map(({ kind }) => kind)).toEqual(["mute"]);
  });

  test("has a double signer of the other chain sign twice there, and not later on this one", () => {
    const sim = split();
    sim.apply({ type: "double_sign", node: "val-1" });
    const lines = () => sim.log("val-1").filter(({ text }) => text.includes("from ourselves"));
    for (let i = 0; i < 6 && sim.forks()[0]?.height === 5; i++) sim.advance();
    expect(lines()).toHaveLength(1);
    expect(lines()[0]?.height).toBe(6);
    sim.apply({ type: "heal" });
    act(sim, "val-1", { kind: "wipe" });
    runRounds(sim, 6);
    expect(lines()).toHaveLength(1);
  });

  test("shows double votes that no honest node of the other fork has received", () => {
    const sim = split();
    for (const node of ["val-1", "val-2-twin", "val-3-twin"]) {
      sim.apply({ type: "double_sign", node });
    }
    runRounds(sim, 1);
    expect([sim.height, sim.forks()[0]?.height]).toEqual([6, 6]);
    sim.apply({ type: "heal" });
    for (const node of ["val-2-twin", "val-3-twin"]) act(sim, node, { kind: "stop" });
    runRounds(sim, 2);
    expect(sim.block(7)?.misbehavior).toBe(0);
    expect(sim.block(8)?.misbehavior).toBe(3);
  });

  test("names the nodes of the other fork among the missing, with the reason for each validator", () => {
    const sim = split();
    runRounds(sim, 6);
    const reason = "partitioned since height 5: it is on another fork";
    expect(sim.chainStatus()).toMatchObject({
      state: "running",
      votingPower: 300,
      totalPower: 400,
    });
    expect(sim.chainStatus().missing).toEqual([
      {
        nodes: ["val-1", "val-2-twin", "val-3-twin"],
        power: 100,
        reason,
        cause: { kind: "other_fork", since: 5 },
      },
    ]);
    const address = sim.node("val-1")?.consensusAddress as Uint8Array;
    const rounds = Array.from({ length: 4 }, (_, i) => sim.roundsOf(6 + i)).flat();
    expect(rounds.length).toBeGreaterThan(4);
    for (const { votes, proposer, outcome, why } of rounds) {
      const vote = votes.find(({ validator }) => toHex(validator) === toHex(address));
      expect(vote).toMatchObject({ prevote: "none", precommit: "none", why: reason });
      if (toHex(proposer) !== toHex(address) || outcome === "decided") continue;
      expect(why).toBe(`val-1 proposes nothing: ${reason}`);
    }
  });

  test("keeps the nodes' states on both forks: one that is rolled back applies its own fork's block again", () => {
    const sim = split();
    runRounds(sim, 8);
    act(sim, "val-1", { kind: "stop" });
    act(sim, "val-1", { kind: "roll_back", blocks: 1 });
    act(sim, "val-1", { kind: "start" });
    expect(sim.node("val-1")).toMatchObject({ process: "running", height: sim.forks()[0]?.height });
  });

  test("is the same whenever it is played", () => {
    const run = (): string => {
      const sim = split();
      runRounds(sim, 8);
      sim.apply({ type: "heal" });
      runRounds(sim, 10);
      return `${sim.height} ${toHex(sim.block(sim.height)?.hash ?? new Uint8Array())}`;
    };
    expect(run()).toBe(run());
  });
});

test("less than a third on both sides makes no second chain", () => {
  const sim = partitioned(["val-3"], ["val-1", "val-2"], ["val-0", "val-3"]);
  runRounds(sim, 8);
  expect(sim.forks()).toEqual([]);
});

test("nodes in the same partition make no fork: one with another state halts at the next block", () => {
  const other: BinarySpec = { ...V1, name: "another build", handlers: ["v2"] };
  const sim = Simulation.create(worldSpec({ binaries: [V2, other] }, 5));
  pass(sim, softwareUpgrade(sim, "v2", 30));
  const doubled = ["val-0", "val-1", "val-2", "val-3"];
  const twins = doubled.map((name) => `${name}-twin`);
  runTo(sim, 29);
  runRounds(sim, 2);
  for (const node of doubled) act(sim, node, { kind: "twin" });
  install(sim, "v2", ...doubled);
  install(sim, other.name, ...twins);
  sim.apply({ type: "partition", groups: [[...doubled, ...twins], ["val-4"]] });
  runRounds(sim, 6);
  expect(sim.forks()).toEqual([]);
  expect(sim.height).toBeGreaterThan(31);
  expect(sim.chainStatus().state).toBe("running");
  for (const name of twins) expect(sim.node(name)?.reason).toMatch(/^wrong Block\.Header\.AppHash/);
});

describe("a partition that gets more than two thirds only later", () => {
  /** val-3's twin is down when the network is partitioned, so only one side can produce blocks. */
  const late = (): Simulation => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 5);
    for (const node of ["val-2", "val-3"]) act(sim, node, { kind: "twin" });
    act(sim, "val-3-twin", { kind: "stop" });
    sim.apply({
      type: "partition",
      groups: [
        ["val-0", "val-2", "val-3"],
        ["val-1", "val-2-twin", "val-3-twin"],
      ],
    });
    runRounds(sim, 4);
    expect(sim.forks()).toEqual([]);
    return sim;
  };

  test("makes a fork from the last block that was delivered to it", () => {
    const sim = late();
    act(sim, "val-3-twin", { kind: "start" });
    runRounds(sim, 6);
    expect(sim.forks()).toMatchObject([
      { common: 5, nodes: ["val-1", "val-2-twin", "val-3-twin"] },
    ]);
    expect(sim.forks()[0]?.height).toBeGreaterThan(6);
    expect(divergedHeights(sim).length).toBeGreaterThan(0);
    sim.apply({ type: "heal" });
    act(sim, "val-1", { kind: "state_sync", from: "val-0" });
    const { height } = sim;
    runTo(sim, height + 2);
    expect(sim.block(height + 2)?.misbehavior).toBeGreaterThan(0);
  });

  test("gives the chain its blocks when the first one has made none since: all nodes follow", () => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 5);
    for (const node of ["val-2", "val-3"]) act(sim, node, { kind: "twin" });
    sim.apply({
      type: "partition",
      groups: [
        ["val-0", "val-2", "val-3"],
        ["val-1", "val-2-twin", "val-3-twin"],
      ],
    });
    act(sim, "val-0", { kind: "stop" });
    runRounds(sim, 6);
    expect(sim.height).toBe(5);
    const theirs = sim.forks()[0];
    const newest = theirs?.hashAt(theirs.height);
    expect(theirs?.height).toBeGreaterThan(6);
    sim.apply({ type: "heal" });
    expect(sim.height).toBe(theirs?.height);
    expect(sim.block(sim.height)?.hash).toEqual(newest);
    expect(() => sim.state(6)).not.toThrow();
    for (const name of ["val-1", "val-2", "val-3"]) {
      expect(sim.node(name)).toMatchObject({ process: "running", height: sim.height });
    }
    runTo(sim, (theirs?.height ?? 0) + 2);
    for (let height = 1; height <= sim.height; height++) {
      expect(headerHash(sim.header(height) as Header)).toEqual(sim.block(height)?.hash);
    }
  });
});

test("a fork's quiet blocks take no room of their own", () => {
  const sim = split();
  // Missed blocks are counted until the validators are jailed.
  runRounds(sim, 150);
  const runs = () => sim.persisted[0][0][4][4][0]?.[1].length ?? 0;
  const before = runs();
  const height = sim.forks()[0]?.height ?? 0;
  runRounds(sim, 200);
  expect(sim.forks()[0]?.height).toBeGreaterThan(height + 100);
  expect(runs() - before).toBeLessThan(10);
});
