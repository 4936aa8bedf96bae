import { describe, expect, test } from "vitest";
import { toHex } from "../../base/bytes.ts";
import { SECOND } from "../../base/time.ts";
import { commitError } from "../consensus/commit-verify.ts";
import { headerHash } from "../consensus/header.ts";
import { proposerOfRound, ValidatorSet } from "../consensus/validator-set.ts";
import { verifiedCommit } from "./decided-blocks.ts";
import { consensusKeyOf } from "./genesis/world-spec.ts";
import type { RoundView } from "./round-views.ts";
import { Simulation } from "./simulation.ts";
import { install, pass, runRounds, runTo, softwareUpgrade, V2, worldSpec } from "./testing.ts";

const start = (...args: Parameters<typeof worldSpec>): Simulation =>
  Simulation.create(worldSpec(...args));

const nameOf = (sim: Simulation, address: Uint8Array | undefined): string =>
  sim.nodes().find((node) => toHex(node.consensusAddress) === toHex(address ?? new Uint8Array()))
    ?.name ?? "";

/** Formats the votes of one validator as `prevote precommit: why`. */
function said(sim: Simulation, round: RoundView | undefined, name: string): string {
  const vote = round?.votes.find(({ validator }) => nameOf(sim, validator) === name);
  return `${vote?.prevote} ${vote?.precommit}: ${vote?.why}`;
}

describe("a round that decides", () => {
  test("shows everyone prevoting and precommitting the block", () => {
    const sim = start();
    runTo(sim, 3);
    const rounds = sim.roundsOf(2);
    expect(rounds).toHaveLength(1);
    expect(rounds[0]).toMatchObject({
      height: 2,
      round: 0,
      outcome: "decided",
      why: "",
      power: 400,
    });
    expect(rounds[0]?.neededPower).toBe(267);
    expect(rounds[0]?.votes.map((vote) => `${vote.prevote} ${vote.precommit}`)).toEqual(
      Array(4).fill("block block"),
    );
    expect(toHex(rounds[0]?.proposer ?? new Uint8Array())).toBe(
      toHex(sim.block(2)?.proposer ?? new Uint8Array()),
    );
  });

  test("shows who said nothing, who was late and who was stopped, and that their votes are not in the commit", () => {
    const sim = start({}, 10);
    sim.apply({ type: "fault", node: "val-1", kind: "mute" });
    sim.apply({ type: "fault", node: "val-2", kind: "slow" });
    sim.apply({ type: "node", node: "val-3", action: { kind: "stop" } });
    runTo(sim, 4);
    const decided = sim.roundsOf(4).at(-1);
    expect(decided).toMatchObject({ outcome: "decided", power: 700, neededPower: 667 });
    expect(said(sim, decided, "val-0")).toBe("block block: ");
    expect(said(sim, decided, "val-1")).toBe("none none: sends nothing");
    expect(said(sim, decided, "val-2")).toBe("none none: its votes come too late");
    expect(said(sim, decided, "val-3")).toBe("none none: stopped by its operator");
    const absent = sim.block(4)?.absent.map((address) => nameOf(sim, address));
    expect(absent?.sort()).toEqual(["val-1", "val-2", "val-3"]);
  });

  test("shows a slow voter's vote when it had to be waited for", () => {
    const sim = start();
    sim.apply({ type: "fault", node: "val-1", kind: "slow" });
    sim.apply({ type: "node", node: "val-3", action: { kind: "stop" } });
    runTo(sim, 3);
    expect(said(sim, sim.roundsOf(3).at(-1), "val-1")).toBe("block block: its votes come too late");
  });
});

describe("a round without a block", () => {
  test("without a proposal ends with all votes nil, after both timeouts", () => {
    const sim = start();
    runTo(sim, 2);
    const absent = nameOf(sim, sim.proposer());
    sim.apply({ type: "node", node: absent, action: { kind: "stop" } });
    runTo(sim, 3);
    const [failed, decided] = sim.roundsOf(3);
    expect(failed).toMatchObject({
      round: 0,
      outcome: "no-proposal",
      why: `${absent} proposes nothing: stopped by its operator`,
      power: 0,
    });
    const others = sim.nodes().filter(({ name }) => name !== absent);
    for (const { name } of others) expect(said(sim, failed, name)).toBe("nil nil: ");
    expect(decided).toMatchObject({ round: 1, outcome: "decided", power: 300 });
    expect(nameOf(sim, decided?.proposer)).not.toBe(absent);
    expect((decided?.startTime ?? 0n) - (failed?.startTime ?? 0n)).toBe(4n * SECOND);
  });

  test("for want of votes says how many there were and how many it takes", () => {
    const sim = start();
    runTo(sim, 2);
    for (const node of ["val-0", "val-1"]) {
      sim.apply({ type: "node", node, action: { kind: "stop" } });
    }
    runRounds(sim, 3);
    const rounds = sim.roundsOf(3);
    expect(rounds.map(({ round }) => round)).toEqual([0, 1, 2]);
    expect(rounds[2]).toMatchObject({
      outcome: "too-few-votes",
      why: "votes of 200 of 400, needed 267",
    });
    const [first, second, third] = rounds.map(({ startTime }) => startTime);
    expect((second ?? 0n) - (first ?? 0n)).toBe(5n * SECOND);
    expect((third ?? 0n) - (second ?? 0n)).toBe((13n * SECOND) / 2n);
  });

  test("keeps the reasons of those who could not vote with the others", () => {
    const sim = start({
      binaries: [V2, { ...V2, name: "v2-odd", migration: { kind: "nondeterministic" } }],
    });
    pass(sim, softwareUpgrade(sim, "v2", 30));
    runTo(sim, 29);
    runRounds(sim, 2);
    expect(said(sim, sim.roundsOf(31).at(-1), "val-2")).toContain('UPGRADE "v2" NEEDED');
    install(sim, "v2", "val-0", "val-1");
    install(sim, "v2-odd", "val-2", "val-3");
    runRounds(sim, 1);
    const votes = sim
      .roundsOf(31)
      .at(-1)
      ?.votes.map(({ why }) => why);
    expect(votes?.filter((why) => why.includes("another app hash")).length).toBeGreaterThan(0);
  });

  /** At height 30 some nodes compute a different state; all keep running. */
  function diverged(...odd: readonly string[]): Simulation {
    const sim = start({
      binaries: [V2, { ...V2, name: "v2-odd", migration: { kind: "nondeterministic" } }],
    });
    pass(sim, softwareUpgrade(sim, "v2", 30));
    runTo(sim, 29);
    runRounds(sim, 1);
    const all = sim.nodes().map(({ name }) => name);
    install(sim, "v2", ...all.filter((name) => !odd.includes(name)));
    install(sim, "v2-odd", ...odd);
    return sim;
  }

  test("whose proposal builds on another state is refused by the others, who do not wait for another one", () => {
    // The next proposer does not depend on which node diverged.
    const next = nameOf(diverged("val-0"), diverged("val-0").proposer());
    const sim = diverged(next);
    runRounds(sim, 2);
    const [refused, decided] = sim.roundsOf(31).slice(-2);
    expect(refused).toMatchObject({ outcome: "proposal-refused", power: 100 });
    expect(refused?.why).toMatch(
      new RegExp(
        `^${next} proposes a block that the others refuse: wrong Block\\.Header\\.AppHash`,
      ),
    );
    expect(said(sim, refused, next)).toBe("block nil: ");
    for (const { name } of sim.nodes().filter((node) => node.name !== next)) {
      expect(said(sim, refused, name)).toBe(
        "nil nil: refuses the proposal: it builds on another state",
      );
    }
    // Nil prevotes arrive at once: only the precommit timeout elapses.
    const lasted = (decided?.startTime ?? 0n) - (refused?.startTime ?? 0n);
    expect(lasted).toBe(SECOND + (SECOND / 2n) * BigInt(refused?.round ?? 0));
    expect(decided).toMatchObject({ outcome: "decided", power: 300 });
    expect(said(sim, decided, next)).toMatch(/^nil none: wrong Block\.Header\.AppHash/);
  });

  test("in which each half refuses the other's proposals waits for prevotes and for precommits", () => {
    const sim = diverged("val-2", "val-3");
    runRounds(sim, 3);
    const [first, second] = sim.roundsOf(31).slice(-2);
    expect(first).toMatchObject({ outcome: "prevotes-split", power: 200, neededPower: 267 });
    expect(first?.why).toContain("proposes a block that 200 of 400 prevote, needed 267");
    const lasted = (second?.startTime ?? 0n) - (first?.startTime ?? 0n);
    expect(lasted).toBe(2n * SECOND + SECOND * BigInt(first?.round ?? 0));
    const ballots = first?.votes.map(({ prevote, precommit }) => `${prevote} ${precommit}`);
    expect(ballots?.sort()).toEqual(["block nil", "block nil", "nil nil", "nil nil"]);
  });

  test("is one for want of votes where those who differ are mute", () => {
    const sim = diverged("val-2", "val-3");
    for (const node of ["val-2", "val-3"]) sim.apply({ type: "fault", node, kind: "mute" });
    runRounds(sim, 1);
    const round = sim.roundsOf(31).at(-1);
    expect(round).toMatchObject({ outcome: "too-few-votes" });
    expect(said(sim, round, "val-2")).toBe("none none: sends nothing");
  });

  test("is counted beyond 65535, and known by the headers above", () => {
    const sim = start();
    runTo(sim, 2);
    const both = (kind: "stop" | "start"): void => {
      for (const node of ["val-0", "val-1"]) sim.apply({ type: "node", node, action: { kind } });
    };
    both("stop");
    runRounds(sim, 65_540);
    both("start");
    runTo(sim, 5);
    expect(sim.block(3)?.round).toBe(65_540);
    for (const height of [3, 4, 5]) {
      const header = sim.header(height);
      if (header === undefined) throw new Error(`there is no header ${height}`);
      expect(toHex(headerHash(header))).toBe(toHex(sim.block(height)?.hash ?? new Uint8Array()));
    }
  });

  test("is forgotten after some hundred others", () => {
    const sim = start();
    runTo(sim, 600);
    expect(sim.roundsOf(1)).toEqual([]);
    expect(sim.roundsOf(600)).toHaveLength(1);
  });
});

test("round after round the turn passes as CometBFT's priorities say", () => {
  const sim = start();
  for (const node of ["val-0", "val-1"]) {
    sim.apply({ type: "node", node, action: { kind: "stop" } });
  }
  runRounds(sim, 6);
  const keys = sim.spec.validators.map(({ name }) => consensusKeyOf(name, sim.spec.seed));
  const set = ValidatorSet.create(keys.map(({ publicKey }) => ({ pubKey: publicKey, power: 100 })));
  expect(sim.roundsOf(1).map(({ proposer }) => toHex(proposer))).toEqual(
    Array.from({ length: 6 }, (_, round) =>
      toHex(set.list.at(proposerOfRound(set, round)).address),
    ),
  );
});

describe("a commit that is requested", () => {
  test("carries real signatures of exactly those who signed", () => {
    const sim = start();
    sim.apply({ type: "node", node: "val-2", action: { kind: "stop" } });
    runTo(sim, 5);
    const keys = sim.spec.validators.map(({ name }) => consensusKeyOf(name, sim.spec.seed));
    const { list } = ValidatorSet.create(
      keys.map(({ publicKey }) => ({ pubKey: publicKey, power: 100 })),
    );
    for (const height of [1, 4, 5]) {
      const commit = verifiedCommit(sim, height);
      if (commit === undefined) throw new Error(`there is no commit ${height}`);
      expect(toHex(commit.blockId.hash)).toBe(toHex(sim.block(height)?.hash ?? new Uint8Array()));
      expect(commitError("lab-1", list, commit.blockId, height, commit)).toBeNull();
      expect(commit.signatures.filter((sig) => sig.signature.length === 64)).toHaveLength(3);
      const forged = { ...commit, round: commit.round + 1 };
      expect(commitError("lab-1", list, commit.blockId, height, forged)).toMatch(
        /^wrong signature/,
      );
    }
    expect(verifiedCommit(sim, 6)).toBeUndefined();
  });

  test("leads to its block by the block's hash", () => {
    const sim = start();
    runTo(sim, 5);
    expect(sim.heightOf(sim.block(4)?.hash ?? new Uint8Array())).toBe(4);
    expect(sim.heightOf(new Uint8Array(32))).toBeUndefined();
  });
});
