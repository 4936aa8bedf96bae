import { describe, expect, test } from "vitest";
import { Session } from "./session.ts";

function played(text: string): Promise<Session> {
  const session = new Session();
  return session.loadScenario({ text, file: "x.yaml", withoutSteps: true }).then((answer) => {
    expect(answer).toEqual({ ok: true, faults: [] });
    return session;
  });
}

const four = (binaries = "{}"): string =>
  `{scenario: 1, name: x, title: x, genesis: {validators: 4}, binaries: ${binaries}, steps: []}`;

/** Rounds, by hand. */
function rounds(session: Session, count: number): void {
  for (let i = 0; i < count; i++) {
    session.sim.advance();
    session.player.live.observer.observe();
  }
}

describe("somebody who asks", () => {
  test("for the rounds of a height is told who voted what, and why not", async () => {
    const session = await played(four());
    rounds(session, 2);
    session.sim.apply({ type: "node", node: "val-1", action: { kind: "stop" } });
    rounds(session, 6);
    const answer = session.getRounds(session.sim.height);
    expect(answer.height).toBe(session.sim.height);
    const votes = answer.rounds.at(-1)?.votes.find(({ node }) => node === "val-1");
    expect(votes).toEqual({
      node: "val-1",
      power: 100,
      prevote: "none",
      precommit: "none",
      why: "stopped by its operator",
    });
  });

  test("for no height in particular is told of the one that is being decided", async () => {
    const session = await played(four());
    rounds(session, 3);
    for (const node of ["val-0", "val-1"]) {
      session.sim.apply({ type: "node", node, action: { kind: "stop" } });
    }
    rounds(session, 2);
    const { height, rounds: seen } = session.getRounds(0);
    expect([height, seen.map(({ outcome }) => outcome)]).toEqual([
      4,
      ["too-few-votes", "too-few-votes"],
    ]);
  });

  test("for a block by its hash gets it with its header; for another hash nothing", async () => {
    const session = await played(four());
    rounds(session, 3);
    const { hash } = session.getBlock(2);
    const block = session.getBlock(0, hash.toLowerCase());
    expect(block).toEqual(session.getBlock(2));
    expect(block.header?.lastBlockId?.hash).toBe(session.getBlock(1).hash);
    for (const wrong of ["00", "zz", hash.slice(1)]) {
      expect(() => session.getBlock(0, wrong)).toThrow(`there is no block ${wrong}`);
    }
  });

  test("for a commit gets every signature, by the name of who made it", async () => {
    const session = await played(four());
    session.sim.apply({ type: "node", node: "val-3", action: { kind: "stop" } });
    rounds(session, 6);
    const { signatures, blockId } = session.getCommit(2);
    expect(blockId?.hash).toBe(session.getBlock(2).hash);
    const signed = signatures.filter(({ signature }) => signature.length === 128);
    expect(signed.map(({ node }) => node).sort()).toEqual(["val-0", "val-1", "val-2"]);
    expect(signatures.filter((one) => one.blockIdFlag === 1)).toHaveLength(1);
    expect(() => session.getCommit(99)).toThrow("there is no block 99");
  });

  test("in what two nodes differ is told the keys by name", async () => {
    const session = await played(four());
    rounds(session, 2);
    expect(session.getDivergence("val-0", "val-1")).toMatchObject({ total: 0, differences: [] });
    session.sim.apply({ type: "node", node: "val-1", action: { kind: "stop" } });
    session.sim.apply({ type: "double_sign", node: "val-3" });
    rounds(session, 8);
    const { differences, beforeHeight, afterHeight, total } = session.getDivergence(
      "val-1",
      "val-0",
    );
    expect(beforeHeight).toBeLessThan(afterHeight);
    expect(total).toBe(differences.length);
    const names = differences.map(({ store, name }) => `${store}: ${name}`);
    expect(names).toContain("bank: supply stake");
    expect(names).toContain("staking: validator val-3");
    expect(names).toContain("slashing: signing info val-3");
    const stored = differences.find(({ store }) => store === "evidence");
    expect([stored?.before, stored?.name]).toEqual(["", "evidence"]);
    expect(() => session.getDivergence("val-0", "nobody")).toThrow("there is no node");
  });
});

test("a block shows its evidence: of what kind, and against whom", async () => {
  const session = await played(four());
  rounds(session, 6);
  const attack = (kind: "lunatic" | "amnesia", by: readonly string[], height: number) =>
    session.sim.apply({ type: "light_client_attack", kind, by, height });
  attack("amnesia", ["val-0", "val-1", "val-2"], 5);
  attack("lunatic", ["val-1", "val-2"], 6);
  session.sim.apply({ type: "double_sign", node: "val-3" });
  rounds(session, 2);
  const told = (height: number) =>
    session
      .getBlock(height)
      .evidence.map(({ kind, height: at, nodes }) => [kind, at, nodes.toSorted()]);
  expect(told(7).toSorted()).toEqual([
    ["amnesia", 5, []],
    ["lunatic", 5, ["val-1", "val-2"]],
  ]);
  expect(told(8)).toEqual([["duplicate vote", 7, ["val-3"]]]);
});

test("a picture shows what is wrong with a machine, and until when", async () => {
  const session = await played(four());
  rounds(session, 2);
  session.sim.apply({ type: "fault", node: "val-1", kind: "mute", for: 4 });
  session.sim.apply({ type: "fault", node: "val-1", kind: "clock" });
  const node = session.getFrame({}).nodes.find(({ name }) => name === "val-1");
  expect(node?.faults).toEqual([
    { kind: "mute", from: 3, to: 6 },
    { kind: "clock", from: 3, to: 0 },
  ]);
});
