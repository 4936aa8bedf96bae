import { describe, expect, test } from "vitest";
import { UPGRADE_INFO_PATH } from "../../modules/upgrade/upgrade-info.ts";
import { appliedAt, nodesOf } from "../testing.ts";
import type { Node } from "./node.ts";

const CAUSE = { kind: "halt_height", height: 8, time: 0 } as const;
const MISMATCH = { kind: "wrong_last_block_id", expected: "A", got: "B" } as const;

/** A node in a group that has applied height 4, with the number of changes it has reported. */
function observed() {
  const [node] = nodesOf(1) as [Node];
  let changes = 0;
  node.observe({ nodeChanged: () => (changes += 1) });
  const group = { applied: appliedAt(4), lastFailedRound: undefined };
  node.share(group);
  return { node, group, changes: () => changes };
}

describe("a transition that can change with whom a node executes", () => {
  test.each<[string, (node: Node) => void]>([
    ["joinPartition", (node) => node.joinPartition(1)],
    ["startProcess", (node) => node.startProcess()],
    ["stop", (node) => node.stop()],
    ["halt", (node) => node.halt("halted", CAUSE)],
    ["finishStart", (node) => node.finishStart()],
    ["install", (node) => node.install("v2")],
    ["setSkipFlag", (node) => node.setSkipFlag([], new Set())],
    ["setHaltHeight", (node) => node.setHaltHeight(9)],
    ["setHaltTime", (node) => node.setHaltTime(9)],
    ["setDiskWritable", (node) => node.setDiskWritable(false)],
  ])("leaves the group with what it has applied, and reports: %s", (_, transition) => {
    const { node, group, changes } = observed();
    transition(node);
    expect(changes()).toBe(1);
    group.applied = appliedAt(5);
    expect(node.applied.height).toBe(4);
  });

  test.each<[string, (node: Node) => void]>([
    ["setApplied", (node) => node.setApplied(appliedAt(2))],
    ["rollBack", (node) => node.rollBack(appliedAt(2))],
    ["stateSync", (node) => node.stateSync(appliedAt(2))],
    ["wipe", (node) => node.wipe(appliedAt(2))],
  ])("or with the new state: %s", (_, transition) => {
    const { node, changes } = observed();
    transition(node);
    expect(changes()).toBe(1);
    expect(node.applied.height).toBe(2);
  });
});

describe("a node", () => {
  test("has a cause while it is halted or has exited, until it starts or is stopped", () => {
    const { node } = observed();
    node.finishStart();
    node.halt("exited", CAUSE);
    expect([node.process, node.haltCause]).toEqual(["exited", CAUSE]);
    node.startProcess();
    expect([node.process, node.haltCause, node.fresh]).toEqual(["running", undefined, true]);
    node.halt("halted", CAUSE);
    node.stop();
    expect([node.process, node.haltCause]).toEqual(["stopped", undefined]);
  });

  test("runs a staged binary once it is installed", () => {
    const { node } = observed();
    node.stage("v2");
    node.install("v3");
    expect([node.binary, node.staged]).toEqual(["v3", "v2"]);
    node.install("v2");
    expect([node.binary, node.staged]).toEqual(["v2", undefined]);
  });

  test("loses blocks by a roll-back; data, blocks and its fork by a wipe", () => {
    const { node } = observed();
    node.rollBack(appliedAt(3));
    expect(node.blocksLost).toBe(true);
    node.setBlocksLost(false);
    node.writeFile("data/x", "1");
    node.writeFile("config/x", "1");
    node.orphan(MISMATCH);
    node.wipe(appliedAt(0));
    expect([...node.files.keys()]).toEqual(["config/x"]);
    expect([node.blocksLost, node.orphaned]).toEqual([true, undefined]);
  });

  test("forgets its fork and its upgrade file with a state sync", () => {
    const { node } = observed();
    node.orphan(MISMATCH);
    node.writeFile(UPGRADE_INFO_PATH, "{}");
    node.writeFile("data/x", "1");
    node.stateSync(appliedAt(9));
    expect([...node.files.keys()]).toEqual(["data/x"]);
    expect([node.orphaned, node.blocksLost]).toEqual([undefined, false]);
    node.deleteFile("data/x");
    expect(node.files.size).toBe(0);
  });

  test("has a twin with its key, state, files and fork, and other files from then on", () => {
    const { node } = observed();
    node.writeFile("x", "1");
    node.joinPartition(2);
    node.orphan(MISMATCH);
    const twin = node.twin("val-0-twin");
    expect(twin).toMatchObject({ name: "val-0-twin", validator: "val-0", partition: 2 });
    expect([twin.isTwin, node.isTwin]).toEqual([true, false]);
    expect([twin.key, twin.consensusAddress]).toEqual([node.key, node.consensusAddress]);
    expect([twin.applied.height, twin.orphaned]).toEqual([4, MISMATCH]);
    twin.writeFile("x", "2");
    expect(node.files.get("x")).toBe("1");
  });

  test("voted last in its group's failed round, or in its own if it was silent there", () => {
    const { node } = observed();
    const own = { height: 4, round: 0, silent: [] };
    node.share({ applied: appliedAt(4), lastFailedRound: own });
    node.setSignerState("{}", 4);
    node.share({
      applied: appliedAt(4),
      lastFailedRound: { height: 4, round: 1, silent: [node] },
    });
    expect(node.lastFailedRound).toBe(own);
    expect(node.placedSignerState).toEqual({ content: "{}", at: 4, lastFailedRound: own });
  });
});
