import { describe, expect, test } from "vitest";
import { acceptLightClientAttacks } from "../engine/simulation/light-client-attacks.ts";
import { Session } from "./session.ts";

acceptLightClientAttacks();

function played(text: string): Promise<Session> {
  const session = new Session();
  return session.loadScenario({ text, file: "x.yaml", withoutSteps: true }).then((answer) => {
    expect(answer).toEqual({ ok: true, problems: [] });
    return session;
  });
}

const four = (binaries = "{}"): string =>
  `{scenario: 1, name: x, title: x, genesis: {validators: 4}, binaries: ${binaries}, steps: []}`;

/** Runs rounds manually. */
function rounds(session: Session, count: number): void {
  for (let i = 0; i < count; i++) {
    session.sim.advance();
    session.player.live.observer.observe();
  }
}

describe("a query", () => {
  test("for the rounds of a height is reported who voted what, and why not", async () => {
    const session = await played(four());
    const queries = await session.query((queries) => queries);
    rounds(session, 2);
    session.sim.apply({ type: "node", node: "val-1", action: { kind: "stop" } });
    rounds(session, 6);
    const answer = queries.lab("getRounds", { height: session.sim.height });
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

  test("for no height in particular is reported of the one that is being decided", async () => {
    const session = await played(four());
    const queries = await session.query((queries) => queries);
    rounds(session, 3);
    for (const node of ["val-0", "val-1"]) {
      session.sim.apply({ type: "node", node, action: { kind: "stop" } });
    }
    rounds(session, 2);
    const { height, rounds: seen } = queries.lab("getRounds", { height: 0 });
    expect([height, seen.map(({ outcome }) => outcome)]).toEqual([
      4,
      ["too-few-votes", "too-few-votes"],
    ]);
  });

  test("for the newest rounds only gets no older ones", async () => {
    const session = await played(four());
    const queries = await session.query((queries) => queries);
    rounds(session, 3);
    for (const node of ["val-0", "val-1"]) {
      session.sim.apply({ type: "node", node, action: { kind: "stop" } });
    }
    rounds(session, 5);
    const of = (newest: number) =>
      queries.lab("getRounds", { height: 0, newest }).rounds.map(({ round }) => round);
    expect(of(2)).toEqual([3, 4]);
    expect(of(0)).toEqual([0, 1, 2, 3, 4]);
  });

  test("for a block by its hash gets it with its header; for another hash nothing", async () => {
    const session = await played(four());
    const queries = await session.query((queries) => queries);
    rounds(session, 3);
    const { hash } = queries.lab("getBlock", { height: 2 });
    const block = queries.lab("getBlock", { hash: hash.toLowerCase() });
    expect(block).toEqual(queries.lab("getBlock", { height: 2 }));
    expect(block.header?.lastBlockId?.hash).toBe(queries.lab("getBlock", { height: 1 }).hash);
    for (const wrong of ["zz", hash.slice(1)]) {
      expect(() => queries.lab("getBlock", { hash: wrong })).toThrow("encoding/hex: ");
    }
    expect(() => queries.lab("getBlock", { hash: "00" })).toThrow("there is no block 00");
  });

  test("for a commit gets every signature, by the name of who made it", async () => {
    const session = await played(four());
    const queries = await session.query((queries) => queries);
    session.sim.apply({ type: "node", node: "val-3", action: { kind: "stop" } });
    rounds(session, 6);
    const { signatures, blockId, error } = queries.lab("getCommit", { height: 2 });
    expect(error, "who verifies it finds nothing").toBe("");
    expect(blockId?.hash).toBe(queries.lab("getBlock", { height: 2 }).hash);
    const signed = signatures.filter(({ signature }) => signature.length === 128);
    expect(signed.map(({ node }) => node).sort()).toEqual(["val-0", "val-1", "val-2"]);
    expect(signatures.filter((one) => one.blockIdFlag === 1)).toHaveLength(1);
    expect(() => queries.lab("getCommit", { height: 99 })).toThrow("there is no block 99");
  });

  test("in what two nodes differ is reported the keys by name", async () => {
    const session = await played(four());
    const queries = await session.query((queries) => queries);
    rounds(session, 2);
    const same = queries.lab("getDivergence", { before: "val-0", after: "val-1" });
    expect(same).toMatchObject({ total: 0, differences: [] });
    session.sim.apply({ type: "node", node: "val-1", action: { kind: "stop" } });
    session.sim.apply({ type: "double_sign", node: "val-3" });
    rounds(session, 8);
    const { differences, beforeHeight, afterHeight, total } = queries.lab("getDivergence", {
      before: "val-1",
      after: "val-0",
    });
    expect(beforeHeight).toBeLessThan(afterHeight);
    expect(total).toBe(differences.length);
    const names = differences.map(({ store, name }) => `${store}: ${name}`);
    expect(names).toContain("bank: supply stake");
    expect(names).toContain("staking: validator val-3");
    expect(names).toContain("slashing: signing info val-3");
    const stored = differences.find(({ store }) => store === "evidence");
    expect([stored?.before, stored?.name]).toEqual(["", "evidence"]);
    const supply = differences.find(({ name }) => name === "supply stake");
    expect(
      [supply?.beforeText, supply?.afterText].every((text) => /^[0-9]+$/.test(text ?? "")),
    ).toBe(true);
    const validator = differences.find(({ name }) => name === "validator val-3");
    expect(JSON.parse(validator?.beforeText ?? "")).toMatchObject({ jailed: false });
    expect(JSON.parse(validator?.afterText ?? "")).toMatchObject({ jailed: true });
    expect(() => queries.lab("getDivergence", { before: "val-0", after: "nobody" })).toThrow(
      "there is no node nobody",
    );
  });
});

test("a block shows its evidence: of what kind, and against whom", async () => {
  const session = await played(four());
  const queries = await session.query((queries) => queries);
  rounds(session, 6);
  const attack = (kind: "lunatic" | "amnesia", by: readonly string[], height: number) =>
    session.sim.apply({ type: "light_client_attack", kind, by, height });
  attack("amnesia", ["val-0", "val-1", "val-2"], 5);
  attack("lunatic", ["val-1", "val-2"], 6);
  session.sim.apply({ type: "double_sign", node: "val-3" });
  rounds(session, 2);
  const reported = (height: number) =>
    queries
      .lab("getBlock", { height })
      .evidence.map(({ kind, height: at, nodes }) => [kind, at, nodes.toSorted()]);
  expect(reported(7).toSorted()).toEqual([
    ["amnesia", 5, []],
    ["lunatic", 5, ["val-1", "val-2"]],
  ]);
  expect(reported(8)).toEqual([["duplicate vote", 7, ["val-3"]]]);
});

test("a frame shows a node's faults, and until when", async () => {
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
