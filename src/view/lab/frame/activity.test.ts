import { describe, expect, test } from "vitest";
import type { ModuleStep } from "../../../engine/app/steps.ts";
import { event } from "../../../engine/framework/events.ts";
import { testAddress } from "../../../engine/framework/testing.ts";
import type { BlockResults } from "../../../engine/simulation/views.ts";
import { TEXTS } from "../texts.ts";
import { activitiesOf, activityOfLine, stepsOfHalt, whoOf } from "./activity.ts";
import { MARK, marksOf } from "./marks.ts";

const at = { phase: "begin-block", outcome: "ok" } as const;
const [A, B] = [testAddress("a"), testAddress("b")];

const block = (parts: Partial<BlockResults>): BlockResults => ({
  height: 9,
  round: 0,
  binary: "v1",
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
  const misbehavior = (address: Uint8Array, type: number, item: number): ModuleStep => ({
    ...at,
    module: "evidence",
    kind: "misbehavior",
    data: { type, address, height: 8, power: 5 },
    item,
  });
  const steps: ModuleStep[] = [
    { ...at, module: "slashing", kind: "unknown_voter", data: { address: A } },
    misbehavior(A, 1, 1),
    { ...at, module: "slashing", kind: "tombstone", data: { address: A }, item: 1 },
    misbehavior(B, 2, 2),
    { ...at, module: "evidence", kind: "tombstoned", data: { tombstoned: true }, item: 2 },
    { ...at, module: "evidence", kind: "unknown_misbehavior", data: { type: 7 }, item: 3 },
    { ...at, module: "staking", kind: "jail", data: { operator: A } },
    { ...at, phase: "tx 0", module: "evidence", kind: "handler", data: {}, item: 4 },
  ];
  test("say where, by which module, what was asked, what was found and how it ended", () => {
    const [, , , , tombstoned] = activitiesOf(block({ steps }), TEXTS);
    expect(tombstoned).toEqual({
      height: 9,
      kind: "step",
      where: "begin-block",
      module: "evidence",
      what: "tombstoned",
      found: "yes, one punishment is enough",
      text: "tombstoned: yes, one punishment is enough",
      outcome: "ok",
    });
  });

  test("of a halt name the nodes that stopped", () => {
    const cause = { kind: "crashed", height: 9 } as const;
    const halt = { seq: 1, height: 9, nodes: ["val-0", "val-1"], cause, steps };
    const drafts = [...stepsOfHalt(halt, 4, TEXTS)];
    expect(drafts).toHaveLength(steps.length);
    expect(drafts[2]).toMatchObject({
      height: 9,
      where: "begin-block · val-0 · val-1",
      what: "tombstone",
    });
  });
});

test("events follow the steps: the block's, then each transaction's", () => {
  const tx = (type: string) => ({ events: [event(type, ["a", "1"], ["b", "2"])] });
  const drafts = activitiesOf(
    block({ events: [event("mint")], txs: [tx("send"), tx("vote")] }),
    TEXTS,
  );
  expect(Array.from(drafts, ({ where, text, found }) => [where, text, found])).toEqual([
    ["block", "mint", ""],
    ["tx 0", "send a=1 b=2", "a=1 b=2"],
    ["tx 1", "vote a=1 b=2", "a=1 b=2"],
  ]);
});

describe("a log line", () => {
  test("is a halt when it is a node's last word", () => {
    const last = { ...line("it will not start", "server"), last: true as const };
    expect(activityOfLine(last, 4)).toMatchObject({ outcome: "halt", where: "val-0" });
    expect(activityOfLine(line("found conflicting vote"), 4)).toMatchObject({
      outcome: "error",
      module: "consensus",
      text: "found conflicting vote",
    });
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
  const upgrade = { ...at, module: "upgrade" } as const;
  const plan = { name: "v2", height: 20 };
  const scheduled: ModuleStep = {
    ...upgrade,
    kind: "schedule",
    data: { ...plan, replaced: undefined },
  };
  expect(marksOf(block({ steps: [scheduled] }))).toBe(MARK.plan);
  const done: ModuleStep = { ...upgrade, kind: "done", data: plan };
  expect(marksOf(block({ steps: [done] }))).toBe(MARK.upgrade);
  const cleared: ModuleStep = { ...upgrade, kind: "plan_cleared", data: { plan } };
  const jail: ModuleStep = { ...at, module: "staking", kind: "jail", data: { operator: A } };
  const tx = { events: [event("submit_evidence")] };
  expect(marksOf(block({ steps: [cleared, jail] }))).toBe(0);
  expect(marksOf(block({ txs: [tx] }))).toBe(MARK.evidence | MARK.txs);
  expect(marksOf(block({ events: [event("active_proposal")] }))).toBe(MARK.proposal);
});
