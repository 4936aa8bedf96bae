import { describe, expect, test } from "vitest";
import { event } from "../../../engine/framework/events.ts";
import type { Step } from "../../../engine/framework/trace.ts";
import type { BlockView } from "../../../engine/simulation/views.ts";
import { happeningOfLine, happeningsOf, whoOf } from "./activity.ts";
import { BoundedLog } from "./bounded-log.ts";
import { MARK, marksOf } from "./marks.ts";

const step = (phase: string, module: string, what: string, found = ""): Step => ({
  phase,
  module,
  what,
  found,
  outcome: "ok",
});

const block = (parts: Partial<BlockView>): BlockView => ({
  height: 9,
  hash: new Uint8Array(),
  time: 0n,
  round: 0,
  proposer: new Uint8Array(),
  appHash: new Uint8Array(),
  binary: "v1",
  absent: [],
  txs: [],
  events: [],
  steps: [],
  evidence: [],
  misbehavior: 0,
  ...parts,
});

const line = (text: string, module = "consensus") => ({
  seq: 1,
  height: 9,
  level: "error" as const,
  module,
  text,
  nodes: ["val-0"],
});

describe("the steps of a block", () => {
  test("are told apart by the misbehavior they belong to", () => {
    const found = (validator: string) =>
      `DuplicateVoteEvidence against ${validator} at height 8, power 5`;
    const steps = [
      step("begin-block", "slashing", "liveness"),
      step("begin-block", "evidence", "misbehavior", found("cons-a")),
      step("begin-block", "slashing", "slash"),
      step("begin-block", "evidence", "misbehavior", found("cons-b")),
      step("begin-block", "evidence", "outcome"),
      step("tx 0", "evidence", "duplicate check"),
    ];
    const subjects = [...happeningsOf(block({ steps }), (address) => address.toUpperCase())].map(
      ({ subject }) => subject,
    );
    expect(subjects).toEqual([
      "begin-block",
      "DuplicateVoteEvidence · CONS-A · height 8 · item 1",
      "DuplicateVoteEvidence · CONS-A · height 8 · item 1",
      "DuplicateVoteEvidence · CONS-B · height 8 · item 2",
      "DuplicateVoteEvidence · CONS-B · height 8 · item 2",
      "tx 0",
    ]);
  });
});

describe("a log line", () => {
  test("is a halt when it is a node's last word", () => {
    expect(happeningOfLine(line('CONSENSUS FAILURE!!! err="x"'), 4).outcome).toBe("halt");
    expect(happeningOfLine(line("it will not start", "server"), 4).outcome).toBe("halt");
    expect(happeningOfLine(line("found conflicting vote"), 4).outcome).toBe("error");
  });

  test.each([
    [["a"], 4, "a"],
    [["a", "b"], 4, "a · b"],
    [["a", "b", "c", "d"], 4, "all 4 nodes"],
    [["a"], 1, "a"],
    [["a", "b", "c", "d", "e", "f"], 10, "a · b · c and 3 more"],
  ])("of %j among %d nodes is of %s", (nodes, all, who) => {
    expect(whoOf(nodes, all)).toBe(who);
  });
});

test("a block is marked with all that happened in it", () => {
  expect(marksOf(block({}))).toBe(0);
  expect(marksOf(block({ misbehavior: 1, round: 2, events: [event("slash")] }))).toBe(
    MARK.evidence | MARK.rounds | MARK.slash,
  );
  const steps = [step("tx 0", "upgrade", "schedule"), step("pre-block", "upgrade", "done mark")];
  expect(marksOf(block({ steps }))).toBe(MARK.plan | MARK.upgrade);
});

test("a ring keeps the newest, in order, however many come", () => {
  const ring = new BoundedLog<number>(100);
  for (let i = 1; i <= 1234; i++) ring.push(i);
  expect(ring.newest(3)).toEqual([1232, 1233, 1234]);
  expect(ring.newest(1000)).toEqual(Array.from({ length: 100 }, (_, i) => 1135 + i));
  expect(ring.newest(0)).toEqual([]);
  expect(ring.newest(-1)).toEqual([]);
});
