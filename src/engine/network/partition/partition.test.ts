import { describe, expect, test } from "vitest";
import type { Node } from "../node/node.ts";
import { appliedAt, decide, ledgerOf, nodesOf, setOf } from "../testing.ts";
import { competingPartitions } from "./competing-partitions.ts";
import { Reachability } from "./reachability.ts";

describe("reachability", () => {
  test("delivers the newest block to all partitions at the beginning, later ones to one", () => {
    const [a, b] = nodesOf(2) as [Node, Node];
    const reachability = new Reachability(4);
    expect(reachability.latestDelivered(0)).toBe(4);
    b.joinPartition(1);
    reachability.begin([a, b], 6);
    expect([0, 1, 2].map((partition) => reachability.latestDelivered(partition))).toEqual([
      6,
      6,
      undefined,
    ]);
    reachability.deliver(1, 7);
    expect([0, 1].map((partition) => reachability.latestDelivered(partition))).toEqual([6, 7]);
  });

  test("leaves a running node behind that has not applied what was delivered", () => {
    const [a] = nodesOf(1, appliedAt(5)) as [Node];
    const reachability = new Reachability(6);
    expect(reachability.isBehind(a)).toBe(true);
    a.stop();
    expect(reachability.isBehind(a)).toBe(false);
    a.startProcess();
    a.setApplied(appliedAt(6));
    expect(reachability.isBehind(a)).toBe(false);
    a.joinPartition(3);
    expect(reachability.isBehind(a)).toBe(false);
  });
});

describe("competing partitions", () => {
  const world = (powers: readonly number[]) => {
    const nodes = nodesOf(4) as [Node, Node, Node, Node];
    const ledger = ledgerOf(setOf(nodes, powers));
    const found = (own: number | undefined = 0) => competingPartitions(nodes, own, () => ledger);
    return { nodes, ledger, found };
  };

  test("have more than two thirds of the power, and are not the main chain's", () => {
    const { nodes, found } = world([10, 10, 10, 1]);
    for (const node of nodes.slice(0, 3)) node.joinPartition(2);
    expect(found()).toEqual([2]);
    expect(found(2)).toEqual([]);
    expect(found(undefined)).toEqual([2]);
    nodes[2].joinPartition(0);
    expect(found()).toEqual([]);
  });

  test("two thirds exactly are too little", () => {
    const { nodes, found } = world([10, 10, 5, 5]);
    nodes[0].joinPartition(1);
    nodes[1].joinPartition(1);
    expect(found()).toEqual([]);
    nodes[2].joinPartition(1);
    expect(found()).toEqual([1]);
  });

  test.each<[string, (node: Node) => void]>([
    ["stopped", (node) => node.stop()],
    ["behind", (node) => node.setApplied(appliedAt(-1))],
    ["at another app hash", (node) => node.setApplied(appliedAt(0, 9))],
    ["at other results", (node) => node.setApplied(appliedAt(0, 1, 9))],
  ])("do not count a node that is %s", (_, change) => {
    const { nodes, found } = world([10, 10, 10, 1]);
    for (const node of nodes.slice(0, 3)) node.joinPartition(1);
    change(nodes[1]);
    expect(found()).toEqual([]);
  });

  test("wait while a decided block is not committed", () => {
    const { nodes, ledger, found } = world([10, 10, 10, 1]);
    for (const node of nodes.slice(0, 3)) node.joinPartition(1);
    decide(ledger);
    for (const node of nodes) node.setApplied(appliedAt(1));
    expect(found()).toEqual([]);
    ledger.commit(appliedAt(1));
    expect(found()).toEqual([1]);
  });
});
